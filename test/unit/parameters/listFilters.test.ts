import type { IDataObject } from 'n8n-workflow';
import { body } from '../../../nodes/Prospector/parameters/body';
import { queryFilters, runListFilters } from '../../../nodes/Prospector/parameters/getManyOptions';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const NONE = { query: {}, statuses: [], sort: undefined };
const read = (options: unknown, sort?: unknown) => readParameter(runListFilters, { options, sort });
const entry = (name: unknown, value: unknown) => ({ queryParameters: { parameter: [{ name, value }] } });

test.each<[unknown, object]>([
	...rowsOf<object>([undefined, null, {}, [], '', 'text', 5, { other: 1 }, { status: '' }], {}),
	[{ status: ' Timed out \nnew,' }, { statuses: ['Timed out', 'new'] }],
	[entry(' city ', ' a&b=c '), { query: { city: ' a&b=c ' } }],
	[entry('n', 0), { query: { n: '0' } }],
	[entry('n', false), { query: { n: 'false' } }],
	...rowsOf<object>([entry('n', ''), entry('n', null), entry('n', undefined)], {}),
])('the node turns the list filters %j into %j', (options, expected) => {
	expect(read(options)).toEqual({ ...NONE, ...expected });
	if ('query' in expected) expect(readParameter(queryFilters, { options })).toEqual(expected);
});

const WORDS = 'Enter words separated by commas';
test.each<[unknown, string, string]>([
	[{ status: true }, "'Status' is not a list of words", `${WORDS}, e.g. completed, failed`],
	...(['an object', 'a list', 'a symbol'] as const).map((label, index): [unknown, string, string] => [
		entry('a', [{}, ['x'], Symbol('x')][index]),
		`'a' in 'Query Parameters' got ${label}`,
		'Use a value inside it, e.g. {{ $json.id }}',
	]),
	[entry('a', 2 ** 60), "'a' has a number that n8n can't send without changing it", 'Enter it as text'],
	[entry('a', '\ud83d'), "'a' contains half a character", 'Check where the text is cut'],
	[entry('\ud83d', 'x'), "'Query Parameters' contains half a character", 'Check where the text is cut'],
])('the node rejects the list filters %j with the message "%s"', async (options, message, description) => {
	expect(await expectError(() => read(options))).toEqual({ message, description });
});

test.each([
	...rowsOf([undefined, null, {}, '', { creationTime: '' }], undefined),
	...rowsOf(['newestFirst', { creationTime: 'newestFirst' }], 'newestFirst'),
	[{ creationTime: 'oldestFirst' }, 'oldestFirst'],
])('the node turns Sort %j into the order %j', (sort, expected) => {
	expect(read({}, sort).sort).toBe(expected);
});

test('the node rejects a value of Sort that is not a known order', async () => {
	expect(await expectError(() => read({}, { creationTime: 'newest' }))).toEqual({
		message: "'Sort' has no option 'newest'",
		description: 'Use newestFirst or oldestFirst',
	});
});

describe.each([
	['Query Parameters', 'parameter', (queryParameters: unknown) => read({ queryParameters }).query],
	[
		'Other Fields',
		'field',
		async (otherFields: unknown) => JSON.parse(await readParameter(body, { otherFields })) as IDataObject,
	],
])('the entries of %s', (label, list, readEntries) => {
	const A = { name: ' a ', value: 'x' };

	test.each<[unknown, object]>([
		...rowsOf<object>([{}, undefined, { [list]: [] }, { [list]: null }], {}),
		...rowsOf<object>([{ [list]: [A] }, { [list]: A }], { a: 'x' }),
	])(`the node reads the value %j of '${label}' as the entries %j`, async (value, expected) => {
		expect(await readEntries(value)).toEqual(expected);
	});

	test.each<[string, string, unknown[]]>([
		[
			`An entry in '${label}' has no name`,
			'Enter a name and a value',
			[[{ name: ' ' }], [{ name: 5 }], [null], [[A]], [{ value: 1 }], 'a', 5],
		],
		[`'a' is in '${label}' twice`, 'Remove one of them', [[{ name: 'a' }, A]]],
	])(`the node rejects entries of '${label}' with the message "%s"`, async (message, description, values) => {
		for (const value of values)
			expect(await expectError(() => readEntries({ [list]: value }))).toEqual({ message, description });
	});
});
