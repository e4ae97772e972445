import fc from 'fast-check';
import {
	createRedactor,
	redactAndTruncate,
	redactorFor,
	registerApiKey,
	sanitizeServiceText,
} from '../../../nodes/Prospector/messages/redact';

const KEY = 'pk_live/S3cr+et.key-"1\\&';
const redact = createRedactor(KEY);
const OMITTED = '[text with the API key]';

const hex = (character: string, length = 2) => character.charCodeAt(0).toString(16).padStart(length, '0');

/** The forms in which a service may repeat a character of the key. */
const CHARACTER_FORMS: Array<(character: string) => string> = [
	(character) => character,
	(character) => `%${hex(character)}`,
	(character) => `%${hex(character).toUpperCase()}`,
	(character) => `%2525${hex(character)}`,
	(character) => `\\u${hex(character, 4)}`,
	(character) => `\\\\u${hex(character, 4)}`,
	(character) => `\\x${hex(character)}`,
	(character) => (/[a-z\d]/i.test(character) ? character : `\\${character}`),
	(character) => `&#000${character.charCodeAt(0)};`,
	(character) => `&#X${hex(character)};`,
	(character) => `&amp;#${character.charCodeAt(0)};`,
];
const MARKUP = ['', '', '', '<b>', '</b><br/>', '<a href="x">', '\\u003cb\\u003e', '\u200b', '<!-- x -->'];

test('the redactor removes an API key even if each character is encoded differently and followed by markup', () => {
	const part = fc.record({
		character: fc.constantFrom(...'abcXYZ0189_-+/.~='),
		form: fc.constantFrom(...CHARACTER_FORMS),
		markup: fc.constantFrom(...MARKUP),
	});
	fc.assert(
		fc.property(fc.array(part, { minLength: 8, maxLength: 40, size: 'max' }), (parts) => {
			const key = parts.map(({ character }) => character).join('');
			const written = parts.map(({ character, form, markup }) => form(character) + markup).join('');
			const text = createRedactor(key)(`before ${written} after`);
			if (text !== OMITTED) expect(text).toMatch(/^before \[API key\].* after$/);
		}),
		{ numRuns: 300 },
	);
});

test.each([
	['plain', KEY],
	['percent-encoded', encodeURIComponent(KEY)],
	['JSON-escaped', JSON.stringify(KEY).slice(1, -1)],
	['with HTML entities', KEY.replace('&', '&amp;').replace('"', '&quot;')],
])('the redactor replaces an API key of the form "%s" and keeps the rest of the text', (_, form) => {
	const long = 'x'.repeat(100_000);
	expect(redact(`${long} ${form} and ${form} ${long}`)).toBe(`${long} [API key] and [API key] ${long}`);
});

test('the redactor replaces an API key in plain text, HTML and base64 if the key has special characters', () => {
	const key = `pk_live<???>'1234`;
	const inHtml = 'pk_live&lt;???&gt;&#39;1234';
	const inBase64 = Buffer.from(key);
	const text = [
		key,
		inHtml,
		inBase64.toString('base64url').slice(0, -2),
		inBase64.toString('base64').slice(0, -4),
	];
	expect(createRedactor(key)(`a ${text.join(' b ')} &#xffffff;`)).toMatch(
		/^a \[API key\] b \[API key\] b \[API key\]\S? b \[API key\]\S? &#xffffff;$/,
	);
});

test.each([KEY.toUpperCase(), KEY.toLowerCase()])(
	'the redactor omits the whole text if the text contains the API key in another letter case, as in %s',
	(form) => expect(redact(`a ${form}`)).toBe(OMITTED),
);

test('the redactor replaces an API key in a base64 text even if other bytes surround the API key', () => {
	const anyKey = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-+/.~'), minLength: 13, maxLength: 60 });
	const bytes = fc.uint8Array({ maxLength: 7 });
	fc.assert(
		fc.property(anyKey, bytes, bytes, (key, before, behind) => {
			for (const encoding of ['base64', 'base64url'] as const) {
				const text = Buffer.concat([before, Buffer.from(key), behind]).toString(encoding);
				const redacted = createRedactor(key)(text);
				expect(redacted).toContain('[API key]');
				// At its ends, up to two bytes of the key share characters with what stands before and behind it.
				const removed = text.length - redacted.replace('[API key]', '').length;
				expect(removed).toBeGreaterThanOrEqual(Math.floor((key.length - 2) / 3) * 4);
			}
		}),
	);
});

test.each([
	['a part of the API key', KEY.slice(1)],
	['encoded characters that are not from the API key', '100%25 caf\\u00e9 &amp; <b> a\\"b'],
	['an ordinary sentence', 'The name is too long (at most 5 < 6).'],
])('the redactor leaves a text unchanged if the text contains only %s', (_, text) =>
	expect(redact(text)).toBe(text),
);

test('the redactor leaves a text unchanged if the API key has fewer than 8 characters', () => {
	expect(createRedactor('1234567')('{"data":1234567}')).toBe('{"data":1234567}');
	expect(createRedactor('12345678')('{"data":12345678}')).toBe('{"data":[API key]}');
	// The base64 of a short key could be part of any text.
	expect(createRedactor('12345678')(Buffer.from('a1234567').toString('base64'))).toBe('YTEyMzQ1Njc=');
});

test('the redactor replaces every API key if an execution uses several API keys', () => {
	const context = {};
	['first_key', 'second_key', 'first_key'].forEach((key) => registerApiKey(context, key));
	expect(redactorFor(context)('first_key second_key third_key')).toBe('[API key] [API key] third_key');
	expect(redactorFor({})('first_key')).toBe('first_key');
});

test('a text shows no part of the API key even if the text is cut in the middle of the API key', () => {
	for (let before = 32_740; before < 32_790; before++) {
		expect(redactAndTruncate(' '.repeat(before) + KEY, redact, 300)).not.toContain('pk_live');
		const markup = '<b>'.repeat(10_900) + ' '.repeat(before - 32_700);
		expect(sanitizeServiceText(markup + KEY, redact)).not.toContain('pk_live');
	}
});

test.each([
	[' a\r\n\tb\u0000c ', 'a b c'],
	['a<br>b</p>c<!-- d -->e<?xml?>f < g > h', 'abcef < g > h'],
	['x'.repeat(300), 'x'.repeat(300)],
	['x'.repeat(301), `${'x'.repeat(299)}…`],
	['😀'.repeat(300), `${'😀'.repeat(149)}…`],
])(
	'sanitizeServiceText removes line breaks and markup, and cuts a text after 300 characters, never inside an emoji (case %#)',
	(text, expected) => expect(sanitizeServiceText(text, redact)).toBe(expected),
);
