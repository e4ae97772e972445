import type { INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import {
	additionalFieldsField,
	additionalValues,
} from '../../../../nodes/Prospector/parameters/body/additionalFields';
import { expectInvalid } from '../../helpers/support';

const one = (type: string | undefined, value?: unknown) => ({ field: [{ name: 'x', type, value }] });

describe('a field that was added by hand', () => {
	test.each<[string | undefined, unknown, unknown]>([
		[undefined, 'text', 'text'],
		['asGiven', 'text', 'text'],
		['asGiven', '007', '007'],
		['asGiven', '', ''],
		['asGiven', 7, 7],
		['asGiven', false, false],
		['asGiven', ['a'], ['a']],
		['asGiven', { a: null }, { a: null }],
		['string', 'a', 'a'],
		['string', 7, '7'],
		['string', true, 'true'],
		['string', '', ''],
		['number', '7', 7],
		['number', ' 0.5 ', 0.5],
		['number', 7, 7],
		['boolean', 'True', true],
		['boolean', 'false', false],
		['boolean', false, false],
		['array', '["a", 1]', ['a', 1]],
		['array', ['a'], ['a']],
		['object', '{"a": {"b": []}}', { a: { b: [] } }],
		['object', { a: 1 }, { a: 1 }],
		['null', undefined, null],
		['null', 'left over', null],
	])('of type %s with %j is sent as %j', (type, value, expected) => {
		expect(additionalValues(one(type, value))).toEqual({ value: { x: expected } });
	});

	test.each(['asGiven', 'string', 'number', 'boolean', 'array', 'object'])(
		'of type %s is left out when an expression gives nothing',
		(type) => {
			for (const value of [undefined, null, NaN])
				expect(additionalValues(one(type, value))).toEqual({ value: {} });
		},
	);

	test.each<[string, unknown, string]>([
		['string', ['a'], "'x' in 'Additional Fields' holds a list where text is expected"],
		['number', 'many', "'x' holds text where a number is expected"],
		['number', '', "'x' holds text where a number is expected"],
		['number', true, "'x' in 'Additional Fields' holds a boolean where a number is expected"],
		['boolean', 'yes', "'x' holds text where a boolean is expected"],
		['boolean', 1, "'x' in 'Additional Fields' holds a number where a boolean is expected"],
		['array', '{}', "'x' holds an object where a list is expected"],
		['array', '[', "'x' is not valid JSON"],
		['array', { a: 1 }, "'x' in 'Additional Fields' holds an object where a list is expected"],
		['object', '[]', "'x' holds a list where an object is expected"],
		['object', ['a'], "'x' in 'Additional Fields' holds a list where an object is expected"],
		['object', 5, "'x' in 'Additional Fields' holds a number where an object is expected"],
	])('of type %s is refused with %j', (type, value, message) => {
		expect(expectInvalid(additionalValues(one(type, value)))).toEqual({
			message,
			description: expect.stringMatching(/^[A-Z].{10}/),
		});
	});
});

describe('fields that were added by hand', () => {
	test.each([[{}], [undefined], [null], [''], ['{}'], [{ field: [] }], [{ field: undefined }]])(
		'may be none: %j',
		(none) => {
			expect(additionalValues(none)).toEqual({ value: {} });
		},
	);

	test('are sent under their names, without the white space around them', () => {
		const field = [
			{ name: ' a ', value: '1' },
			{ name: 'id', value: '2' },
			{ name: '__proto__', value: '3' },
		];
		const { value } = additionalValues({ field }) as { value: object };
		expect(JSON.stringify(value)).toBe('{"a":"1","id":"2","__proto__":"3"}');
	});

	test.each<[unknown, string]>([
		[{ field: [{ name: ' ', value: 'a' }] }, "A field in 'Additional Fields' has no name"],
		[{ field: [{ value: 'a' }] }, "A field in 'Additional Fields' has no name"],
		[{ field: ['a'] }, "A field in 'Additional Fields' has no name"],
		[{ field: [{ name: 'a' }, { name: 'a ' }] }, "'a' stands twice in 'Additional Fields'"],
		['a', "'Additional Fields' is not valid JSON"],
		[['a'], "A field in 'Additional Fields' has no name"],
		[{ industry: 'Freight' }, "'Additional Fields' holds 'industry' where a list of fields is expected"],
	])('are refused when they cannot be understood: %j', (collection, message) => {
		expect(expectInvalid(additionalValues(collection)).message).toBe(message);
	});

	test('offer every type by name, and no value for null', () => {
		const [{ values }] = additionalFieldsField.options as INodePropertyCollection[];
		const [, type, value] = values;
		const names = (type.options as INodePropertyOptions[]).map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(value.displayOptions).toEqual({ hide: { type: ['null'] } });
	});
});
