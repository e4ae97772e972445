import * as fc from 'fast-check';
import { JsonLimitError, readJson } from '../../../../nodes/Prospector/transport/request/readJson';
import { minimumOfTen, processorTime } from '../../../processorTime';
import { TURNS } from '../../helpers/support';

const read = async (json: string) => await readJson(Buffer.from(json), TURNS);

const space = fc.constantFrom('', '', '', ' ', '\r\n\t ');
const name = fc.oneof(fc.constantFrom('a', 'b', '1', '2', '__proto__', 'constructor'), fc.string());
/** Long enough that a few values fill a slice. */
const longText = fc
	.tuple(fc.constantFrom('x', '},{', '],[', '\\"', '\\\\', 'ä', ':1,'), fc.nat(4000))
	.map(([piece, count]) => `"${piece.repeat(count)}"`);

/** JSON texts of any shape, most of them longer than a slice. */
const { jsonText } = fc.letrec<{ jsonText: string }>((tie) => ({
	jsonText: fc.oneof(
		{ maxDepth: 4 },
		fc
			.jsonValue()
			.map((value) => JSON.stringify(value))
			.filter((json) => !/\d{16}/.test(json)),
		fc.constantFrom('-0', '1.50', '1e3', 'true', 'null', '{}', '[]'),
		longText,
		fc
			.tuple(space, fc.array(tie('jsonText'), { maxLength: 12 }), space)
			.map(([before, items, after]) => `[${before}${items.join(`${after},${before}`)}${after}]`),
		fc
			.tuple(space, fc.array(fc.tuple(name, tie('jsonText')), { maxLength: 12 }), space)
			.map(([before, fields, after]) => {
				const entries = fields.map(([key, value]) => `${JSON.stringify(key)}${after}:${before}${value}`);
				return `{${before}${entries.join(`,${after}`)}${after}}`;
			}),
	),
}));

/** A change that mostly makes JSON invalid. */
const change = fc.tuple(
	fc.nat(),
	fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', 'x', '0', '\\', 'null', ',,', ',1'),
	fc.nat(3),
);
const changedText = fc.tuple(jsonText, change).map(([text, [position, added, removedCount]]) => {
	const start = position % (text.length + 1);
	return text.slice(0, start) + added + text.slice(start + removedCount);
});

const parse = async (json: string) => ({ value: JSON.parse(json) as unknown, fieldsWithTextNumbers: [] });
/** Returns the value as text, which shows the order of the fields, or the class of what is thrown. */
const outcomeOf = async (reading: Promise<object>) =>
	await reading.then(JSON.stringify, (thrown: Error) => thrown.constructor);

const LONG_TEXT = `"${'x'.repeat(40_000)}"`;
/** JSON texts that random changes seldom make, because the wrong character is at the edge of a slice. */
const EDGES = [
	...[`{"data":[${LONG_TEXT},1}}`, `{"data":[${' '.repeat(40_000)},1]}`, `{"data":[${LONG_TEXT},]}`],
	...[`{"a":[${LONG_TEXT},1],"a":[2]}`, `{"a":[{"b":1}],"c":[{"d":${LONG_TEXT}},{"e":1}]}`],
	...[`{"data":[1]${LONG_TEXT}}`, `{"a":{"b":${LONG_TEXT},"c":1]}`, `[[${LONG_TEXT}]${LONG_TEXT}]`],
];

test('readJson returns what JSON.parse returns, and rejects what JSON.parse rejects', async () => {
	await fc.assert(
		fc.asyncProperty(fc.oneof(jsonText, changedText), async (json) =>
			expect(await outcomeOf(read(json))).toBe(await outcomeOf(parse(json))),
		),
		{ numRuns: 300, seed: 1, examples: EDGES.map((json) => [json]) },
	);
});

const wholeNumber = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
const padding = fc.nat(2).map((count) => ' '.repeat(count * 20_000));

test('readJson turns a whole number into text if JavaScript may change its digits', async () => {
	const number = fc.oneof(wholeNumber, fc.maxSafeInteger().map(BigInt));
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(padding, number), { minLength: 1, maxLength: 5 }), async (entries) => {
			const json = `{"data":[${entries.map(([space, digits]) => `{"id":${space}${digits}}`).join()}]}`;
			const { value, fieldsWithTextNumbers } = await read(json);
			const { data } = value as { data: Array<{ id: unknown }> };
			expect(data.map(({ id }) => String(id))).toEqual(entries.map(([, digits]) => String(digits)));
			const texts = data.filter(({ id }) => typeof id === 'string');
			const isInexact = ([, digits]: [string, bigint]) => !Number.isSafeInteger(Number(digits));
			expect(texts).toHaveLength(entries.filter(isInexact).length);
			expect(fieldsWithTextNumbers).toEqual(texts.length > 0 ? ['id'] : []);
		}),
		{ numRuns: 100, seed: 1 },
	);
});

const HUGE = '12345678901234567890';
/** JSON texts with too large numbers in lists and fields, with `|` for the commas. */
const { hugeNumbers } = fc.letrec<{ hugeNumbers: string }>((tie) => ({
	hugeNumbers: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom(HUGE, '1'),
		fc.array(tie('hugeNumbers'), { maxLength: 3 }).map((values) => `[${values.join('|')}]`),
		fc
			.uniqueArray(fc.tuple(fc.nat(30), tie('hugeNumbers')), { maxLength: 3, selector: ([field]) => field })
			.map((entries) => `{${entries.map(([field, value]) => `"f${field}":${value}`).join('|')}}`),
	),
}));

test('readJson returns the first ten names of fields with numbers that became text, wherever a slice ends', async () => {
	await fc.assert(
		fc.asyncProperty(hugeNumbers, fc.array(padding, { minLength: 1 }), async (json, spaces) => {
			const { fieldsWithTextNumbers } = await read(json.replaceAll('|', ','));
			let at = 0;
			const padded = json.replace(/\|/g, () => `,${spaces[at++ % spaces.length]}`);
			expect((await read(padded)).fieldsWithTextNumbers).toEqual(fieldsWithTextNumbers);
			expect(fieldsWithTextNumbers.length > 0).toBe(json.includes(HUGE));
		}),
		{ numRuns: 300, seed: 1 },
	);
	const many = `{${Array.from({ length: 12 }, (_, i) => `"f${i}":${HUGE}`).join()}}`;
	const expected = Array.from({ length: 10 }, (_, i) => `f${i}`);
	expect((await read(many)).fieldsWithTextNumbers).toEqual(expected);
});

test.each([
	['{"a":[1,12345678901234567890]}', { a: [1, '12345678901234567890'] }, ['a']],
	['[1e400,-1e400,{"b":1E999}]', ['1e400', '-1e400', { b: '1E999' }], ['', 'b']],
	['{"a":"1e400, 12345678901234567890","b":0.1234567890123456789}', undefined, []],
	['{"a":[{"b":1},9007199254740992]}', { a: [{ b: 1 }, '9007199254740992'] }, ['a']],
	['{"Gr\\u00f6\\u00dfe":123456789012345678901}', { Größe: '123456789012345678901' }, ['Größe']],
])(
	'readJson reads %s without changing a number',
	async (json, expected = JSON.parse(json) as unknown, names) => {
		expect(await read(json)).toEqual({ value: expected, fieldsWithTextNumbers: names });
	},
);

const MAX = 1024 * 1024;
const text = (length: number) => `"${'x'.repeat(length - 2)}"`;
const nested = (levels: number, content = '') => '['.repeat(levels) + content + ']'.repeat(levels);
/** The nested lists are behind what readJson scans byte by byte. */
const listWithNested = (levels: number) =>
	`[${`{"a":${text(1000)}},`.repeat(99)}${`{"a":${nested(levels)}},`.repeat(40)}{}]`;
const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join()}}`;
const items = (count: number) => `[${'0,'.repeat(count - 1)}0]`;
const objectOf = (size: number) => `{"a":[${text(size / 2)},${text(size / 2 - 8)}]}`;

test.each<[string, string, string, string]>([
	['value', 'a text of 1 MB', `[${text(MAX)}]`, `[${text(MAX + 1)}]`],
	['value', 'an object of 1 MB', `{"data":[${objectOf(MAX)}]}`, `{"data":[${objectOf(MAX + 2)}]}`],
	['value', 'white space', `[1,${' '.repeat(MAX)}2]`, `[1,${' '.repeat(2 * MAX)}2]`],
	['fields', 'an object with 10,000 fields', `[${fields(10_000)}]`, `[${fields(10_001)}]`],
	['items', 'a list of 200,000 items', items(200_000), items(200_001)],
	['levels', '1,000 levels', nested(1000), nested(1001)],
	['levels', '1,000 levels with values', nested(1000, 'null,true,1,"a"'), nested(1001, 'null')],
	[
		'levels',
		'1,000 levels in a large text',
		`[${text(40_000)},${nested(999)}]`,
		`[${text(40_000)},${nested(1000)}]`,
	],
	['levels', '1,000 levels in a list of objects', listWithNested(998), listWithNested(999)],
])('the limit "%s" of readJson permits %s, but not more', async (limit, _, permitted, refused) => {
	expect((await read(permitted)).value).toEqual(JSON.parse(permitted));
	await expect(read(refused)).rejects.toEqual(new JsonLimitError(limit as never));
});

test('readJson rejects a text without an end as JSON.parse does, if no limit is exceeded', async () => {
	await expect(read(`{"data":["${'x'.repeat(40_000)}`)).rejects.toBeInstanceOf(SyntaxError);
});

test('readJson takes at most 80 % of the time of a list with spaces between its objects for the same list without spaces', async () => {
	const objects = Array.from({ length: 1000 }, (_, i) => ({ id: i, name: 'A company '.repeat(40) }));
	const [compact, spaced] = [',', ', '].map(
		(separator) => `{"data":[${objects.map((one) => JSON.stringify(one)).join(separator)}]}`,
	);
	const timeOf = async (json: string) => await minimumOfTen(() => processorTime(() => read(json)), 0);
	expect((await timeOf(compact)) / (await timeOf(spaced))).toBeLessThan(0.8);
});

test('readJson takes at most five times the time of a list of 40,000 objects for a list of as many lists of objects', async () => {
	const listOf = (item: string) => `[${`${item},`.repeat(39_999)}${item}]`;
	const timeOf = async (json: string) => await minimumOfTen(() => processorTime(() => read(json)), 0);
	expect((await timeOf(listOf('[{}]'))) / (await timeOf(listOf(' {} ')))).toBeLessThan(5);
});

test('readJson reads a list of 4 MB', async () => {
	const json = `{"data":[${`${text(40_000)},`.repeat(100)}1]}`;
	expect((await read(json)).value).toEqual(JSON.parse(json));
});
