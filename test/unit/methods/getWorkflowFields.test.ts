import type { IDataObject } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { fakeDependencies } from '../helpers/fakeClock';
import { expectError, fakeEditor, httpResponse, listResponse } from '../helpers/support';

type Answers = Parameters<typeof fakeEditor>[0];

/** Returns the fields that the editor shows, and the queries that were sent. */
async function fieldsFrom(answers: Answers, operation = 'create') {
	const { context, requests } = fakeEditor(answers, operation);
	const { resourceMapping } = new Prospector(fakeDependencies()).methods ?? {};
	const { fields } = await resourceMapping!.getWorkflowFields.call(context);
	return { fields, names: fields.map(({ id }) => id), queries: requests.map(({ qs }) => qs) };
}
const namesIn = async (workflows: object[]) => (await fieldsFrom([listResponse(workflows)])).names;
const more = (next_cursor: string) => ({ has_more: true, next_cursor });

describe('the fields of Create and Update', () => {
	test('are name and status in an empty workspace', async () => {
		expect((await fieldsFrom([listResponse([])])).fields).toEqual(
			['name', 'status'].map((id) => ({
				...{ id, displayName: id, type: 'string', required: false, defaultMatch: false },
				...{ canBeUsedToMatch: false, display: true, removed: false },
			})),
		);
	});

	test('are then those that all Prospector workflows have, then those of some, each by name', async () => {
		const workflows = [
			{ zone: null, audience: 1, name: 'a' },
			{ zone: 2, budget: 1, industry: 'x' },
			{ zone: 3, audience: 2, industry: 'y' },
		];
		expect(await namesIn(workflows)).toEqual(['name', 'status', 'zone', 'audience', 'budget', 'industry']);
		expect(await namesIn(workflows.slice(1))).toEqual([
			...['name', 'status', 'industry', 'zone', 'audience', 'budget'],
		]);
	});

	test('do not include fields that only the service sets', async () => {
		const fields = { id: 'wf_1', object: 'x', created_at: 'x', updated_at: 'x' };
		expect(await namesIn([fields])).toEqual(['name', 'status']);
	});

	test.each(['__proto__', 'constructor', 'toString'])('can be called %s', async (name) => {
		const workflow = JSON.parse(`{"${name}": 1}`) as IDataObject;
		expect(await namesIn([workflow])).toEqual(['name', 'status', name]);
		expect(await namesIn([workflow, {}])).toEqual(['name', 'status', name]);
	});

	test.each<[unknown[], string]>([
		[['a'], 'string'],
		[[1, 2.5], 'number'],
		[[true], 'boolean'],
		[[[1]], 'array'],
		[[{ a: 1 }], 'object'],
		[[null, 1, null], 'number'],
		[[null], 'string'],
		[['a', 1], 'string'],
		[[[1], {}, [2]], 'string'],
		[[1, 'a', 2], 'string'],
	])('that hold %j have the type %s', async (values, type) => {
		const { fields } = await fieldsFrom([listResponse(values.map((field) => ({ field })))]);
		expect(fields.find(({ id }) => id === 'field')?.type).toBe(type);
	});

	test('keep the type of name and status', async () => {
		const { fields } = await fieldsFrom([listResponse([{ name: 5, status: [] }])]);
		expect(fields.map(({ type }) => type)).toEqual(['string', 'string']);
	});

	test.each([
		['create', [false, false, true]],
		['update', [true, true, true]],
	])('are hidden at first, for %s: %j', async (operation, removed) => {
		const { fields } = await fieldsFrom([listResponse([{ zone: 1 }])], operation);
		expect(fields.map((field) => field.removed)).toEqual(removed);
	});

	test('are learned from all pages, up to 200 Prospector workflows', async () => {
		const pageOf = (count: number, name: string, cursor: string) =>
			listResponse(
				Array.from({ length: count }, () => ({ [name]: 1 })),
				more(cursor),
			);
		const { names, queries } = await fieldsFrom([
			pageOf(199, 'a', 'c2'),
			pageOf(1, 'b', 'c3'),
			pageOf(1, 'c', 'c4'),
		]);
		expect(names).toEqual(['name', 'status', 'a', 'b']);
		expect(queries).toEqual([{}, { cursor: 'c2' }]);
	});

	test('are found in 125,000 Prospector workflows on one page', async () => {
		const workflows = Array.from({ length: 125_000 }, () => ({ industry: 'Freight' }));
		expect(await namesIn(workflows)).toEqual(['name', 'status', 'industry']);
	});

	test.each<[string, Answers, string[]]>([
		['with a key that may not read', [httpResponse(403, '')], ['name', 'status']],
		[
			'if the list breaks off',
			[listResponse([{ zone: 1 }], more('c2')), httpResponse(401, '')],
			['name', 'status', 'zone'],
		],
	])('are those that are known %s', async (_, answers, expected) => {
		expect((await fieldsFrom(answers)).names).toEqual(expected);
	});

	test('are not guessed if the service refuses the key', async () => {
		const { message } = await expectError(async () => await fieldsFrom([httpResponse(401, '')]));
		expect(message).toBe('The API key was not accepted');
	});
});
