import type { IDataObject } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { fakeDependencies } from '../helpers/fakeClock';
import { expectError, fakeEditor, httpResponse, listResponse } from '../helpers/support';

type Answers = Parameters<typeof fakeEditor>[0];

/** Returns the fields that the editor shows, and the queries that were sent. */
async function fieldsFrom(answers: Answers, operation = 'create', credential = {}, value?: IDataObject) {
	const { context, requests } = fakeEditor(answers, { operation, 'fields.value': value }, credential);
	const { resourceMapping } = new Prospector(fakeDependencies()).methods;
	const { fields } = await resourceMapping.getWorkflowFields.call(context);
	return { fields, names: fields.map(({ id }) => id), queries: requests.map(({ qs }) => qs) };
}
const more = (next_cursor: string) => ({ has_more: true, next_cursor });

test('the resource mapper offers the fields name and status if the workspace has no Prospector workflow', async () => {
	// n8n takes a list without "readOnly" or "removed" for one that a model wrote, and loads it at each opening.
	const hidden = { required: false, defaultMatch: false, canBeUsedToMatch: false, readOnly: false };
	const field = { type: 'string', display: true, removed: false, ...hidden };
	const { fields } = await fieldsFrom([listResponse([])]);
	expect(fields).toEqual(['name', 'status'].map((id) => ({ id, displayName: id, ...field })));
});

const A = { zone: null, audience: 1, name: 'a' };
const B = { zone: 2, budget: 1, industry: 'x' };
test.each<[string, object[]]>([
	['audience budget industry zone', [A, B]],
	['', [{ id: 'wf_1', object: 'x', created_at: 'x', updated_at: 'x' }]],
	['__proto__ constructor', [JSON.parse('{"__proto__": 1, "constructor": 1}') as IDataObject]],
	['industry', new Array<object>(125_000).fill({ industry: 'Freight' })],
])(
	'the resource mapper offers name, status and the Prospector workflow fields "%s"',
	async (others, list) => {
		const { names } = await fieldsFrom([listResponse(list)]);
		expect(names.join(' ')).toBe(`name status ${others}`.trim());
	},
);

test.each<[unknown[], string]>([
	[['a'], 'string'],
	[[1, 2.5], 'number'],
	[[true], 'boolean'],
	[[[1]], 'array'],
	[[{ a: 1 }], 'object'],
	[[null, 1, null], 'number'],
	[[null], 'string'],
	[[[1], {}, [2]], 'string'],
	[[1, 'a', 2], 'string'],
])('the resource mapper gives a field with the values %j the type %s', async (values, type) => {
	const { fields } = await fieldsFrom([
		listResponse(values.map((field) => ({ field, name: 5, status: [] }))),
	]);
	expect(fields.map((field) => field.type)).toEqual(['string', 'string', type]);
});

test('the resource mapper shows at most 1,000 inferred fields, and those as text whose types differ in a later Prospector workflow', async () => {
	const numbers = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]));
	const { fields } = await fieldsFrom([listResponse([numbers, { f0: 'text', other: 1 }])]);
	expect(fields).toHaveLength(1002);
	expect(fields.filter(({ type }) => type === 'string').map(({ id }) => id)).toEqual([
		'name',
		'status',
		'f0',
	]);
});

const FILLED = { zone: 2, industry: 'Freight', status: null };
test.each<[string, IDataObject | undefined, string[]]>([
	['create', undefined, ['name', 'status']],
	['create', FILLED, ['name', 'status', 'zone', 'industry']],
	['update', undefined, []],
	['update', FILLED, ['zone', 'industry']],
])(
	'the resource mapper for %s initially shows, with the values %j, the fields %j',
	async (operation, value, shown) => {
		const { fields } = await fieldsFrom([listResponse([{ zone: 1, audience: 1 }])], operation, {}, value);
		expect(fields.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual(shown);
	},
);

test('the resource mapper reads pages with the configured cursor parameter until it has 200 Prospector workflows', async () => {
	const pageOf = (count: number, name: string, cursor: string) =>
		listResponse(new Array<object>(count).fill({ [name]: 1 }), more(cursor));
	const answers = [pageOf(199, 'a', 'c2'), pageOf(1, 'b', 'c3'), pageOf(1, 'c', 'c4')];
	const credential = { showAdvanced: true, cursorParameter: 'after' };
	const { names, queries } = await fieldsFrom(answers, 'create', credential);
	expect([names, queries]).toEqual([
		['name', 'status', 'a', 'b'],
		[{}, { after: 'c2' }],
	]);
});

test('the resource mapper offers only name and status if the API key may not read, but reports any other failure', async () => {
	expect((await fieldsFrom([httpResponse(403, '')])).names).toEqual(['name', 'status']);
	for (const before of [[], [listResponse([{ zone: 1 }], more('c2'))]]) {
		const refused = async (status: number) =>
			(await expectError(async () => await fieldsFrom([...before, httpResponse(status, '')]))).message;
		expect(await refused(401)).toBe('The API key was not accepted');
		expect(await refused(429)).toBe('The API key has reached its limit of requests');
	}
});
