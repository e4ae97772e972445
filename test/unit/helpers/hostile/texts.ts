import { API, refused, type HostileCase, type Outcome } from './attempt';

const NO_CURSOR = "'Start Cursor' is not a cursor";
const NO_KEY = "'Idempotency Key' is not text";
const ASCII = "'Idempotency Key' holds line breaks or characters outside ASCII";

const asked = (cursor: string): Outcome => ({
	message: undefined,
	urls: [`${API}/workflows`],
	queries: [{ cursor }],
});

const cursorTable: Array<[string, unknown, Outcome]> = [
	['a further parameter', 'c&limit=9999', asked('c&limit=9999')],
	['a line break', 'c\r\nX-Evil: 1', asked('c\r\nX-Evil: 1')],
	['a way up', '../../me', asked('../../me')],
	['__proto__', '__proto__', asked('__proto__')],
	['a web address', 'https://evil.example/', asked('https://evil.example/')],
	['a document', 'x'.repeat(10_000), refused(NO_CURSOR)],
	['an object', { $gt: '' }, refused(NO_CURSOR)],
	['a list', ['a', 'b'], refused(NO_CURSOR)],
	['a number', 5, refused(NO_CURSOR)],
	['a boolean', false, refused(NO_CURSOR)],
];

const sent = (key: string): Outcome => ({ message: undefined, headers: [{ 'Idempotency-Key': key }] });

const keyTable: Array<[string, unknown, Outcome]> = [
	['a further header', 'k\r\nAuthorization: Bearer x', refused(ASCII)],
	['a line feed', 'a\nb', refused(ASCII)],
	['a NUL', 'a\u0000', refused(ASCII)],
	['a tab', 'a\tb', refused(ASCII)],
	['an emoji', 'k😀', refused(ASCII)],
	['reversed writing direction', 'k\u202e', refused(ASCII)],
	['Latin-1', 'schlüssel', refused(ASCII)],
	['256 characters', 'k'.repeat(256), refused("'Idempotency Key' has 256 characters, which is too long")],
	['nothing but space', '   ', refused("'Idempotency Key' is empty")],
	['an object', { key: 'k' }, refused(NO_KEY)],
	['a list', ['k'], refused(NO_KEY)],
	['a boolean', true, refused(NO_KEY)],
	['a number that is not one', Number.NaN, refused(NO_KEY)],
	['__proto__', '__proto__', sent('__proto__')],
	['quotation marks', '"k"; x=\'1\'', sent('"k"; x=\'1\'')],
	['an expression', '{{ $env.HOME }}', sent('{{ $env.HOME }}')],
];

const EMPTY = "The credential has no 'API Key'";
const ODD =
	"'API Key' of the credential holds spaces, quotation marks, line breaks or characters that no key has";

const apiKeys: Array<[string, unknown, Outcome]> = [
	['a further header', 'pk_1\r\nX-Evil: 1', refused(ODD)],
	['a NUL', 'pk_1\u0000', refused(ODD)],
	['the word Bearer', 'Bearer pk_1', refused(ODD)],
	['an emoji', 'pk_😀', refused(ODD)],
	['an invisible space', 'pk_\u200b1', refused(ODD)],
	['a dash from a word processor', 'pk–1', refused(ODD)],
	['an object', { key: 'pk_1' }, refused(EMPTY)],
	['a list', ['pk_1'], refused(EMPTY)],
	['a number', 12345, refused(EMPTY)],
	['a boolean', true, refused(EMPTY)],
	['null', null, refused(EMPTY)],
	[
		'100 000 characters',
		'k'.repeat(100_000),
		refused("'API Key' of the credential has 100000 characters, which is too long for a key"),
	],
];

export const texts: HostileCase[] = [
	...cursorTable.map(([what, startCursor, expected]) => ({
		what: `a cursor with ${what}`,
		given: { operation: 'workflow.getAll', parameters: { options: { startCursor } } },
		expected,
	})),
	...keyTable.map(([what, idempotencyKey, expected]) => ({
		what: `an idempotency key with ${what}`,
		given: { operation: 'workflow.run', parameters: { workflowId: 'wf_1', options: { idempotencyKey } } },
		expected,
	})),
	...apiKeys.map(([what, apiKey, expected]) => ({
		what: `an API key with ${what}`,
		given: { operation: 'identity.get', credential: { apiKey } },
		expected,
	})),
];
