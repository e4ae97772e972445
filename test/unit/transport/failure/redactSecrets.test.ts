import { createRedactor } from '../../../../nodes/Prospector/transport/failure/redactSecrets';
import { toPlainText } from '../../../../nodes/Prospector/transport/failure/plainText';
import { leastProcessorTime } from '../../../processorTime';

const KEY = 'pk_live/S3cr+et.key-"1\\';
const redact = createRedactor(KEY);

const percentEncodeAll = (text: string) =>
	[...text].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const unicodeEscape = (text: string) =>
	[...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const htmlEntities = (text: string) => [...text].map((character) => `&#${character.charCodeAt(0)};`).join('');

const FORMS: Array<[string, string]> = [
	['plain', KEY],
	['in upper case', KEY.toUpperCase()],
	['percent-encoded', encodeURIComponent(KEY)],
	['percent-encoded in lower case', encodeURIComponent(KEY).replace(/%../g, (hex) => hex.toLowerCase())],
	['with every character percent-encoded', percentEncodeAll(KEY)],
	['percent-encoded twice', encodeURIComponent(encodeURIComponent(KEY))],
	['JSON-escaped', JSON.stringify(KEY).slice(1, -1)],
	['JSON-escaped with slashes escaped', JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/')],
	['with every character JSON-escaped', unicodeEscape(KEY)],
	['JSON-escaped twice', JSON.stringify(JSON.stringify(KEY)).slice(3, -3)],
	['as HTML entities', htmlEntities(KEY)],
	['with a tag inside', `${KEY.slice(0, 5)}<a href="x">${KEY.slice(5)}`],
	['with tags inside', `${KEY.slice(0, 5)}<b>${KEY.slice(5, 9)}</b><br/>${KEY.slice(9)}`],
	['with a JSON-escaped tag inside', `${KEY.slice(0, 5)}\\u003cb\\u003e${KEY.slice(5)}`],
];

describe('createRedactor', () => {
	test.each(FORMS)('removes the key %s', (_, form) => {
		expect(redact(`before ${form} after`)).toBe('before [API key] after');
	});

	test.each(FORMS)('removes the key %s from a long text', (_, form) => {
		const long = 'x'.repeat(100_000);
		expect(redact(`${long} ${form} ${long}`)).toBe(`${long} [API key] ${long}`);
	});

	test.each([0, 1, 2, 3, 4, 5])('removes the key in base64 after %i other bytes', (count) => {
		for (const encoding of ['base64', 'base64url'] as const) {
			const text = Buffer.from(`${'u'.repeat(count)}${KEY}:tail`).toString(encoding);
			expect(redact(text)).toContain('[API key]');
			const rest = redact(text).replace('[API key]', '');
			expect(Buffer.from(rest, encoding).toString()).not.toContain(KEY.slice(2, -3));
		}
	});

	test('leaves every other text as it is', () => {
		for (const text of ['', 'pk_live', '%41\\u0041&amp;', KEY.slice(1), KEY.slice(0, -1)]) {
			expect(redact(text)).toBe(text);
		}
	});

	test('leaves texts alone if the key is too short to be a secret', () => {
		expect(createRedactor('data')('{"data":1}')).toBe('{"data":1}');
		expect(createRedactor('')('text')).toBe('text');
	});

	test.each([
		['the beginning of the key, many times', KEY.slice(0, -1).repeat(40_000)],
		['its first character and a tag that does not end, many times', 'p<aaaa'.repeat(200_000)],
		['its first character and tags, many times', `p${'<b>'.repeat(300_000)}`],
		['its first character and one long tag', `p<${'a'.repeat(1_000_000)}`],
		['percent signs', '%'.repeat(1_000_000)],
		['%25 many times', '%25'.repeat(300_000)],
		['backslashes', '\\'.repeat(1_000_000)],
		['zeros of an entity', `&#${'0'.repeat(1_000_000)}`],
	])('takes less than 500 ms for %s', async (_, text) => {
		expect(await leastProcessorTime(() => redact(text), 500)).toBeLessThan(500);
	});
});

describe('toPlainText', () => {
	test.each([
		['with a comment inside', `${KEY.slice(0, 5)}<!-- x -->${KEY.slice(5)}`],
		['with an invisible character inside', `${KEY.slice(0, 5)}\u200b${KEY.slice(5)}`],
		...FORMS,
	])('removes the key %s', (_, form) => {
		expect(toPlainText(`key ${form} refused`, redact, 300)).toBe('key [API key] refused');
	});

	test('leaves no half of a key where a long text is cut', () => {
		for (let before = 65_500; before < 65_560; before++) {
			expect(toPlainText(' '.repeat(before) + KEY, redact, 300)).not.toContain('pk_live');
			expect(
				toPlainText('<b>'.repeat(21_840) + ' '.repeat(before - 65_500) + KEY, redact, 300),
			).not.toContain('pk_live');
		}
	});

	test('returns one line of at most the given length, with whole characters', () => {
		expect(toPlainText(' a\r\n\tb\u0000c ', redact, 300)).toBe('a b c');
		expect(toPlainText('😀'.repeat(300), redact, 10)).toBe('😀😀😀😀…');
	});

	test.each(['<', '<a', '<!--', '\u200b', ' ', '\n', '<a ', '</'])(
		'takes less than 100 ms for megabytes of %j',
		async (text) => {
			const long = text.repeat(2_000_000);
			expect(await leastProcessorTime(() => toPlainText(long, redact, 300), 100)).toBeLessThan(100);
		},
	);
});
