import type { INodeListSearchResult, ResourceMapperFields } from 'n8n-workflow';
import { askEditor } from './editorCalls';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
beforeEach(() => {
	bench.sandbox.control.reset();
	bench.sandbox.control.patchSettings({ limit: 100_000, runStageMs: 0 });
});
afterAll(async () => await bench.close());

const journal = () => bench.sandbox.control.journal();

describe('The fields of Create and Update', () => {
	const fieldsFor = async (operation: string) =>
		(
			await askEditor<ResourceMapperFields>(bench, 'resourceMapping', 'getWorkflowFields', {
				parameters: { operation },
			})
		).fields;

	it('are learned from the workflows there are, with their types', async () => {
		bench.sandbox.control.seed({
			workflows: [
				{ fields: { max: 5, live: true, tags: ['a'], geo: { x: 1 }, mixed: 1 } },
				{ fields: { mixed: 'a' } },
			],
		});
		const types = (await fieldsFor('create')).map(({ id, type }) => [id, type]);
		expect(types).toEqual([
			['name', 'string'],
			['status', 'string'],
			['description', 'string'],
			['geo', 'object'],
			['live', 'boolean'],
			['max', 'number'],
			['mixed', 'string'],
			['tags', 'array'],
		]);
	});

	it.each([
		['create', ['name', 'status']],
		['update', []],
	])('of %s are shown from the start only where they are to be filled in: %j', async (operation, shown) => {
		const fields = await fieldsFor(operation);
		expect(fields.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual(shown);
		expect(fields.every(({ required }) => !required)).toBe(true);
	});

	it('do not read a large workspace through', async () => {
		bench.sandbox.control.seed({ workflows: 400 });
		await fieldsFor('create');
		expect(journal()).toHaveLength(4);
	});
});

const methods = [
	['listSearch', 'searchWorkflows'],
	['listSearch', 'searchRuns'],
	['resourceMapping', 'getWorkflowFields'],
] as const;

describe.each(methods)('%s %s', (kind, method) => {
	it('tells a person in words why nothing can be shown', async () => {
		await expect(askEditor(bench, kind, method, { key: 'revoked' })).rejects.toThrow(
			'The API key was not accepted (request req_',
		);
		bench.prepare({ kind: 'notJson' });
		await expect(askEditor(bench, kind, method)).rejects.toThrow(
			'answered with a web page instead of Prospector data',
		);
		await bench.credential('empty', { baseUrl: '' });
		await expect(askEditor(bench, kind, method, { key: 'empty' })).rejects.toThrow(
			"The credential has no 'Base URL'",
		);
	});

	it('changes nothing and sends no idempotency key', async () => {
		await askEditor(bench, kind, method);
		expect(journal().every((entry) => entry.method === 'GET' && entry.idempotencyKey === null)).toBe(true);
		expect(journal().length).toBeGreaterThan(0);
	});

	it('copes with a workspace that has no workflows', async () => {
		const pagination = { has_more: false };
		bench.prepare({ kind: 'notEnvelope', body: { data: [], pagination, request_id: 'req_1' } });
		const answer = await askEditor<INodeListSearchResult & ResourceMapperFields>(bench, kind, method);
		expect((answer.results ?? answer.fields).length).toBe(kind === 'listSearch' ? 0 : 2);
	});
});
