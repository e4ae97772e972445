import type { IDataObject } from 'n8n-workflow';
import { body } from '../../../nodes/Prospector/parameters/body';
import { typeLabel } from '../../../nodes/Prospector/messages/userMessage';
import { AS_TOOL, executeNode, expectError, readParameter, rowsOf } from '../helpers/support';

/** Returns the body as it is sent. */
const read = async (parameters: object, input?: IDataObject) =>
	JSON.parse(await readParameter(body, parameters, input)) as IDataObject;
const below = (value: unknown) => ({ mappingMode: 'defineBelow', value });
const asJson = (jsonBody: unknown) => ({ enterValues: 'json', jsonBody });
const added = (name: string, value: unknown, type?: string) => ({
	otherFields: { field: [{ name, value, type }] },
});
const CIRCULAR: IDataObject = { name: 'a' };
CIRCULAR.self = CIRCULAR;
const NESTED_TEXT = '{"id":'.repeat(20_000) + '1' + '}'.repeat(20_000);
const PROTO = JSON.parse('{"__proto__":1}') as IDataObject;
const AUTO = { mappingMode: 'autoMapInputData', value: null };

const FIELDS = { fields: below({ a: 2 }), ...added('b', 3) };

test.each<[unknown, object]>([
	[{ ...asJson('{"a":1}'), ...FIELDS }, { a: 1 }],
	[{ enterValues: 'json' }, {}],
	...rowsOf<object>([{ jsonBody: '{"a":1}', ...FIELDS }], { a: 2, b: 3 }),
	...rowsOf<object>([{ enterValues: 'fields', fields: AUTO, ...added('b', 3) }], { from: 'item', b: 3 }),
	[{ fields: below({ a: 2 }), ...added('a', 3) }, { a: 3 }],
	[{ fields: below({ a: 2 }), ...added('a', undefined) }, { a: 2 }],
	...rowsOf<object>([asJson('{"__proto__":1}'), { fields: below(PROTO) }, added('__proto__', 1)], PROTO),
])('the node turns the parameters %j into the request body %j', async (parameters, expected) => {
	expect(await read(parameters as object, { from: 'item' })).toEqual(expected);
});

test('the request body has the escaped characters of a text, but no function', async () => {
	const json = await readParameter(body, asJson({ name: 'a\r\n\u0000\ud83d', toString: () => 'x' }));
	expect(json).toBe('{"name":"a\\r\\n\\u0000\\ud83d"}');
	const ofText = await readParameter(body, asJson('{"name":"\ud83d"}'));
	expect(ofText).toBe('{"name":"\\ud83d"}');
});

test.each<[unknown, object]>([
	[below({ b: 0, c: false }), { b: 0, c: false }],
	[
		below({ a: null, b: undefined, blank: '', spaces: ' \u00a0', filter: { country: null } }),
		{ filter: { country: null } },
	],
	...rowsOf<object>([below(null), { mappingMode: 'defineBelow' }], {}),
	[{ value: { name: 'a' } }, { name: 'a' }],
	[{ name: 'a', note: null }, { name: 'a' }],
	[{ value: 'a' }, { value: 'a' }],
	[{ ...below({ size: 1 }), schema: [{ id: 'size', type: 'string' }] }, { size: 1 }],
	[{ ...below({ size: '1' }), schema: [{ id: 'size', type: 'number' }] }, { size: 1 }],
	...rowsOf<object>(
		[[null], {}].map((schema) => ({ ...below({ size: '1' }), schema })),
		{ size: '1' },
	),
])("the node turns the value %j of 'Fields' into the request body %j", async (fields, expected) => {
	expect(await read({ fields })).toEqual(expected);
});

test.each<[unknown, string]>([
	...rowsOf(['{"name":"a"}', below('{"name":"a"}'), ''], 'is text instead of an object'),
	[null, 'is nothing instead of an object'],
	...rowsOf([[{ name: 'a' }], below(['a'])], 'is a list instead of an object'),
	...rowsOf([5, below(5)], 'is a number instead of an object'),
])("the node rejects the value %j of 'Fields' because the value %s", async (fields, event) => {
	expect((await expectError(() => read({ fields }))).message).toBe(`'Fields' ${event}`);
});

test("automatic mapping omits the item's blank fields and the fields that the service or the node adds", async () => {
	const item = { name: '', status: null, count: 0, nested: { id: 'kept' }, Id: 'kept', none: undefined };
	const omitted = [
		...['id', 'object', 'created_at', 'updated_at', 'request_id', 'idempotency_key', 'deleted'],
		...['error_details', 'error_details_2', 'next_cursor', 'previous_status'],
		...['run_id', 'run_request_id', 'run_status', 'run_outcome', 'workflow_id', 'workflow_name'],
	];
	const input = { ...item, ...Object.fromEntries(omitted.map((name) => [name, 'x'])) };
	expect(await read({ fields: AUTO }, input)).toEqual({ count: 0, nested: { id: 'kept' }, Id: 'kept' });
	expect(await read({ fields: AUTO }, PROTO)).toEqual(PROTO);
});

test('the request body is refused if its fields have more than 1 MB together', async () => {
	const half = 'x'.repeat(512 * 1024);
	expect(await read({ fields: below({ a: half }), ...added('b', 3) })).toEqual({ a: half, b: 3 });
	const tooLarge = async () => await read({ fields: below({ a: half }), ...added('b', half) });
	expect((await expectError(tooLarge)).message).toBe("'Fields' is too large to be sent");
});

test('automatic mapping is refused for a tool, because n8n adds fields to its input', async () => {
	const given = { parameters: { fields: AUTO }, input: [{ name: 'a' }], rest: AS_TOOL };
	const { message, urls } = await executeNode({ operation: 'workflow.create', ...given });
	expect(message).toContain("A tool can't map 'Fields' automatically");
	expect(urls).toEqual([]);
});

test.each<[string | undefined, unknown, unknown]>([
	...[undefined, 'automatic', 'unknown', '__proto__'].flatMap((type) =>
		['007', 7, false, ['a'], { a: null }].map((x): [string | undefined, unknown, unknown] => [type, x, x]),
	),
	['number', '4', 4],
	['number', ' 0.5 ', 0.5],
	['boolean', 'true', true],
	['boolean', ' FALSE ', false],
	['object', '{"a":{"b":[]}}', { a: { b: [] } }],
	['object', { a: 1 }, { a: 1 }],
	['array', '["x", 1]', ['x', 1]],
	['array', ['x'], ['x']],
	['string', '4', '4'],
	['dateTime', '2026-01-01', '2026-01-01'],
	['string', 7, '7'],
	['string', true, 'true'],
	['number', 7, 7],
	['boolean', false, false],
	['null', undefined, null],
	['null', 'left over', null],
])("a field of the type %s in 'Other Fields' turns the value %j into %j", async (type, value, expected) => {
	expect(await read(added('x', value, type))).toEqual({ x: expected });
});

test.each<[string, string, string, unknown[]]>([
	['number', 'text instead of a number', 'Enter a number', ['many', '1,5']],
	['boolean', 'text instead of true or false', 'Enter one of them', ['yes', 'xtrue', 'truex']],
	['array', 'an object instead of a list', 'Enter JSON such as ["a", "b"]', ['{}']],
	['array', 'nothing instead of a list', 'Enter JSON such as ["a", "b"]', ['null']],
	['object', 'a list instead of an object', 'Enter JSON such as { "a": 1 }', ['[1]']],
	['object', 'text instead of an object', 'Enter JSON such as { "a": 1 }', ['"a"']],
])(
	"the node rejects a field of the type %s in 'Other Fields' if the value is %s",
	async (type, labels, advice, texts) => {
		for (const text of texts) {
			expect(await expectError(() => read(added('x', text, type)))).toEqual({
				message: `'x' is ${labels}`,
				description: `${advice}, or set 'Enter Values' to Using JSON`,
			});
		}
	},
);

test.each<[string, string, unknown[]]>([
	['string', 'text', [['a'], { a: 1 }]],
	['number', 'a number', [true, ['1']]],
	['boolean', 'true or false', [1, {}]],
	['array', 'a list', [{ a: 1 }, 5]],
	['object', 'an object', [['a'], 5]],
])(
	"the node rejects a field of the type %s in 'Other Fields' if the value is not %s",
	async (type, expected, values) => {
		for (const value of values) {
			expect(await expectError(() => read(added('x', value, type)))).toMatchObject({
				message: `'x' is ${typeLabel(value)} instead of ${expected}`,
			});
		}
	},
);

test.each<[string, object, IDataObject]>([
	["'JSON' is too large to be sent", asJson(CIRCULAR), {}],
	["'x' can't be sent as JSON", added('x', Symbol('a'), 'string'), {}],
	["'JSON' is too large to be sent", asJson(JSON.parse(NESTED_TEXT)), {}],
	["'JSON' is too large to be sent", asJson({ ['x'.repeat(1_100_000)]: 1 }), {}],
	["'x' has a number that n8n can't send without changing it", added('x', 2 ** 53, 'string'), {}],
	["'JSON' is too large to be sent", asJson(NESTED_TEXT), {}],
	["'self' is too large to be sent", { fields: below(CIRCULAR) }, {}],
	["'text' is too large to be sent", added('text', 'x'.repeat(1_100_000)), {}],
	["'filter' is too large to be sent", added('filter', NESTED_TEXT, 'object'), {}],
	["'filter' is too large to be sent", added('filter', `["${'x'.repeat(1_100_000)}"]`, 'array'), {}],
	...[new Map(), /a/, new Date(NaN), [undefined], [() => 1], [Symbol('a')], new Error('a')].map(
		(value): [string, object, IDataObject] => ["'x' can't be sent as JSON", asJson({ x: value }), {}],
	),
	["'at' can't be sent as JSON", asJson({ at: { toJSON: () => new Date(NaN).toISOString() } }), {}],
])('the message is "%s" if a value cannot be sent as JSON (case %#)', async (event, parameters, input) => {
	expect((await expectError(() => read(parameters, input))).message).toBe(event);
});
