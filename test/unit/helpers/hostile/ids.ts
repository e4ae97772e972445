import { API, refused, type HostileCase } from './attempt';

const NOT_AN_ID = "'Workflow' holds something that is not an ID";
const ADDRESS = "'Workflow' got a web address instead of an ID";

/** Deleting is what must not hit something else. */
const given = (workflowId: unknown) => ({ operation: 'workflow.delete', parameters: { workflowId } });
const byId = (value: unknown) => given({ __rl: true, mode: 'id', value });

const refusedIds: Array<[string, unknown, string]> = [
	['the current folder', '.', NOT_AN_ID],
	['the parent folder', '..', NOT_AN_ID],
	['the parent folder with white space', '\t.. ', NOT_AN_ID],
	['a line break', 'wf_1\r\nX-Evil: 1', NOT_AN_ID],
	['a NUL', 'wf_1\u0000', NOT_AN_ID],
	['an escape sequence', '\u001b[31mwf_1', NOT_AN_ID],
	['a C1 control character', 'wf\u0085', NOT_AN_ID],
	['the first half of a character', 'wf_\ud83d', NOT_AN_ID],
	['the second half of a character', '\ude00wf', NOT_AN_ID],
	['halves in the wrong order', '\ude00\ud83d', NOT_AN_ID],
	['reversed writing direction', 'wf\u202e1_', NOT_AN_ID],
	['an invisible space', 'wf_\u200b1', NOT_AN_ID],
	['an object that became text', '[object Object]', "'Workflow' got an object instead of an ID"],
	['a web address', 'https://evil.example/wf_1', ADDRESS],
	['an FTP address', 'ftp://evil.example', ADDRESS],
	['a file address', 'FILE:///etc/hosts', ADDRESS],
	['a document', 'x'.repeat(100_000), "'Workflow' has 100000 characters, which is too long for an ID"],
	['nothing', '', "'Workflow' is empty"],
	['null', null, "'Workflow' is empty"],
	['white space of all kinds', '\u00a0\u2003\ufeff\n', "'Workflow' is empty"],
	['a whole item', { id: 'wf_1', status: 'active' }, "'Workflow' got an object instead of an ID"],
	['a way up in an object', { id: '..' }, NOT_AN_ID],
	['a way up in JSON text', '{"id":".."}', NOT_AN_ID],
	[
		'objects in objects',
		{ id: { id: { id: { id: { id: 'wf_1' } } } } },
		"'Workflow' got an object instead of an ID",
	],
	['an object that prints as an ID', { toString: () => 'wf_1' }, "'Workflow' got an object instead of an ID"],
	['a list', ['wf_1', '../runs'], "'Workflow' got a list instead of an ID"],
];

const encodedIds: Array<[string, unknown, string]> = [
	['a way up', '../../me', '..%2F..%2Fme'],
	['an encoded way up', '%2e%2e%2fme', '%252e%252e%252fme'],
	['an encoded parent folder', '%2e%2e', '%252e%252e'],
	['a way up with backslashes', '..\\..\\me', '..%5C..%5Cme'],
	['a leading slash', '/wf_1', '%2Fwf_1'],
	['the host of another', '//evil.example/wf_1', '%2F%2Fevil.example%2Fwf_1'],
	['a query', 'wf_1?admin=1', 'wf_1%3Fadmin%3D1'],
	['a fragment', 'wf_1#x', 'wf_1%23x'],
	['path parameters', 'wf_1;v=1', 'wf_1%3Bv%3D1'],
	['a user name', 'a@evil.example', 'a%40evil.example'],
	['a script', 'javascript:alert(1)', 'javascript%3Aalert(1)'],
	['markup', '<img src=x>', '%3Cimg%20src%3Dx%3E'],
	['a template', '{run_id}', '%7Brun_id%7D'],
	['an expression', '{{ $env.HOME }}', '%7B%7B%20%24env.HOME%20%7D%7D'],
	['a full-width parent folder', '．．／', '%EF%BC%8E%EF%BC%8E%EF%BC%8F'],
	['an emoji', '😀', '%F0%9F%98%80'],
	['__proto__', '__proto__', '__proto__'],
	['constructor', 'constructor', 'constructor'],
	['toString', 'toString', 'toString'],
	['a code of Node.js', 'ENOENT', 'ENOENT'],
	['three dots', '...', '...'],
	['a replacement pattern', "$&$'$`", "%24%26%24'%24%60"],
	['zero', 0, '0'],
	['512 characters that each take nine', '€'.repeat(512), '%E2%82%AC'.repeat(512)],
];

const notEvenALocator: Array<[string, unknown, string]> = [
	['a number that is not one', Number.NaN, "'Workflow' got a number instead of an ID"],
	['a boolean', true, "'Workflow' got a boolean instead of an ID"],
	['an object without an ID', { name: 'wf_1' }, "'Workflow' got an object instead of an ID"],
	['an object with two of them', { id: 'wf_1', value: 'wf_2' }, "'Workflow' got an object instead of an ID"],
	['text with a way up', '../me', ''],
];

export const ids: HostileCase[] = [
	...refusedIds.map(([what, value, message]) => ({
		what: `an id with ${what}`,
		given: byId(value),
		expected: refused(message),
	})),
	...encodedIds.map(([what, value, segment]) => ({
		what: `an id with ${what}`,
		given: byId(value),
		expected: { message: undefined, urls: [`${API}/workflows/${segment}`] },
	})),
	...notEvenALocator.map(([what, value, message]) => ({
		what: `${what} in place of a locator`,
		given: given(value),
		expected: message ? refused(message) : { message: undefined, urls: [`${API}/workflows/..%2Fme`] },
	})),
];
