import { refused, type HostileCase, type Outcome } from './attempt';

const deep = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const sent = (body: string): Outcome => ({
	message: undefined,
	bodies: [body],
	headers: [{ 'Content-Type': 'application/json' }],
});

const jsonTable: Array<[string, unknown, Outcome]> = [
	['a polluting __proto__', '{"__proto__":{"polluted":1}}', sent('{"__proto__":{"polluted":1}}')],
	[
		'a polluting constructor',
		'{"constructor":{"prototype":{"polluted":1}}}',
		sent('{"constructor":{"prototype":{"polluted":1}}}'),
	],
	['a method of its own', { name: 'a', toString: () => 'x' }, sent('{"name":"a"}')],
	['half a character', { name: '\ud83d' }, sent('{"name":"\\ud83d"}')],
	['a line break and a NUL', { name: 'a\r\n\u0000' }, sent('{"name":"a\\r\\n\\u0000"}')],
	['a thousand levels', deep(1000), sent(deep(1000))],
	['a key twice', '{"a":1,"a":2}', sent('{"a":2}')],
	['nothing in it', '{}', sent('{}')],
	['a list', '[{"name":"a"}]', refused("'JSON' holds a list where an object is expected")],
	['null', 'null', refused("'JSON' holds nothing where an object is expected")],
	['text', '"{}"', refused("'JSON' holds text where an object is expected")],
	['a number', '1e999', refused("'JSON' holds a number where an object is expected")],
	['a boolean', true, refused("'JSON' holds a boolean where an object is expected")],
	['a broken end', '{"name":"a"', refused("'JSON' is not valid JSON")],
	['a byte order mark', '\ufeff{}', refused("'JSON' is not valid JSON")],
	['markup', '<workflow/>', refused("'JSON' is not valid JSON")],
	['a script', 'process.exit()', refused("'JSON' is not valid JSON")],
	['an empty text', '', refused("'JSON' is not valid JSON")],
];

const below = (value: unknown) => ({ mappingMode: 'defineBelow', value });
const proto = JSON.parse('{"__proto__":{"polluted":1}}') as Record<string, never>;

const fieldTable: Array<[string, unknown, Outcome]> = [
	['a polluting __proto__', below(proto), sent('{"__proto__":{"polluted":1}}')],
	['a list of values', below(['a']), refused("'Fields' holds a list where an object is expected")],
	['a value that is a number', below(5), refused("'Fields' holds a number where an object is expected")],
	['text', 'name', refused("'Fields' is not valid JSON")],
	['an unknown mode', { mappingMode: '__proto__', value: { a: 1 } }, sent('{"a":1}')],
	['the item, which pollutes', { mappingMode: 'autoMapInputData' }, sent('{"__proto__":{"polluted":1}}')],
];

export const bodies: HostileCase[] = [
	...jsonTable.map(([what, jsonBody, expected]) => ({
		what: `a JSON body with ${what}`,
		given: {
			operation: 'workflow.update',
			parameters: { workflowId: 'wf_1', specifyBody: 'json', jsonBody },
		},
		expected,
	})),
	...fieldTable.map(([what, fields, expected]) => ({
		what: `mapped fields with ${what}`,
		given: { operation: 'workflow.update', parameters: { workflowId: 'wf_1', fields }, input: proto },
		expected,
	})),
];
