import fc from 'fast-check';
import {
	createRedactor,
	redactAndTruncate,
	Redactor,
	sanitizeServiceText,
} from '../../../nodes/Prospector/messages/redact';

const KEY = 'pk_live/S3cr+et.key-"1\\&';
const redact = createRedactor(KEY);
const OMITTED = '[text with the API key]';

const FORMS = [
	['plain', KEY],
	['percent-encoded', encodeURIComponent(KEY)],
	['JSON-escaped', JSON.stringify(KEY).slice(1, -1)],
	['base64', Buffer.from(KEY).toString('base64')],
	['base64url', Buffer.from(KEY).toString('base64url')],
] as const;

test.each(FORMS)('the redactor replaces an API key in the form %s and keeps the other text', (_, form) => {
	const long = 'x'.repeat(100_000);
	expect(redact(`${long} ${form} and ${form} ${long}`)).toBe(`${long} [API key] and [API key] ${long}`);
});

const escaped = (code: (hex: string) => string) =>
	[...KEY].map((char) => (/\w/.test(char) ? char : code(char.charCodeAt(0).toString(16)))).join('');

test.each([
	escaped((hex) => `%${hex}`),
	escaped((hex) => `\\u00${hex}`),
	escaped((hex) => `\\u00${hex.toUpperCase()}`),
	JSON.stringify(KEY).replaceAll('/', '\\/'),
])('the redactor omits a text with an API key that is escaped in another way: %s', (form) => {
	expect(redact(`a ${form} b`)).toBe(OMITTED);
});

const INVISIBLE = [
	...[' ', '\r\n\t', '\u0000', '\u00a0', '\u00ad'],
	...['\u0301', '\u200b', '\u202e', '\ufe0f', '\ud83d', '\\n', '\\r\\t'],
];

test.each(FORMS)(
	'the redactor omits a text with white space or invisible characters in the API key (%s)',
	(_, form) => {
		for (const inside of INVISIBLE) {
			for (let at = 1; at < form.length; at++)
				expect(redact(`a ${form.slice(0, at)}${inside}${form.slice(at)} b`)).toBe(OMITTED);
			expect(redact([...form].join(inside))).toBe(OMITTED);
		}
	},
);

test('the redactor replaces an API key in a base64 text even if other bytes surround the API key', () => {
	const anyKey = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-+/.~?'), minLength: 13, maxLength: 60 });
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
	const redactor = new Redactor();
	['first_key', 'second_key', 'first_key'].forEach((key) => redactor.addApiKey(key));
	expect(redactor.redact('first_key second_key third_key')).toBe('[API key] [API key] third_key');
	expect(new Redactor().redact('first_key')).toBe('first_key');
});

test('a text shows no part of the API key even if the text is cut in the middle of the API key', () => {
	for (const length of [32 * 1024, 64 * 1024]) {
		for (let before = length - 30; before < length + 20; before++) {
			expect(redactAndTruncate(' '.repeat(before) + KEY, redact, 300)).not.toContain('pk_live');
			const markup = '<b>'.repeat(length / 3 - 30).padEnd(before);
			expect(sanitizeServiceText(markup + KEY, redact)).not.toContain('pk_live');
		}
	}
});

test.each([
	[' a\r\n\tb\u0000c ', 'a b c'],
	['a<br>b</p>c<!-- d -->e<?xml?>f < g > h', 'abcef < g > h'],
	[`a ${KEY.slice(0, 9)}<a href="x">\u200b${KEY.slice(9)}</a> b`, 'a [API key] b'],
	['x'.repeat(300), 'x'.repeat(300)],
	['x'.repeat(301), `${'x'.repeat(299)}…`],
	['😀'.repeat(300), `${'😀'.repeat(149)}…`],
])(
	'sanitizeServiceText removes line breaks, markup and then the API key, and cuts a text after 300 characters, never inside an emoji (case %#)',
	(text, expected) => expect(sanitizeServiceText(text, redact)).toBe(expected),
);
