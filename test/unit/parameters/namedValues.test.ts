import { parseNamedValues } from '../../../nodes/Prospector/parameters/parseNamedValues';
import { expectError, rowsOf } from '../helpers/support';

const FIELD = { label: 'Pairs', list: 'pair', example: '[{ "name": "a" }]' };
const parse = (value: unknown) => [...parseNamedValues(value, FIELD)];

describe('parseNamedValues', () => {
	test.each<[unknown, unknown[]]>([
		...rowsOf<unknown[]>(
			[{}, [], '{}', '[]', '', null, undefined, 0, false, { pair: [] }, { pair: undefined }, { pair: null }],
			[],
		),
		[{ pair: [{ name: 'a', value: 1 }] }, [['a', { name: 'a', value: 1 }]]],
		[{ pair: { name: ' a ', other: 1 } }, [['a', { name: ' a ', other: 1 }]]],
		[
			[{ name: 'b' }, { name: 'a' }],
			[
				['b', { name: 'b' }],
				['a', { name: 'a' }],
			],
		],
		['[{"name":"a"}]', [['a', { name: 'a' }]]],
		['{"pair":[{"name":"a"}]}', [['a', { name: 'a' }]]],
		['```json\n{"pair":{"name":"a"}}\n```', [['a', { name: 'a' }]]],
		[
			[{ name: '__proto__' }, { name: 'constructor' }],
			[
				['__proto__', { name: '__proto__' }],
				['constructor', { name: 'constructor' }],
			],
		],
	])('returns for %j: %j', (value, expected) => {
		expect(parse(value)).toEqual(expected);
	});

	const NAME = 'Enter its name, or remove the entry';
	const EACH = 'Enter a name and a value for each, e.g. [{ "name": "a" }]';
	const JSON_ADVICE = 'Check quotation marks, commas and brackets. To send no values, enter {}';
	test.each<[string, string, unknown[]]>([
		[
			"An entry in 'Pairs' has no name",
			NAME,
			[
				...[[{ name: ' ' }], [{ name: 5 }], [{ name: null }], [{}], ['a'], [null], [[{ name: 'a' }]]],
				...[{ pair: [{ value: 1 }] }, { pair: [null] }, { pair: 'a' }, '["a"]'],
			],
		],
		["'a' is in 'Pairs' twice", 'Remove one of them', [[{ name: 'a' }, { name: ' a\n' }]]],
		["'Pairs' got 'a' instead of a list", EACH, [{ a: 1, b: 2 }, { pair: [], a: 1 }, '{"a":1}']],
		["'Pairs' got '__proto__' instead of a list", EACH, ['{"__proto__":[]}']],
		["'Pairs' is a number instead of an object", EACH, ['5', 5]],
		["'Pairs' is a boolean instead of an object", EACH, ['true', true]],
		["'Pairs' is text instead of an object", EACH, ['"a"', ' ']],
		["'Pairs' is nothing instead of an object", EACH, ['null']],
		["'Pairs' is not valid JSON", JSON_ADVICE, ['a', '{', "[{'name':'a'}]"]],
	])('throws "%s"', async (message, description, values) => {
		for (const value of values) {
			expect(await expectError(() => parse(value))).toEqual({ message, description });
		}
	});
});
