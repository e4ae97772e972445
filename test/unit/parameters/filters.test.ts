import { listFilters, runListFilters } from '../../../nodes/Prospector/parameters/listFilters';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const NONE = { query: {}, statuses: [], sort: undefined };
const read = (filters: unknown) => readParameter(runListFilters, { filters });
const parameters = (...parameter: unknown[]) => ({ queryParameters: { parameter } });

test.each([
	['Workflow › Get Many and Result › Get Many', listFilters, ['Query Parameters']],
	['Run › Get Many', runListFilters, ['Query Parameters', 'Sort', 'Status']],
])('the filters of %s are in one collection', (_, { fields = [], options }, labels) => {
	expect(options).toBeUndefined();
	expect(fields).toMatchObject([
		{ displayName: 'Filters', name: 'filters', type: 'collection', default: {} },
	]);
	expect(fields[0].options?.map((one) => 'displayName' in one && one.displayName)).toEqual(labels);
});

test.each(rowsOf([undefined, null, {}, [], '', 'text', 5, { other: 1 }, { status: '', sort: '' }], NONE))(
	'the filters %j filter nothing',
	(filters, expected) => {
		expect(read(filters)).toEqual(expected);
		expect(readParameter(listFilters, { filters })).toEqual(expected);
	},
);

describe('Status', () => {
	test.each<[unknown, string[]]>([
		['completed, failed', ['completed', 'failed']],
		[' Timed out \nnew,', ['Timed out', 'new']],
		[
			['done', 5],
			['done', '5'],
		],
		['["done"]', ['done']],
		...rowsOf<string[]>(['', ' , ', [], null, undefined], []),
	])('is read from %j as %j', (status, statuses) => {
		expect(read({ status })).toEqual({ ...NONE, statuses });
	});

	test.each([{ status: 'done' }, true, [null], [['done']], Symbol('done')])('rejects %p', async (status) => {
		expect(await expectError(() => read({ status }))).toEqual({
			message: "'Status' is not a list of words",
			description: 'Enter words separated by commas, e.g. completed, failed',
		});
	});
});

describe('Sort', () => {
	test.each([
		['newestFirst', 'newestFirst'],
		['oldestFirst', 'oldestFirst'],
		...rowsOf(['', null, undefined], undefined),
	])('is read from %j as %j', (sort, expected) => {
		expect(read({ sort })).toEqual({ ...NONE, sort: expected });
	});

	test.each(['newest', 'NewestFirst', ' oldestFirst', '__proto__', 5, false, ['newestFirst'], {}])(
		'rejects %j',
		async (sort) => {
			expect(await expectError(() => read({ sort }))).toEqual({
				message: "'Sort' has no such option",
				description: 'An expression must return newestFirst or oldestFirst',
			});
		},
	);
});

describe('Query Parameters', () => {
	test.each<[unknown, object]>([
		[parameters({ name: 'city', value: 'Ghent' }), { city: 'Ghent' }],
		[parameters({ name: ' city ', value: ' a&b=c ' }), { city: ' a&b=c ' }],
		[parameters({ name: 'n', value: 0 }, { name: 'b', value: false }), { n: '0', b: 'false' }],
		[
			parameters(
				{ name: 'a', value: '' },
				{ name: 'b', value: null },
				{ name: 'c' },
				{ name: 'd', value: 'x' },
			),
			{ d: 'x' },
		],
		[{ queryParameters: { parameter: { name: 'a', value: 'x' } } }, { a: 'x' }],
		[{ queryParameters: [{ name: 'a', value: 'x' }] }, { a: 'x' }],
		[{ queryParameters: '[{ "name": "a", "value": 1 }]' }, { a: '1' }],
		[{ queryParameters: '```json\n{"parameter":[{"name":"a","value":"x"}]}\n```' }, { a: 'x' }],
		...rowsOf<object>(
			[{}, [], '', '{}', null].map((queryParameters) => ({ queryParameters })),
			{},
		),
	])('are read from %j as %j', (filters, query) => {
		expect(read(filters)).toEqual({ ...NONE, query });
		expect(readParameter(listFilters, { filters })).toEqual({ ...NONE, query });
	});

	test('can have names of Object.prototype', () => {
		const { query } = read(parameters({ name: '__proto__', value: 'x' }, { name: 'toString', value: 'y' }));
		expect(Object.entries(query)).toEqual([
			['__proto__', 'x'],
			['toString', 'y'],
		]);
		expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
	});

	const EACH = 'Enter a name and a value for each, e.g. [{ "name": "city", "value": "Ghent" }]';
	const USE_VALUE = 'Use a value inside it, e.g. {{ $json.id }}';
	const NAME = 'Enter its name, or remove the entry';
	test.each<[unknown, string, string]>([
		[parameters({ name: 'a', value: {} }), "'a' in 'Query Parameters' got an object", USE_VALUE],
		[parameters({ name: 'a', value: ['x'] }), "'a' in 'Query Parameters' got a list", USE_VALUE],
		[parameters({ name: 'a', value: Symbol('x') }), "'a' in 'Query Parameters' got a symbol", USE_VALUE],
		[parameters({ name: 'a', value: () => 1 }), "'a' in 'Query Parameters' got a function", USE_VALUE],
		[parameters({ value: 'x' }), "An entry in 'Query Parameters' has no name", NAME],
		[parameters({ name: ' ', value: 'x' }), "An entry in 'Query Parameters' has no name", NAME],
		[
			parameters({ name: 'a', value: 1 }, { name: 'a ', value: 2 }),
			"'a' is in 'Query Parameters' twice",
			'Remove one of them',
		],
		[{ queryParameters: { city: 'Ghent' } }, "'Query Parameters' got 'city' instead of a list", EACH],
		[{ queryParameters: ' ' }, "'Query Parameters' is text instead of an object", EACH],
		[{ queryParameters: 5 }, "'Query Parameters' is a number instead of an object", EACH],
		[
			{ queryParameters: 'city=Ghent' },
			"'Query Parameters' is not valid JSON",
			'Check quotation marks, commas and brackets. To send no values, enter {}',
		],
	])('reject %p', async (filters, message, description) => {
		expect(await expectError(() => read(filters))).toEqual({ message, description });
	});
});
