import type { IDataObject } from 'n8n-workflow';
import { body } from '../../../../nodes/Prospector/parameters/body';
import { executeNode, expectError, readParameter, rowsOf } from '../../helpers/support';

const read = (parameters: Record<string, unknown>, input?: IDataObject) =>
	readParameter(body, parameters, input);
const below = (value: unknown) => ({ mappingMode: 'defineBelow', value });
const json = (jsonBody: unknown) => ({ enterValues: 'json', jsonBody });
const added = (name: string, value: unknown, type?: string) => ({
	otherFields: { field: [{ name, value, type }] },
});
const PROTO = '{"__proto__":{"p":1}}';
const PROTOTYPE = '{"prototype":{"p":1}}';
const AUTO = { mappingMode: 'autoMapInputData', value: null };

describe('the body', () => {
	test.each<[string, Record<string, unknown>, object]>([
		['the JSON', { ...json('{"a":1}'), fields: below({ a: 2 }), ...added('b', 3) }, { a: 1 }],
		['no field of an empty JSON object', { enterValues: 'json' }, {}],
		['the fields', { enterValues: 'fields', jsonBody: '{"a":1}', fields: below({ a: 2 }) }, { a: 2 }],
		['the fields by default', { fields: below({ a: 2 }) }, { a: 2 }],
		['the item', { fields: AUTO }, { from: 'item' }],
		['no field by default', {}, {}],
		['the fields and the other fields', { fields: below({ a: 2 }), ...added('b', 3) }, { a: 2, b: 3 }],
		['the item and the other fields', { fields: AUTO, ...added('b', 3) }, { from: 'item', b: 3 }],
		['another field in place of a field', { fields: below({ a: 2 }), ...added('a', 3) }, { a: 3 }],
		[
			'a field in place of another field without a value',
			{ fields: below({ a: 2 }), ...added('a', undefined) },
			{ a: 2 },
		],
		['another field in place of the item’s', { fields: AUTO, ...added('from', 'x') }, { from: 'x' }],
	])('consists of %s', (_, parameters, expected) => {
		expect(read(parameters, { from: 'item' })).toEqual(expected);
	});

	test.each<[string, Record<string, unknown>, string]>([
		['a field __proto__ in JSON', json(PROTO), PROTO],
		['a field __proto__', { fields: below(JSON.parse(PROTO)) }, PROTO],
		['a field __proto__ of the item', { fields: AUTO }, PROTO],
		['another field __proto__', added('__proto__', { p: 1 }), PROTO],
		['a field constructor', json(`{"constructor":${PROTOTYPE}}`), `{"constructor":${PROTOTYPE}}`],
		['no methods', json({ name: 'a', toString: () => 'x' }), '{"name":"a"}'],
		['half a character', json({ name: '\ud83d' }), '{"name":"\\ud83d"}'],
		['control characters', json({ name: 'a\r\n\u0000' }), '{"name":"a\\r\\n\\u0000"}'],
		['a BigInt, which n8n makes text', json({ size: 10n }), '{"size":"10"}'],
	])('is sent with %s', async (_, fields, expected) => {
		const { bodies, headers } = await executeNode({
			operation: 'workflow.update',
			parameters: { workflowId: 'wf_1', ...fields },
			input: [JSON.parse(PROTO) as IDataObject],
		});
		expect([bodies, headers]).toEqual([[expected], [{ 'Content-Type': 'application/json' }]]);
		expect(({} as IDataObject).p).toBeUndefined();
	});
});

describe('Fields', () => {
	test.each<[string, unknown, object]>([
		['empty text, zero and false', below({ a: '', b: 0, c: false }), { a: '', b: 0, c: false }],
		['no field that is null or undefined', below({ a: null, b: undefined }), {}],
		['nested nulls', below({ filter: { country: null } }), { filter: { country: null } }],
		['no field without a value', below(null), {}],
		['no field without values', { mappingMode: 'defineBelow' }, {}],
		['the values without a mode', { value: { name: 'a' } }, { name: 'a' }],
		['the values with an unknown mode', { mappingMode: '__proto__', value: { a: 1 } }, { a: 1 }],
		['a field that is called value', { value: 'a' }, { value: 'a' }],
		['the values of an agent', { name: 'a', note: null }, { name: 'a' }],
		['JSON text', '```json\n{"name":"a"}\n```', { name: 'a' }],
		['JSON text in the mapper', below('{"name":"a"}'), { name: 'a' }],
		...[[null], [5, 'a'], {}, 'a', null].map((schema): [string, unknown, object] => [
			`text as it is with the schema ${JSON.stringify(schema)}`,
			{ ...below({ size: '1' }), schema },
			{ size: '1' },
		]),
	])('return %s', (_, fields, expected) => {
		expect(read({ fields })).toEqual(expected);
	});

	test.each<[unknown, string]>([
		['name', 'is not valid JSON'],
		['', 'is not valid JSON'],
		[null, 'is nothing instead of an object'],
		[[{ name: 'a' }], 'is a list instead of an object'],
		[5, 'is a number instead of an object'],
		[below(['a']), 'is a list instead of an object'],
		[below(5), 'is a number instead of an object'],
	])('reject %j', async (fields, message) => {
		expect((await expectError(() => read({ fields }))).message).toBe(`'Fields' ${message}`);
	});

	test('return every field of the item that is set, except those that only the service or this node sets', () => {
		const item = { name: '', status: null, count: 0, nested: { id: 'kept' }, Id: 'kept', none: undefined };
		const omitted = [
			...['id', 'object', 'created_at', 'updated_at', 'request_id', 'idempotency_key', 'deleted'],
			...['error_details', 'next_cursor', 'previous_status', 'run_id', 'run_request_id', 'run_status'],
		];
		const input = { ...item, ...Object.fromEntries(omitted.map((name) => [name, 'x'])) };
		expect(read({ fields: AUTO }, input)).toEqual({ name: '', count: 0, nested: { id: 'kept' }, Id: 'kept' });
	});
});

const OR_JSON = "or set 'Enter Values' to Using JSON";
const ENTER = {
	number: `Enter a number, ${OR_JSON}`,
	boolean: `Enter one of them, ${OR_JSON}`,
	array: `Enter JSON such as ["a", "b"], ${OR_JSON}`,
	object: `Enter JSON such as { "a": 1 }, ${OR_JSON}`,
};

describe.each([
	[
		'Fields',
		(type: string, value: unknown) => ({ fields: { ...below({ x: value }), schema: [{ id: 'x', type }] } }),
	],
	['Other Fields', (type: string, value: unknown) => added('x', value, type)],
])('typed text in %s', (_, parametersFor) => {
	test.each([
		['number', '4', 4],
		['number', ' 0.5 ', 0.5],
		['boolean', 'true', true],
		['boolean', ' FALSE ', false],
		['object', '{"a":{"b":[]}}', { a: { b: [] } }],
		['array', '["x", 1]', ['x', 1]],
		['array', ['x'], ['x']],
		['object', { a: 1 }, { a: 1 }],
		['string', '4', '4'],
		['string', '', ''],
		['dateTime', '2026-01-01', '2026-01-01'],
	])('of the type %s is sent from %j as %j', (type, value, expected) => {
		expect(read(parametersFor(type, value))).toEqual({ x: expected });
	});

	test.each<[keyof typeof ENTER, string, string]>([
		['number', 'many', 'text instead of a number'],
		['number', '', 'text instead of a number'],
		['number', ' ', 'text instead of a number'],
		['number', 'Infinity', 'text instead of a number'],
		['boolean', 'yes', 'text instead of true or false'],
		['boolean', '', 'text instead of true or false'],
		['boolean', 'xtrue', 'text instead of true or false'],
		['boolean', 'truex', 'text instead of true or false'],
		['array', '{}', 'an object instead of a list'],
		['array', 'null', 'nothing instead of a list'],
		['object', '[1]', 'a list instead of an object'],
		['object', '"a"', 'text instead of an object'],
	])('of the type %s is rejected from %j', async (type, text, labels) => {
		expect(await expectError(() => read(parametersFor(type, text)))).toEqual({
			message: `'x' is ${labels}`,
			description: ENTER[type],
		});
	});

	test.each(['array', 'object'])('of the type %s is rejected if it is not JSON', async (type) => {
		expect((await expectError(() => read(parametersFor(type, '{')))).message).toBe("'x' is not valid JSON");
	});
});

describe('Other Fields', () => {
	test.each([undefined, 'automatic', 'unknown', '__proto__'])(
		'of the type %s are sent as they are',
		(type) => {
			for (const value of ['text', '007', '', 7, false, ['a'], { a: null }]) {
				expect(read(added('x', value, type))).toEqual({ x: value });
			}
		},
	);

	test.each<[string, unknown, unknown]>([
		['string', 7, '7'],
		['string', true, 'true'],
		['string', 10n, '10'],
		['number', 7, 7],
		['boolean', false, false],
		['null', undefined, null],
		['null', 'left over', null],
	])('of the type %s are sent from %p as %p', (type, value, expected) => {
		expect(read(added('x', value, type))).toEqual({ x: expected });
	});

	test.each(['automatic', 'string', 'number', 'boolean', 'array', 'object'])(
		'of the type %s are left out when an expression gives nothing',
		(type) => {
			for (const value of [undefined, null, NaN]) expect(read(added('x', value, type))).toEqual({});
		},
	);

	test.each<[string, unknown, string]>([
		['string', ['a'], 'text'],
		['string', { a: 1 }, 'text'],
		['string', () => 1, 'text'],
		['string', Symbol('a'), 'text'],
		['number', true, 'a number'],
		['number', 10n, 'a number'],
		['number', ['1'], 'a number'],
		['boolean', 1, 'true or false'],
		['boolean', {}, 'true or false'],
		['array', { a: 1 }, 'a list'],
		['array', 5, 'a list'],
		['object', ['a'], 'an object'],
		['object', 5, 'an object'],
	])('of the type %s reject %p', async (type, value, expected) => {
		expect(await expectError(() => read(added('x', value, type)))).toEqual({
			message: `'x' in 'Other Fields' is not ${expected}`,
			description: "Change the value or its 'Type'",
		});
	});

	test.each<[unknown, object]>([
		...rowsOf([{}, [], '{}', '[]', '', null, undefined, { field: [] }, { field: undefined }], {}),
		[{ field: { name: ' a ', value: 1 } }, { a: 1 }],
		[[{ name: 'a', value: 1 }], { a: 1 }],
		['[{"name":"a","value":1},{"name":"id","value":2}]', { a: 1, id: 2 }],
		['{"field":[{"name":"a","value":1}]}', { a: 1 }],
		['```json\n[{"name":"a","type":"number","value":"1"}]\n```', { a: 1 }],
	])('%j are read as %j', (otherFields, expected) => {
		expect(read({ otherFields })).toEqual(expected);
	});

	const EACH = 'Enter a name and a value for each, e.g. [{ "name": "industry", "value": "Freight" }]';
	const NAME = 'Enter its name, or remove the entry';
	test.each<[unknown, string, string]>([
		[[{ name: ' ', value: 'a' }], "An entry in 'Other Fields' has no name", NAME],
		[[{ name: 5, value: 'a' }], "An entry in 'Other Fields' has no name", NAME],
		[{ field: [{ value: 'a' }] }, "An entry in 'Other Fields' has no name", NAME],
		['["a"]', "An entry in 'Other Fields' has no name", NAME],
		[[{ name: 'a' }, { name: 'a ' }], "'a' is in 'Other Fields' twice", 'Remove one of them'],
		[{ industry: 1 }, "'Other Fields' got 'industry' instead of a list", EACH],
		['5', "'Other Fields' is a number instead of an object", EACH],
		[' ', "'Other Fields' is text instead of an object", EACH],
		[true, "'Other Fields' is a boolean instead of an object", EACH],
		[
			'a=1',
			"'Other Fields' is not valid JSON",
			'Check quotation marks, commas and brackets. To send no values, enter {}',
		],
	])('reject %j', async (otherFields, message, description) => {
		expect(await expectError(() => read({ otherFields }))).toEqual({ message, description });
	});
});

describe('values that are not JSON', () => {
	const nestedText = '{"id":'.repeat(20_000) + '1' + '}'.repeat(20_000);
	const circular: IDataObject = { name: 'a' };
	circular.self = circular;
	const toJSON = () => {
		throw new TypeError('no');
	};

	test.each<[string, IDataObject, string, string]>([
		[
			'are nested 20,000 levels deep',
			JSON.parse(nestedText) as IDataObject,
			'is nested too deeply',
			'Leave out the inner levels, or enter them as text',
		],
		[
			'contain themselves',
			circular,
			"can't be sent as JSON, because it contains itself",
			'Leave out the reference to the object itself',
		],
		[
			'hold something that throws',
			{ when: { toJSON } as never },
			"can't be sent as JSON",
			'Use only text, numbers, true, false, null, and lists and objects of these',
		],
	])('are rejected if they %s', async (_, value, message, description) => {
		for (const [label, parameters, input] of [
			['JSON', json(value), {}],
			['Fields', { fields: below(value) }, {}],
			['Fields', { fields: AUTO }, { value }],
			['Other Fields', added('filter', value), {}],
		] as const) {
			expect(await expectError(() => read(parameters, input))).toEqual({
				message: `'${label}' ${message}`,
				description,
			});
		}
	});

	test('are rejected if their text is nested 20,000 levels deep', async () => {
		for (const [label, parameters] of [
			['JSON', json(nestedText)],
			['Fields', { fields: nestedText }],
			['Other Fields', added('filter', nestedText, 'object')],
		] as const) {
			const { message } = await expectError(() => read(parameters));
			expect(message).toBe(`'${label}' is nested too deeply`);
		}
	});

	test('are sent unchanged up to 1,000 levels', () => {
		const text = '{"a":'.repeat(1000) + '1' + '}'.repeat(1000);
		expect(JSON.stringify(read(json(text)))).toBe(text);
	});
});
