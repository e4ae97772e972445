import type { IDataObject } from 'n8n-workflow';
import { body } from '../../../nodes/Prospector/parameters/body';
import { typeLabel } from '../../../nodes/Prospector/messages/userMessage';
import { executeNode, expectError, readParameter, rowsOf } from '../helpers/support';

const read = (parameters: object, input?: IDataObject) => readParameter(body, parameters, input);
const below = (value: unknown) => ({ mappingMode: 'defineBelow', value });
const json = (jsonBody: unknown) => ({ enterValues: 'json', jsonBody });
const added = (name: string, value: unknown, type?: string) => ({
	otherFields: { field: [{ name, value, type }] },
});
const PROTO = '{"__proto__":{"p":1}}';
const AUTO = { mappingMode: 'autoMapInputData', value: null };

const FIELDS = { fields: below({ a: 2 }), ...added('b', 3) };

test.each<[unknown, object]>([
	[{ ...json('{"a":1}'), ...FIELDS }, { a: 1 }],
	[{ enterValues: 'json' }, {}],
	[{}, {}],
	...rowsOf<object>([{ jsonBody: '{"a":1}', ...FIELDS }], { a: 2, b: 3 }),
	...rowsOf<object>([{ enterValues: 'fields', fields: AUTO, ...added('b', 3) }], { from: 'item', b: 3 }),
	[{ fields: AUTO, ...added('from', 'x') }, { from: 'x' }],
	[{ fields: below({ a: 2 }), ...added('a', 3) }, { a: 3 }],
	[{ fields: below({ a: 2 }), ...added('a', undefined) }, { a: 2 }],
])('the node turns the parameters %j into the request body %j', (parameters, expected) => {
	expect(read(parameters as object, { from: 'item' })).toEqual(expected);
});

test.each<[object, string]>([
	[json(PROTO), PROTO],
	[{ fields: below(JSON.parse(PROTO)) }, PROTO],
	[{ fields: AUTO }, PROTO],
	[added('__proto__', { p: 1 }), PROTO],
	[json({ name: 'a\r\n\u0000\ud83d', toString: () => 'x' }), '{"name":"a\\r\\n\\u0000\\ud83d"}'],
])(
	'the node turns the parameters %j with unusual names or characters into the request body %s',
	async (fields, sent) => {
		const { bodies, headers } = await executeNode({
			operation: 'workflow.update',
			parameters: { workflowId: 'wf_1', ...fields },
			input: [JSON.parse(PROTO) as IDataObject],
		});
		expect([bodies, headers]).toEqual([[sent], [{ 'Content-Type': 'application/json' }]]);
		expect(({} as IDataObject).p).toBeUndefined();
	},
);

test.each<[unknown, object]>([
	[below({ a: '', b: 0, c: false }), { a: '', b: 0, c: false }],
	[below({ a: null, b: undefined, filter: { country: null } }), { filter: { country: null } }],
	...rowsOf<object>([below(null), { mappingMode: 'defineBelow' }], {}),
	...rowsOf<object>([{ value: { name: 'a' } }, { mappingMode: '__proto__', value: { name: 'a' } }], {
		name: 'a',
	}),
	...rowsOf<object>([{ name: 'a', note: null }, '{"name":"a"}', below('{"name":"a"}')], { name: 'a' }),
	[{ value: 'a' }, { value: 'a' }],
	[{ ...below({ size: 1 }), schema: [{ id: 'size', type: 'string' }] }, { size: 1 }],
	...rowsOf<object>(
		[[null], [5, 'a'], {}, 'a', null].map((schema) => ({ ...below({ size: '1' }), schema })),
		{ size: '1' },
	),
])("the node turns the value %j of 'Fields' into the request body %j", (fields, expected) => {
	expect(read({ fields })).toEqual(expected);
});

test.each<[unknown, string]>([
	...rowsOf(['name', ''], 'is not valid JSON'),
	[null, 'is nothing instead of an object'],
	...rowsOf([[{ name: 'a' }], below(['a'])], 'is a list instead of an object'),
	...rowsOf([5, below(5)], 'is a number instead of an object'),
])("the node rejects the value %j of 'Fields' because the value %s", async (fields, event) => {
	expect((await expectError(() => read({ fields }))).message).toBe(`'Fields' ${event}`);
});

test("automatic mapping omits the item's null fields and the fields that the service or the node adds", () => {
	const item = { name: '', status: null, count: 0, nested: { id: 'kept' }, Id: 'kept', none: undefined };
	const omitted = [
		...['id', 'object', 'created_at', 'updated_at', 'request_id', 'idempotency_key', 'deleted'],
		...['error_details', 'next_cursor', 'previous_status', 'run_id', 'run_request_id', 'run_status'],
	];
	const input = { ...item, ...Object.fromEntries(omitted.map((name) => [name, 'x'])) };
	expect(read({ fields: AUTO }, input)).toEqual({ name: '', count: 0, nested: { id: 'kept' }, Id: 'kept' });
});

describe.each<[string, (type: string, value: unknown) => object]>([
	['Fields', (type, value) => ({ fields: { ...below({ x: value }), schema: [{ id: 'x', type }] } })],
	['Other Fields', (type, value) => added('x', value, type)],
])('the values of %s', (place, parametersFor) => {
	test.each([
		['number', '4', 4],
		['number', ' 0.5 ', 0.5],
		['boolean', 'true', true],
		['boolean', ' FALSE ', false],
		['object', '{"a":{"b":[]}}', { a: { b: [] } }],
		['object', { a: 1 }, { a: 1 }],
		['array', '["x", 1]', ['x', 1]],
		['array', ['x'], ['x']],
		['string', '4', '4'],
		['string', '', ''],
		['dateTime', '2026-01-01', '2026-01-01'],
	])(`a field of the type %s in '${place}' turns the value %j into %j`, (type, value, expected) => {
		expect(read(parametersFor(type, value))).toEqual({ x: expected });
	});

	test.each<[string, string, string, unknown[]]>([
		['number', 'text instead of a number', 'Enter a number', ['many', '', ' ', 'Infinity']],
		['boolean', 'text instead of true or false', 'Enter one of them', ['yes', '', 'xtrue', 'truex']],
		['array', 'an object instead of a list', 'Enter JSON such as ["a", "b"]', ['{}']],
		['array', 'nothing instead of a list', 'Enter JSON such as ["a", "b"]', ['null']],
		['object', 'a list instead of an object', 'Enter JSON such as { "a": 1 }', ['[1]']],
		['object', 'text instead of an object', 'Enter JSON such as { "a": 1 }', ['"a"']],
	])(
		`the node rejects a field of the type %s in '${place}' if the value is %s`,
		async (type, labels, advice, texts) => {
			for (const text of texts) {
				expect(await expectError(() => read(parametersFor(type, text)))).toEqual({
					message: `'x' is ${labels}`,
					description: `${advice}, or set 'Enter Values' to Using JSON`,
				});
			}
		},
	);
});

test.each([undefined, 'automatic', 'unknown', '__proto__'])(
	"the node sends the values in 'Other Fields' unchanged if their type is %s",
	(type) => {
		const values = ['007', '', 7, false, ['a'], { a: null }];
		expect(values.map((value) => read(added('x', value, type)))).toEqual(values.map((x) => ({ x })));
	},
);

test.each<[string, unknown, unknown]>([
	['string', 7, '7'],
	['string', true, 'true'],
	['number', 7, 7],
	['boolean', false, false],
	['null', undefined, null],
	['null', 'left over', null],
])("a field of the type %s in 'Other Fields' turns the value %j into %j", (type, value, expected) => {
	expect(read(added('x', value, type))).toEqual({ x: expected });
});

test.each(['automatic', 'string', 'number', 'boolean', 'array', 'object'])(
	"the node omits a field of the type %s in 'Other Fields' if its value is undefined, null or NaN",
	(type) => {
		for (const value of [undefined, null, NaN]) expect(read(added('x', value, type))).toEqual({});
	},
);

test.each<[string, string, unknown[]]>([
	['string', 'text', [['a'], { a: 1 }, () => 1, Symbol('a')]],
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

test("the message names the node's field whose value cannot be sent as JSON", async () => {
	const circular: IDataObject = { name: 'a' };
	circular.self = circular;
	const nestedText = '{"id":'.repeat(20_000) + '1' + '}'.repeat(20_000);
	for (const [label, parameters, input] of [
		['JSON', json(circular), {}],
		['JSON', json(nestedText), {}],
		['Fields', { fields: below(circular) }, {}],
		['Fields', { fields: AUTO }, { value: circular }],
		['Other Fields', added('filter', circular), {}],
		['Other Fields', added('filter', nestedText, 'object'), {}],
	] as const) {
		const { message } = await expectError(() => read(parameters, input));
		expect(message).toBe(`'${label}' can't be sent as JSON`);
	}
});
