import type { IDataObject } from 'n8n-workflow';
import {
	fetchDirectly as ask,
	operationsByTitle as byTitle,
	findOperation as find,
	inputFor,
	parametersFor,
	type Row,
} from '../../workflow/everyOperation';
import { PATIENT, startE2e, type E2e } from '../bench';
import { itemsOf, jsonOf } from '../n8n/executions';
import { clicked, items } from '../n8n/workflows';

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e();
}, PATIENT);
afterAll(async () => await e2e.close());
beforeEach(() => e2e.forget());

/** Executes one Prospector node over input items, which must go well. */
async function run(parameters: IDataObject, input: IDataObject[] = [{}]) {
	const ended = await e2e.workflows.execute(
		clicked(items('Input', input), e2e.prospector('Prospector', parameters)),
	);
	expect([ended.status, ended.data?.resultData.error?.message]).toEqual(['success', undefined]);
	return ended;
}

/** What an operation must put out, learned from the service itself; of Create and Run, from their answer's id. */
async function truth(row: Row, id: string, made?: unknown): Promise<IDataObject[]> {
	const ofMade = row.operation === 'run' ? '/prospector/runs/' : '/prospector/workflows/';
	return [(await ask(e2e, row.keyed ? ofMade + String(made) : row.path.replace('ID', id))).data].flat();
}

const KEY = expect.stringMatching(/^n8n-[0-9a-f]{32}$/) as string;

describe('Every operation', () => {
	it.each(byTitle)(
		'%s sends the request of the contract and puts out what the service has',
		async (_, row) => {
			const input = inputFor(e2e, row, 2);
			const before =
				row.operation === 'delete' ? await Promise.all(input.map(({ id }) => truth(row, id))) : [];
			e2e.forget();
			// Requests side by side arrive in any order.
			const options = row.method === 'GET' ? { maxConcurrentRequests: 1 } : {};
			const ended = await run(parametersFor(row, undefined, { options }), input);
			const journal = e2e.control.journal();
			expect(journal).toEqual(
				input.map(({ id, name }) =>
					expect.objectContaining({
						method: row.method,
						path: `/api/public/v1${row.path.replace('ID', id)}`,
						operation: row.calls,
						query: {},
						keyName: 'full',
						body: row.body ? { name } : null,
						contentType: row.body ? 'application/json' : null,
						idempotencyKey: row.keyed ? KEY : null,
						status: 200,
						committed: row.method !== 'GET',
					}),
				),
			);
			const keys = journal.map(({ idempotencyKey }) => idempotencyKey);
			if (row.keyed) expect(new Set(keys).size).toBe(2);

			const out = itemsOf(ended, 'Prospector');
			const resources = await Promise.all(
				input.map(async ({ id }, i) => before[i] ?? (await truth(row, id, out[i]?.json.id))),
			);
			const expected = resources.flatMap((ofItem, item) =>
				ofItem.map((resource) => ({
					json: {
						...resource,
						...(row.operation === 'delete' && { deleted: true, updated_at: expect.any(String) as string }),
						...(row.keyed && { idempotency_key: keys[item] }),
						request_id: journal[item].requestId,
					},
					pairedItem: { item },
				})),
			);
			expect(expected.length).toBeGreaterThan(1);
			expect(out).toEqual(expected);
		},
	);

	const lists = byTitle.filter(([, { list }]) => list);

	it.each(lists)('%s reads all pages: every resource once, in the order of the service', async (_, row) => {
		const { control } = e2e.sandbox;
		const { workflows, runs, results } = control.seed({
			workflows: [{ runs: [{ results: 23 }, ...Array.from({ length: 22 }, () => ({ results: 0 }))] }],
		});
		control.seed({ workflows: 23 });
		const id = row.id === 'runId' ? runs[0] : workflows[0];
		const listed = (await ask(e2e, `${row.path.replace('ID', id)}?limit=100`)).data as IDataObject[];
		const known = { Run: runs, Result: results, Workflow: listed.map((one) => one.id) }[
			row.title.split(' ')[0] as 'Run' | 'Result' | 'Workflow'
		];
		expect(known.length).toBeGreaterThanOrEqual(23);
		control.patchSettings({ defaultPageSize: 5 });
		e2e.forget();
		const out = jsonOf(await run(parametersFor(row), [{ id }]), 'Prospector');
		control.patchSettings({ defaultPageSize: 50 });

		expect(out.map((item) => item.id)).toEqual(listed.map((one) => one.id));
		expect([...out.map((item) => item.id)].sort()).toEqual([...known].sort());
		const journal = e2e.control.journal();
		expect(journal).toHaveLength(Math.ceil(known.length / 5));
		// Every item names the page that brought it.
		expect(out.map((item) => item.request_id)).toEqual(
			known.map((__, i) => journal[Math.floor(i / 5)].requestId),
		);
	});

	it.each(lists)('%s stops reading when Limit is met', async (_, row) => {
		const { workflows, runs } = e2e.control.seed({
			workflows: [{ runs: [{ results: 9 }, ...Array.from({ length: 8 }, () => ({}))] }],
		});
		e2e.control.seed({ workflows: 9 });
		const id = row.id === 'runId' ? runs[0] : workflows[0];
		const parameters = parametersFor(row, id, { returnAll: false, limit: 7, options: { pageSize: 4 } });
		const out = jsonOf(await run(parameters), 'Prospector');
		const listed = (await ask(e2e, `${row.path.replace('ID', id)}?limit=7`)).data as IDataObject[];
		expect(out.map((item) => item.id)).toEqual(listed.map((one) => one.id));
		expect(e2e.requests(row.calls).filter(({ query }) => query.limit === '4')).toHaveLength(2);
	});

	it('reads several items side by side, and puts them out in the order of the input', async () => {
		const row = find('Run › get');
		const input = inputFor(e2e, row, 8);
		e2e.control.addFault({ match: { path: input[0].id }, kind: 'slow', delayMs: 1000 });
		const ended = await run(parametersFor(row), input);
		expect(jsonOf(ended, 'Prospector').map(({ id }) => id)).toEqual(input.map(({ id }) => id));
	});

	const value = { name: '={{ $json.title }}', priority: 3, status: 'paused' };
	const byFields = {
		specifyBody: 'fields',
		fields: { mappingMode: 'defineBelow', value },
		additionalFields: { field: [{ name: 'places', type: 'array', value: '["Graz"]' }] },
	};
	const byJson = {
		specifyBody: 'json',
		jsonBody: '={ "name": "{{ $json.title }}", "priority": 3, "status": "paused", "places": ["Graz"] }',
	};
	const body = { name: 'Fair in Zürich', priority: 3, status: 'paused', places: ['Graz'] };

	it.each([
		['Workflow › create', 'fields', byFields],
		['Workflow › create', 'JSON', byJson],
		['Workflow › update', 'fields', byFields],
		['Workflow › update', 'JSON', byJson],
	])('%s takes its body as %s', async (title, _, parameters) => {
		const row = find(title);
		const [{ id }] = inputFor(e2e, row, 1);
		const ended = await run(parametersFor(row, id, parameters), [{ title: 'Fair in Zürich' }]);
		expect(e2e.control.journal()).toEqual([
			expect.objectContaining({
				operation: row.calls,
				body,
				contentType: 'application/json',
				committed: true,
			}),
		]);
		const [out] = jsonOf(ended, 'Prospector');
		expect(out).toMatchObject(body);
		expect((await ask(e2e, `/prospector/workflows/${String(out.id)}`)).data).toMatchObject(body);
	});

	it.each(['Workflow › create', 'Workflow › update'])(
		'%s sends an empty JSON object as one',
		async (title) => {
			const row = find(title);
			const [{ id }] = inputFor(e2e, row, 1);
			const ended = await run(parametersFor(row, id, { specifyBody: 'json', jsonBody: '{}' }));
			expect(e2e.control.journal()).toEqual([
				expect.objectContaining({ body: {}, contentType: 'application/json', status: 200, committed: true }),
			]);
			expect(jsonOf(ended, 'Prospector')).toEqual([
				expect.objectContaining({ object: 'prospector_workflow' }),
			]);
		},
	);
});
