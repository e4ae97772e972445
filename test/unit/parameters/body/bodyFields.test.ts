import { readBody } from '../../../../nodes/Prospector/parameters/body/bodyFields';
import { checkJsonObject } from '../../../../nodes/Prospector/parameters/json';
import { mappedBody } from '../../../../nodes/Prospector/parameters/body/mappedBody';
import { fakeExecution, expectInvalid, expectError } from '../../helpers/support';

const below = (value: unknown) => ({ mappingMode: 'defineBelow', value });

describe('a JSON object', () => {
	test.each([
		['{}', {}],
		['{"name":"a"}', { name: 'a' }],
		[' {"a": [1, null]}\n', { a: [1, null] }],
		['```json\n{"name":"a"}\n```', { name: 'a' }],
		[' ```\n{}\n```\n', {}],
		[{ name: 'a' }, { name: 'a' }],
		[{}, {}],
	])('is read from %j', (value, expected) => expect(checkJsonObject(value)).toEqual({ value: expected }));

	test.each([
		['', 'is not valid JSON'],
		['{', 'is not valid JSON'],
		["{'name': 'a'}", 'is not valid JSON'],
		['{"a":1,}', 'is not valid JSON'],
		['name', 'is not valid JSON'],
		['[object Object]', 'is not valid JSON'],
		['[]', 'holds a list where'],
		['null', 'holds nothing where'],
		['"text"', 'holds text where'],
		['5', 'holds a number where'],
		[[{}], 'holds a list where'],
		[5, 'holds a number where'],
		[true, 'holds a boolean where'],
		[null, 'holds nothing where'],
		[undefined, 'holds nothing where'],
		[new Date(0), 'holds a date where'],
	])('is not read from %j, which %s', (value, words) => {
		const { message, description } = expectInvalid(checkJsonObject(value));
		expect(message).toContain(`'JSON' ${words}`);
		expect(description).toContain('{');
	});
});

describe('mapped fields', () => {
	const input = { name: 'from the item' };

	test.each([
		['what is set', below({ name: 'a', size: 0, on: false }), { name: 'a', size: 0, on: false }],
		['an empty text, which was set', below({ name: '' }), { name: '' }],
		['nothing for null, which the editor keeps for fields left empty', below({ name: null }), {}],
		['nothing for undefined', below({ name: undefined }), {}],
		['nested nulls', below({ filter: { country: null } }), { filter: { country: null } }],
		['nothing where no field is picked', below(null), {}],
		['nothing where the value is missing', { mappingMode: 'defineBelow' }, {}],
		['a value without a mode', { value: { name: 'a' } }, { name: 'a' }],
		['the values themselves, from an agent', { name: 'a', note: null }, { name: 'a' }],
		['values as JSON text', '{"name":"a"}', { name: 'a' }],
		['mapped values as JSON text', below('{"name":"a"}'), { name: 'a' }],
		['nothing at all', {}, {}],
	])('give %s', (_, mapper, expected) => {
		expect(mappedBody(mapper, input)).toEqual({ value: expected });
	});

	test.each([
		['text', 'name', "'Fields' is not valid JSON"],
		['null', null, "'Fields' holds nothing"],
		['a list', [{ name: 'a' }], "'Fields' holds a list"],
		['a value that is a list', below(['a']), "'Fields' holds a list"],
		['a value that is a number', below(5), "'Fields' holds a number"],
	])('refuse %s', (_, mapper, words) => {
		expect(expectInvalid(mappedBody(mapper, input)).message).toContain(words);
	});

	const typed = (type: string, value: unknown) => ({
		...below({ field: value }),
		schema: [{ id: 'field', type }],
	});
	test.each([
		['number', '4', 4],
		['number', ' 0.5 ', 0.5],
		['boolean', 'true', true],
		['boolean', ' FALSE ', false],
		['object', '{"a":1}', { a: 1 }],
		['array', '["x"]', ['x']],
		['string', '4', '4'],
		['array', ['x'], ['x']],
		['dateTime', '2026-01-01', '2026-01-01'],
	])('send a field of type %s, typed as %j, as %j', (type, value, expected) => {
		expect(mappedBody(typed(type, value), input)).toEqual({ value: { field: expected } });
	});

	test.each([
		['number', 'many', "'field' holds text where a number is expected"],
		['number', '', "'field' holds text where a number is expected"],
		['boolean', 'yes', "'field' holds text where a boolean is expected"],
		['object', '{', "'field' is not valid JSON"],
		['object', '[1]', "'field' holds a list where an object is expected"],
		['array', '{}', "'field' holds an object where a list is expected"],
	])('refuse for a field of type %s what cannot be one: %j', (type, value, message) => {
		expect(expectInvalid(mappedBody(typed(type, value), input)).message).toBe(message);
	});

	const auto = { mappingMode: 'autoMapInputData', value: null };
	test.each([
		'id',
		'object',
		'created_at',
		'updated_at',
		'request_id',
		'idempotency_key',
		'deleted',
		'error_details',
		'next_cursor',
		'run_id',
		'run_request_id',
		'run_status',
	])('withhold %s of the item, which the service or this node sets', (name) => {
		expect(mappedBody(auto, { name: 'a', [name]: 'x' })).toEqual({ value: { name: 'a' } });
	});

	test('give every other field of the item that is set in automatic mode, as it is', () => {
		const item = { name: '', status: null, count: 0, nested: { id: 'kept' }, Id: 'kept', none: undefined };
		expect(mappedBody(auto, item)).toEqual({
			value: { name: '', count: 0, nested: { id: 'kept' }, Id: 'kept' },
		});
	});
});

describe('the body of a write', () => {
	test.each([
		['the JSON', { specifyBody: 'json', jsonBody: '{"a":1}', fields: below({ a: 2 }) }, { a: 1 }],
		['the fields', { specifyBody: 'fields', jsonBody: '{"a":1}', fields: below({ a: 2 }) }, { a: 2 }],
		['the fields by default', { fields: below({ a: 2 }) }, { a: 2 }],
		['the item', { fields: { mappingMode: 'autoMapInputData' } }, { from: 'item' }],
		['nothing where nothing is given', { specifyBody: 'json' }, {}],
		['nothing where no field is given', {}, {}],
	])('is %s', (_, parameters, expected) => {
		const { context } = fakeExecution({ parameters, input: [{ from: 'item' }] });
		expect(readBody(context, 0)).toEqual(expected);
	});

	const added = (name: string, value: unknown) => ({ additionalFields: { field: [{ name, value }] } });
	test.each([
		['added to the fields', { fields: below({ a: 2 }), ...added('b', 3) }, { a: 2, b: 3 }],
		[
			'added to the item',
			{ fields: { mappingMode: 'autoMapInputData' }, ...added('b', 3) },
			{ from: 'item', b: 3 },
		],
		['all there is', added('b', 3), { b: 3 }],
		['what counts where both set it', { fields: below({ a: 2 }), ...added('a', 3) }, { a: 3 }],
		[
			'what counts where the item has it too',
			{ fields: { mappingMode: 'autoMapInputData' }, ...added('from', 'hand') },
			{ from: 'hand' },
		],
		['ignored with JSON', { specifyBody: 'json', jsonBody: '{"a":1}', ...added('b', 3) }, { a: 1 }],
	])('has what was added by hand: %s', (_, parameters, expected) => {
		const { context } = fakeExecution({ parameters, input: [{ from: 'item' }] });
		expect(readBody(context, 0)).toEqual(expected);
	});

	test('is that of its own item', () => {
		const parameters = { fields: { mappingMode: 'autoMapInputData' } };
		const { context } = fakeExecution({ parameters, input: [{ a: 1 }, { a: 2 }] });
		expect([readBody(context, 1), readBody(context, 2)]).toEqual([{ a: 2 }, {}]);
	});

	test('is refused where it is no object', async () => {
		const { context } = fakeExecution({ parameters: { specifyBody: 'json', jsonBody: '[]' } });
		expect((await expectError(() => readBody(context, 0))).message).toContain("'JSON' holds a list");
	});
});
