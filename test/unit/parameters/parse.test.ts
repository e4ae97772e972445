import {
	integer,
	parseBoolean,
	parseJsonObject,
	stringList,
} from '../../../nodes/Prospector/parameters/parse';
import { expectError, rowsOf } from '../helpers/support';

/** Values that String() can't convert. */
const NOT_TEXT: unknown[] = [
	Object.create(null),
	[Symbol('a')],
	{ toString: () => JSON.parse('') as string },
	Symbol('a'),
];

describe('parseBoolean', () => {
	test.each<[unknown, boolean]>([
		...rowsOf([true, 'true', ' TRUE\n', 1, '1', ' 1 '], true),
		...rowsOf([false, 'False', ' false ', 0, '0', '', null, undefined], false),
	])('returns for %j: %j', (value, expected) => {
		expect(parseBoolean(value, 'Simplify')).toBe(expected);
	});

	test.each([' ', 'maybe', 'truee', 'xtrue', 2, -1, NaN, [], [true], { value: true }, ...NOT_TEXT])(
		'rejects %p',
		async (value) => {
			expect(await expectError(() => parseBoolean(value, 'Simplify'))).toEqual({
				message: "'Simplify' is neither true nor false",
				description: "Switch 'Simplify' on or off. An expression must return true or false",
			});
		},
	);
});

describe('integer', () => {
	test.each<[unknown, number]>([
		[1, 1],
		[100, 100],
		['7', 7],
		[' 7\n', 7],
		['7.0', 7],
		['1e1', 10],
	])('returns for %j from 1 to 100: %i', (value, expected) => {
		expect(integer(1, 100)(value, 'Limit')).toBe(expected);
	});

	test.each([
		...[0, 101, -1, 1.5, '1.5', '', ' ', 'ten', '7 leads', NaN, Infinity, 10n],
		...[null, undefined, true, [5], { n: 5 }, ...NOT_TEXT],
	])('rejects %p outside 1 to 100', async (value) => {
		expect(await expectError(() => integer(1, 100)(value, 'Limit'))).toEqual({
			message: "'Limit' must be a whole number from 1 to 100",
			description: "Enter such a number in 'Limit'. An expression must return one",
		});
	});
});

test.each(['', ' '])('integer rejects %j where 0 is allowed', async (value) => {
	expect((await expectError(() => integer(0)(value, 'Limit'))).message).toBe(
		"'Limit' must be a whole number, 0 or more",
	);
});

describe('stringList', () => {
	const parse = (value: unknown) => stringList('done, ok')(value, 'Statuses');

	test.each<[unknown, string[]]>([
		['Done', ['Done']],
		['done, two words ,,', ['done', 'two words']],
		['done\nok', ['done', 'ok']],
		[
			['done', ' ok ', 'a,b'],
			['done', 'ok', 'a', 'b'],
		],
		[5, ['5']],
		[[5], ['5']],
		['["done", 5]', ['done', '5']],
		[' ["done"]\n', ['done']],
		['```json\n["done", "ok"]\n```', ['done', 'ok']],
		['done [1]', ['done [1]']],
		...rowsOf<string[]>(['', ' , ', '[]', [], [''], null, undefined], []),
	])('returns for %j: %j', (value, expected) => {
		expect(parse(value)).toEqual(expected);
	});

	test.each([{ a: 1 }, [{ a: 1 }], [['a'], 'b'], '[{"a":1}]', true, [null], ...NOT_TEXT])(
		'rejects %p',
		async (value) => {
			expect(await expectError(() => parse(value))).toEqual({
				message: "'Statuses' is not a list of words",
				description: 'Enter words separated by commas, e.g. done, ok',
			});
		},
	);

	test.each(['[', '["done"', '[done]', '```json\n["done"'])('rejects %j as JSON', async (value) => {
		expect((await expectError(() => parse(value))).message).toBe("'Statuses' is not valid JSON");
	});
});

describe('parseJsonObject', () => {
	test.each<[unknown, object]>([
		['{}', {}],
		['{"a":1,"a":2}', { a: 2 }],
		[' {"a": [1, null]}\n', { a: [1, null] }],
		['```json\n{"name":"a"}\n```', { name: 'a' }],
		['```{"name":"a"}```', { name: 'a' }],
		[' ```\n{}\n```\n', {}],
		// Copied from a web page.
		['```json\u00a0{}\u00a0```', {}],
		[{ name: 'a' }, { name: 'a' }],
		[{ toJSON: 'a field' }, { toJSON: 'a field' }],
	])('returns for %j: %j', (value, expected) => {
		expect(parseJsonObject(value, 'JSON')).toEqual(expected);
	});

	test.each([
		...['', ' ', '{', "{'name': 'a'}", '{"a":1,}', '{"name":"a"', 'name', '[object Object]', '<workflow/>'],
		...[
			'process.exit()',
			'\ufeff{}',
			'```',
			'`````',
			'```{}',
			'{}```',
			'```{}xyz',
			'xyz{}```',
			'```json {} {}```',
		],
	])('rejects %j as JSON', async (value) => {
		expect(await expectError(() => parseJsonObject(value, 'JSON'))).toEqual({
			message: "'JSON' is not valid JSON",
			description: 'Check quotation marks, commas and brackets. To send no values, enter {}',
		});
	});

	test('reads 30,000 values, and rejects 50,000 short ones', async () => {
		const json = (count: number) => JSON.stringify({ values: Array(count).fill(123_456) });
		expect(parseJsonObject(json(30_000), 'JSON').values).toHaveLength(30_000);
		expect(await expectError(() => parseJsonObject(json(50_000), 'JSON'))).toEqual({
			message: "'JSON' has too many values",
			description: 'Enter fewer values, or send them in several requests',
		});
	});

	test.each<[unknown, string]>([
		['[{"name":"a"}]', 'a list'],
		[[{}], 'a list'],
		['null', 'nothing'],
		[null, 'nothing'],
		[undefined, 'nothing'],
		['"{}"', 'text'],
		['1e999', 'a number'],
		[5, 'a number'],
		[true, 'a boolean'],
		[new Date(0), 'a date'],
		[{ toJSON: () => '2026-01-01' }, 'a date'],
		[() => ({}), 'a function'],
		[Symbol('a'), 'a symbol'],
		[10n, 'a bigint'],
	])('rejects %p as %s', async (value, label) => {
		expect(await expectError(() => parseJsonObject(value, 'JSON'))).toEqual({
			message: `'JSON' is ${label} instead of an object`,
			description: 'Enter an object, e.g. { "name": "Logistics companies in Austria" }',
		});
	});
});
