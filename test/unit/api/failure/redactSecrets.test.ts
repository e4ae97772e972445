import fc from 'fast-check';
import { createRedactor, toPlainText } from '../../../../nodes/Prospector/api/failure/redactSecrets';

const KEY = 'pk_live/S3cr+et.key-"1\\';
const redact = createRedactor(KEY);

const hex = (character: string, length = 2) => character.charCodeAt(0).toString(16).padStart(length, '0');

/** The forms in which a service may repeat a character of the key. */
const CHARACTER_FORMS: Array<(character: string) => string> = [
	(character) => character,
	(character) => `%${hex(character)}`,
	(character) => `%${hex(character).toUpperCase()}`,
	(character) => `%25${hex(character)}`,
	(character) => `%252525${hex(character)}`,
	(character) => `\\u${hex(character, 4)}`,
	(character) => `\\u${hex(character, 4).toUpperCase().replace('U', 'u')}`,
	(character) => `\\\\\\\\u${hex(character, 4)}`,
	(character) => (/[a-z\d]/i.test(character) ? character : `\\${character}`),
	(character) => `&#${character.charCodeAt(0)};`,
	(character) => `&#x${hex(character)};`,
	(character) => `&#X${hex(character)};`,
	(character) => `&#000${character.charCodeAt(0)};`,
];
const MARKUP = ['', '', '', '<b>', '</b><br/>', '<a href="x">', '\\u003cb\\u003e', `<${'a'.repeat(300)}>`];

const OMITTED = '[text with the API key]';

/** Keys in which every character may have its own form and markup behind it. */
const writtenKey = fc
	.array(
		fc.record({
			character: fc.constantFrom(...'abcXYZ0189_-+/.~='),
			form: fc.constantFrom(...CHARACTER_FORMS),
			markup: fc.constantFrom(...MARKUP),
		}),
		{ minLength: 8, maxLength: 40 },
	)
	.map((parts) => ({
		key: parts.map(({ character }) => character).join(''),
		written: parts
			.map(({ character, form, markup }, i) => form(character) + (i < parts.length - 1 ? markup : ''))
			.join(''),
	}));

const FORMS: Array<[string, string]> = [
	['plain', KEY],
	['in upper case', KEY.toUpperCase()],
	['in lower case', KEY.toLowerCase()],
	['percent-encoded', encodeURIComponent(KEY)],
	['percent-encoded twice', encodeURIComponent(encodeURIComponent(KEY))],
	['JSON-escaped', JSON.stringify(KEY).slice(1, -1)],
	['JSON-escaped twice', JSON.stringify(JSON.stringify(KEY)).slice(3, -3)],
	['with a tag inside', `${KEY.slice(0, 5)}<a href="x">${KEY.slice(5)}`],
	['with a JSON-escaped tag inside', `${KEY.slice(0, 5)}\\u003cb\\u003e${KEY.slice(5)}`],
];

describe('createRedactor', () => {
	test('removes any key in any mixture of forms', () => {
		fc.assert(
			fc.property(writtenKey, ({ key, written }) => {
				expect(createRedactor(key)(`before ${written} after`)).toMatch(
					/^(?:before \[API key\] after|\[text with the API key\])$/,
				);
			}),
			{ numRuns: 200 },
		);
	});

	test.each(FORMS)('removes the key %s, also from a long text and twice', (_, form) => {
		const long = 'x'.repeat(100_000);
		expect([`${long} [API key] and [API key] ${long}`, OMITTED]).toContain(
			redact(`${long} ${form} and ${form} ${long}`),
		);
	});

	test.each(['SecretKey12', 'secretkey12', 'SECRETKEY12'])(
		'removes a key of letters and digits as %s',
		(text) => {
			expect(createRedactor('SecretKey12')(text)).toBe('[API key]');
		},
	);

	test('removes any key in base64 with anything before and behind it', () => {
		const anyKey = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-+/.~'), minLength: 13, maxLength: 60 });
		const bytes = fc.uint8Array({ maxLength: 7 });
		fc.assert(
			fc.property(anyKey, bytes, bytes, (key, before, behind) => {
				for (const encoding of ['base64', 'base64url'] as const) {
					const text = Buffer.concat([before, Buffer.from(key), behind]).toString(encoding);
					const redacted = createRedactor(key)(text);
					expect(redacted).toContain('[API key]');
					// At its ends, up to two bytes of the key share characters with what stands before and behind it.
					expect(text.length - redacted.replace('[API key]', '').length).toBeGreaterThanOrEqual(
						Math.floor((key.length - 2) / 3) * 4,
					);
				}
			}),
		);
	});

	test.each(['', 'pk_live', '%41\\u0041&amp;<b>', KEY.slice(1), KEY.slice(0, -2)])(
		'leaves %j as it is',
		(text) => {
			expect(redact(text)).toBe(text);
		},
	);

	test('leaves texts alone if the key has less than 8 characters', () => {
		expect(createRedactor('1234567')('{"data":1234567}')).toBe('{"data":1234567}');
		expect(createRedactor('12345678')('{"data":12345678}')).toBe('{"data":[API key]}');
		expect(createRedactor('')('text')).toBe('text');
		// The base64 of a short key could be part of any text.
		expect(createRedactor('12345678')(Buffer.from('a1234567').toString('base64'))).toBe('YTEyMzQ1Njc=');
	});
});

describe('toPlainText', () => {
	test.each([
		['with a comment inside', `${KEY.slice(0, 5)}<!-- x -->${KEY.slice(5)}`],
		['with an invisible character inside', `${KEY.slice(0, 5)}\u200b${KEY.slice(5)}`],
		...FORMS,
	])('removes the key %s', (_, form) => {
		expect(['key [API key] refused', OMITTED]).toContain(toPlainText(`key ${form} refused`, redact, 300));
	});

	test('leaves no half of a key at the end of the part that it reads', () => {
		for (let before = 65_500; before < 65_560; before++) {
			expect(toPlainText(' '.repeat(before) + KEY, redact, 300)).not.toContain('pk_live');
			const markup = '<b>'.repeat(21_840) + ' '.repeat(before - 65_500);
			expect(toPlainText(markup + KEY, redact, 300)).not.toContain('pk_live');
		}
	});

	test.each([
		[' a\r\n\tb\u0000c ', 300, 'a b c'],
		['a<br>b</p>c<!-- d -->e<?xml?>f < g > h', 300, 'abcef < g > h'],
		['x'.repeat(10), 10, 'x'.repeat(10)],
		['x'.repeat(11), 10, `${'x'.repeat(9)}…`],
		['😀'.repeat(300), 10, '😀😀😀😀…'],
		['😀'.repeat(300), 11, '😀😀😀😀😀…'],
		['x'.repeat(32_768), 70_000, 'x'.repeat(32_768)],
		['x'.repeat(32_769), 70_000, 'x'.repeat(16_384)],
	])('returns one line of whole characters without markup (%#)', (text, maxLength, expected) => {
		expect(toPlainText(text, redact, maxLength)).toBe(expected);
	});
});
