import { body } from '../../../nodes/Prospector/parameters/body';
import { stringList, toggle } from '../../../nodes/Prospector/parameters/parse';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const readBody = async (jsonBody: unknown) => await readParameter(body, { enterValues: 'json', jsonBody });

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
	['done, two words ,,', ['done', 'two words']],
	...rowsOf(['done\nok', '"done"; \'ok\'', ' “done”,\r\n„ok“;', '`done` ; ok'], ['done', 'ok']),
	["two's, 'a' or b", ["two's", "a' or b"]],
	...rowsOf([['done,ok', ' 5 ']], ['done', 'ok', '5']),
	[5, ['5']],
	[' ["done", 5]\n', ['done', '5']],
	['```json\n["done", "ok"]\n```', ['done', 'ok']],
	...rowsOf(['done [1]', '["done [1]"]'], ['done [1]']),
	...rowsOf<string[]>(['', ' , ', '[]', [], [''], null, undefined], []),
])('stringList turns the value %j into the list %j', (value, expected) => {
	expect(parseList(value)).toEqual(expected);
});

test.each([{ a: 1 }, [{ a: 1 }], [['a'], 'b'], true, 10n, [null], ...NOT_TEXT])(
	'stringList rejects the value %p because the value is not a list of words',
	async (value) => {
		expect(await expectError(() => parseList(value))).toEqual({
			message: "'Statuses' is not a list of words",
			description: 'Enter words separated by commas, e.g. done, ok',
		});
	},
);

test.each<[unknown, object]>([
	[' {"a": [1, null]}\n', { a: [1, null] }],
	['```json\n{"name":"a"}\n```', { name: 'a' }],
	['{"a":"```b ```c"}', { a: '```b ```c' }],
	[' ```\n{}\n```\n', {}],
	// Copied from a web page.
	['```json\u00a0{}\u00a0```', {}],
	[{ toJSON: 'a field' }, { toJSON: 'a field' }],
])('the node turns the value %j of JSON into the body %j', async (value, expected) => {
	expect(JSON.parse(await readBody(value))).toEqual(expected);
});

test.each([
	...['', ' ', '{', "{'name': 'a'}", '{"a":1,}', 'name', '[object Object]'],
	...['```', '`````', '```{}xyz', 'xyz{}```', '```json {} {}```'],
])('the node rejects the text %j of JSON because the text is not valid JSON', async (value) => {
	expect(await expectError(async () => await readBody(value))).toEqual({
		message: "'JSON' is not valid JSON",
		description:
			'Check quotation marks, commas and brackets. To send no values, enter {}. For text from an expression, write {{ JSON.stringify($json.name) }} without quotation marks',
	});
});

test.each<[unknown, string]>([
	...rowsOf(['[{"name":"a"}]', [{}]], 'a list'),
	...rowsOf(['null', null], 'nothing'),
	['"{}"', 'text'],
	...rowsOf(['7', 5], 'a number'),
	[true, 'a boolean'],
	...rowsOf([new Date(0), { toJSON: () => '2026-01-01' }], 'a date'),
	[Symbol('a'), 'a symbol'],
])(
	'the node rejects the value %p of JSON because the value is %s instead of an object',
	async (value, label) => {
		expect(await expectError(async () => await readBody(value))).toEqual({
			message: `'JSON' is ${label} instead of an object`,
			description: 'Enter an object, e.g. { "name": "Logistics companies in Austria" }',
		});
	},
);

const LONGEST = 'x'.repeat(100_000);
test.each<[string, unknown, unknown]>([
	['a text', LONGEST, `${LONGEST}x`],
	['a list of empty words', Array(100_000).fill(''), Array(100_001).fill('')],
	['a list of two words', [LONGEST.slice(6), 'abcde'], [LONGEST.slice(6), 'abcdef']],
])('stringList accepts %s of 100,000 characters, but no longer one', async (_, accepted, refused) => {
	expect(parseList(accepted).join().length).toBeLessThanOrEqual(100_000);
	expect(await expectError(() => parseList(refused))).toEqual({
		message: "'Statuses' is too long",
		description: 'Enter fewer words',
	});
});

test('stringList rejects a number whose digits may have changed', async () => {
	const { message } = await expectError(() => parseList([1, 2 ** 53]));
	expect(message).toBe("'Statuses' has a number that n8n can't send without changing it");
	expect(parseList([1, 2])).toEqual(['1', '2']);
});
