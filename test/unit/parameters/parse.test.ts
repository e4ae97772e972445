import { fail } from '../../../nodes/Prospector/messages/userMessage';
import {
	parseJsonObject,
	requireSerializable,
	stringList,
	toggle,
} from '../../../nodes/Prospector/parameters/parse';
import { expectError, rowsOf } from '../helpers/support';

/** Values that String() can't convert. */
const NOT_TEXT: unknown[] = [Object.create(null), [Symbol('a')], Symbol('a')];

test.each<[unknown, boolean]>([
	...rowsOf([true, 'true', ' TRUE\n', 1, '1', ' 1 '], true),
	...rowsOf([false, 'False', ' false ', 0, '0', '', null, undefined], false),
])('toggle.parse turns the value %j into %j', (value, expected) => {
	expect(toggle.parse(value, 'Simplify')).toBe(expected);
});

test.each([' ', 'maybe', 'truee', 'xtrue', 2, -1, NaN, [], [true], { value: true }, ...NOT_TEXT])(
	'toggle.parse rejects the value %p because the value is neither true nor false',
	async (value) => {
		expect(await expectError(() => toggle.parse(value, 'Simplify'))).toEqual({
			message: "'Simplify' is neither true nor false",
			description: 'Use true or false',
		});
	},
);

const parseList = (value: unknown) => stringList('done, ok').parse(value, 'Statuses');

test.each<[unknown, string[]]>([
	['Done', ['Done']],
	['done, two words ,,', ['done', 'two words']],
	...rowsOf(['done\nok', '"done"; \'ok\'', ' “done”,\r\n„ok“;', '`done` ; ok'], ['done', 'ok']),
	["two's, 'a' or b", ["two's", "a' or b"]],
	...rowsOf([['done,ok', ' 5 ']], ['done', 'ok', '5']),
	[5, ['5']],
	[' ["done", 5]\n', ['done', '5']],
	['```json\n["done", "ok"]\n```', ['done', 'ok']],
	['done [1]', ['done [1]']],
	...rowsOf<string[]>(['', ' , ', '[]', [], [''], null, undefined], []),
])('stringList turns the value %j into the list %j', (value, expected) => {
	expect(parseList(value)).toEqual(expected);
});

test.each([{ a: 1 }, [{ a: 1 }], [['a'], 'b'], '[{"a":1}]', true, 10n, [null], ...NOT_TEXT])(
	'stringList rejects the value %p because the value is not a list of words',
	async (value) => {
		expect(await expectError(() => parseList(value))).toEqual({
			message: "'Statuses' is not a list of words",
			description: 'Enter words separated by commas, e.g. done, ok',
		});
	},
);

test.each([
	...['[', '["done"', '[done]', '```json\n["done"'].map((text) => [text, 'is not valid JSON']),
	['x'.repeat(100_001), 'is too long'],
])('stringList rejects a text that is an invalid JSON list or too long (case %#)', async (text, event) => {
	expect((await expectError(() => parseList(text))).message).toBe(`'Statuses' ${event}`);
});

test.each<[unknown, object]>([
	[' {"a": [1, null]}\n', { a: [1, null] }],
	['```json\n{"name":"a"}\n```', { name: 'a' }],
	['```{"name":"a"}```', { name: 'a' }],
	[' ```\n{}\n```\n', {}],
	// Copied from a web page.
	['```json\u00a0{}\u00a0```', {}],
	[{ name: 'a' }, { name: 'a' }],
	[{ toJSON: 'a field' }, { toJSON: 'a field' }],
])('parseJsonObject turns the value %j into the object %j', (value, expected) => {
	expect(parseJsonObject(value, 'JSON')).toEqual(expected);
});

test.each([
	...['', ' ', '{', "{'name': 'a'}", '{"a":1,}', 'name', '[object Object]'],
	...['```', '`````', '```{}xyz', 'xyz{}```', '```json {} {}```'],
])('parseJsonObject rejects the text %j because the text is not valid JSON', async (value) => {
	expect(await expectError(() => parseJsonObject(value, 'JSON'))).toEqual({
		message: "'JSON' is not valid JSON",
		description: 'Check quotation marks, commas and brackets. To send no values, enter {}',
	});
});

test('parseJsonObject accepts 30,000 short values but rejects 50,000 short values or 20,000 empty objects', async () => {
	const json = (count: number) => JSON.stringify({ values: Array(count).fill(123_456) });
	expect(parseJsonObject(json(30_000), 'JSON').values).toHaveLength(30_000);
	expect(await expectError(() => parseJsonObject(json(50_000), 'JSON'))).toEqual({
		message: "'JSON' has too many values",
		description: 'Enter fewer values, or send them in several requests',
	});
	const objects = JSON.stringify({ values: Array(20_000).fill({}) });
	expect((await expectError(() => parseJsonObject(objects, 'JSON'))).message).toContain('too many values');
});

test.each<[unknown, string]>([
	...rowsOf(['[{"name":"a"}]', [{}]], 'a list'),
	...rowsOf(['null', null, undefined], 'nothing'),
	['"{}"', 'text'],
	...rowsOf(['1e999', 5], 'a number'),
	[true, 'a boolean'],
	...rowsOf([new Date(0), { toJSON: () => '2026-01-01' }], 'a date'),
	[Symbol('a'), 'a symbol'],
])(
	'parseJsonObject rejects the value %p because the value is %s instead of an object',
	async (value, label) => {
		expect(await expectError(() => parseJsonObject(value, 'JSON'))).toEqual({
			message: `'JSON' is ${label} instead of an object`,
			description: 'Enter an object, e.g. { "name": "Logistics companies in Austria" }',
		});
	},
);

test('requireSerializable accepts an object only if the object can be sent as JSON', async () => {
	const circular: Record<string, unknown> = {};
	circular.self = circular;
	const nested = (levels: number) => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as object;
	const toJSON = () => fail('', '');
	const valid = nested(1000);
	expect(requireSerializable(valid, 'Fields')).toBe(valid);
	for (const value of [circular, nested(20_000), { toJSON }]) {
		expect(await expectError(() => requireSerializable(value, 'Fields'))).toEqual({
			message: "'Fields' can't be sent as JSON",
			description:
				'Use only text, numbers, true, false, null, and lists and objects of these that are not nested too deeply and do not contain themselves',
		});
	}
});
