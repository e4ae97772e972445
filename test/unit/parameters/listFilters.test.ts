import { body } from '../../../nodes/Prospector/parameters/body';
import { listFilters, runListFilters } from '../../../nodes/Prospector/parameters/listFilters';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const NONE = { query: {}, statuses: [], sort: undefined };
const read = (options: unknown) => readParameter(runListFilters, { options });
const entry = (name: unknown, value: unknown) => ({ queryParameters: { parameter: [{ name, value }] } });

test.each<[unknown, object]>([
	...rowsOf<object>([undefined, null, {}, [], '', 'text', 5, { other: 1 }, { status: '', sort: '' }], {}),
	[{ status: ' Timed out \nnew,' }, { statuses: ['Timed out', 'new'] }],
	[{ status: ['done', 5] }, { statuses: ['done', '5'] }],
	[{ sort: 'newestFirst' }, { sort: 'newestFirst' }],
	[{ sort: 'oldestFirst' }, { sort: 'oldestFirst' }],
	[entry(' city ', ' a&b=c '), { query: { city: ' a&b=c ' } }],
	[entry('n', 0), { query: { n: '0' } }],
	[entry('n', false), { query: { n: 'false' } }],
	...rowsOf<object>([entry('n', ''), entry('n', null), entry('n', undefined)], {}),
])('the node turns the list filters %j into %j', (options, expected) => {
	expect(read(options)).toEqual({ ...NONE, ...expected });
	if ('query' in expected) expect(readParameter(listFilters, { options })).toEqual(expected);
});

const WORDS = 'Enter words separated by commas';
test.each<[unknown, string, string]>([
	[{ status: true }, "'Status' is not a list of words", `${WORDS}, e.g. completed, failed`],
	[{ sort: 'newest' }, "'Sort' has no option 'newest'", 'Use newestFirst or oldestFirst'],
	...(['an object', 'a list', 'a symbol'] as const).map((label, index): [unknown, string, string] => [
		entry('a', [{}, ['x'], Symbol('x')][index]),
		`'a' in 'Query Parameters' got ${label}`,
		'Use a value inside it, e.g. {{ $json.id }}',
	]),
])('the node rejects the list filters %j with the message "%s"', async (options, message, description) => {
	expect(await expectError(() => read(options))).toEqual({ message, description });
});

describe.each([
	[
		'Query Parameters',
		'parameter',
		'[{ "name": "city", "value": "Ghent" }]',
		(queryParameters: unknown) => read({ queryParameters }).query,
	],
	[
		'Other Fields',
		'field',
		'[{ "name": "industry", "value": "Freight" }]',
		(otherFields: unknown) => readParameter(body, { otherFields }),
	],
])('the entries of %s', (label, list, example, readEntries) => {
	const A = { name: ' a ', value: 'x' };

	const none = [{}, [], '{}', '[]', '', null, undefined, 0, false, { [list]: [] }, { [list]: null }];

	test.each<[unknown, object]>([
		...rowsOf<object>(none, {}),
		...rowsOf<object>([{ [list]: [A] }, { [list]: A }, [A], JSON.stringify([A])], { a: 'x' }),
		...rowsOf<object>([`\`\`\`json\n${JSON.stringify({ [list]: A })}\n\`\`\``], { a: 'x' }),
	])(`the node reads the value %j of '${label}' as the entries %j`, (value, expected) => {
		expect(readEntries(value)).toEqual(expected);
	});

	test(`an entry of '${label}' can have the name of a property of Object.prototype`, () => {
		const entries = readEntries(['__proto__', 'toString'].map((name) => ({ name, value: name })));
		expect(Object.entries(entries)).toEqual(['__proto__', 'toString'].map((name) => [name, name]));
		expect(Object.getPrototypeOf(entries)).toBe(Object.prototype);
	});

	test.each<[string, string, unknown[]]>([
		[
			`An entry in '${label}' has no name`,
			`Enter a name and a value, e.g. ${example}`,
			[
				[{ name: ' ' }],
				[{ name: 5 }],
				[null],
				[[A]],
				{ [list]: [{ value: 1 }] },
				{ [list]: 'a' },
				'["a"]',
				5,
				'"a"',
				' ',
				{ b: 1 },
			],
		],
		[`'a' is in '${label}' twice`, 'Remove one of them', [[{ name: 'a' }, A]]],
		[
			`'${label}' is not valid JSON`,
			'Check quotation marks, commas and brackets. To send no values, enter {}',
			['a=1', '{'],
		],
	])('the node rejects invalid entries with the message "%s"', async (message, description, values) => {
		for (const value of values) {
			expect(await expectError(() => readEntries(value))).toEqual({ message, description });
		}
	});
});
