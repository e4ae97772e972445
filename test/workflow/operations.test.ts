import { readFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { IDataObject, INode } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import { startEnvironment, type Environment } from './environment';
import {
	fetchDirectly,
	inputFor,
	operationsByTitle,
	parametersFor,
	requestsOf,
	simplifyResource,
	type Row,
} from './everyOperation';

let env: Environment;
beforeAll(async () => (env = await startEnvironment()));
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

const DERIVED_KEY = expect.stringMatching(/^n8n-[0-9a-f]{32}$/) as string;
const itemIndexOf = ({ pairedItem }: { pairedItem?: unknown }) => (pairedItem as { item: number }).item;
/** The requests of an operation, without status checks before them. */
const requestsTo = ({ calls }: Row) => env.journal().filter(({ operation }) => operation === calls);

/** The resources that an operation must return, read from the service itself. */
async function expectedResources(row: Row, id: string, items: IDataObject[]) {
	const created = row.operation === 'run' ? '/prospector/runs/' : '/prospector/workflows/';
	const path = row.keyed ? created + String(items[0]?.id) : row.path.replace('ID', id);
	return [(await fetchDirectly(env, path)).data].flat();
}

/** The fields that n8n shows before the first execution. */
function previewedFields({ resource, operation }: Row): string[] {
	const file = `nodes/Prospector/__schema__/v1.0.0/${resource}/${operation}.json`;
	return Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { properties: object }).properties);
}

describe.each(operationsByTitle)('%s', (_, row) => {
	test('the node sends the documented request and returns one item per resource when the operation succeeds', async () => {
		const [input] = inputFor(env, row, 1);
		const isDeletion = row.operation === 'delete';
		const before = isDeletion ? await expectedResources(row, input.id, []) : [];
		env.resetService();
		const items = await env.getItems(parametersFor(row), [input]);
		const journal = env.journal();
		const { requestId } = journal.at(-1) ?? {};
		const path = `/api/public/v1/prospector/runs/${input.id}`;
		const checks = row.checked ? [{ operation: 'getRun', path }, { operation: 'getWorkflow' }] : [];
		expect(journal).toEqual([
			...checks.map((check): unknown => expect.objectContaining({ ...check, status: 200 })),
			expect.objectContaining({
				method: row.method,
				path: `/api/public/v1${row.path.replace('ID', input.id)}`,
				operation: row.calls,
				query: {},
				keyName: 'full',
				body: row.body ? { name: 'Name 1' } : null,
				contentType: row.body ? 'application/json' : null,
				idempotencyKey: row.keyed ? DERIVED_KEY : null,
				status: 200,
			}),
		]);
		const returned = items.map(({ json }) => json);
		if (row.simplified) expect(Object.keys(returned[0])).toEqual(previewedFields(row));
		const resources = isDeletion ? before : await expectedResources(row, input.id, returned);
		expect(resources.length).toBeGreaterThan(0);
		expect(items).toEqual(
			resources.map((resource) => ({
				json: {
					...(row.simplified ? simplifyResource(resource) : resource),
					...(row.keyed && { idempotency_key: DERIVED_KEY }),
					...(row.checked && { run_id: input.id, run_status: 'completed', workflow_id: expect.any(String) }),
					...(row.checked && { workflow_name: expect.stringMatching(/^Seeded workflow \d+$/) as unknown }),
					...(isDeletion && { deleted: true, updated_at: expect.any(String) }),
					request_id: requestId,
				},
				pairedItem: { item: 0 },
			})),
		);
	});

	test('the node sends the values of each input item and keeps the input order when there are several items', async () => {
		const input = inputFor(env, row, 3);
		env.resetService();
		const items = await env.getItems(parametersFor(row), input);
		expect(env.operations().sort()).toEqual(input.flatMap(() => requestsOf(row)).sort());
		const paths = input.map(({ id }) => `/api/public/v1${row.path.replace('ID', id)}`);
		const place = ({ path }: { path: string }) => paths.indexOf(path);
		const journal = requestsTo(row).sort((a, b) => place(a) - place(b));
		expect(journal.map(({ path }) => path)).toEqual(paths);
		if (row.body) expect(journal.map(({ body }) => body)).toEqual(input.map(({ name }) => ({ name })));
		if (row.keyed) expect(new Set(journal.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);

		const order = journal.map(({ requestId }) => requestId);
		const origins = items.map(({ json }) => order.indexOf(json.request_id as string));
		expect(items.map(itemIndexOf)).toEqual(origins);
		expect([...new Set(origins)]).toEqual([0, 1, 2]);
		expect(origins).toEqual([...origins].sort());
	});

	/** Executes three input items while the service rejects the second with a status that is never retried. */
	async function failSecond(onError: INode['onError']) {
		const input = inputFor(env, row, 3);
		env.resetService({ kind: 'status', status: 404, skip: 1, match: { operation: row.calls } });
		// Sequential, so that the second request belongs to the second item.
		const options = row.method === 'GET' ? { maxConcurrentRequests: 1 } : {};
		const ended = await env.runNode(parametersFor(row, undefined, { options }), input, { onError });
		return { ended, journal: requestsTo(row), items: outputOf(ended, 'Prospector') };
	}

	test('the node returns the error in place of a failed item when On Error is Continue', async () => {
		const { journal, items } = await failSecond('continueRegularOutput');
		expect(journal).toHaveLength(3);
		expect(items.map(itemIndexOf)).toEqual(items.map(itemIndexOf).sort());
		const ofItem = (index: number) => items.filter((item) => itemIndexOf(item) === index);
		const error = expect.stringContaining(`(request ${journal[1].requestId})`) as string;
		expect(ofItem(1)).toEqual([{ json: { error }, pairedItem: { item: 1 } }]);
		for (const index of [0, 2]) {
			expect(ofItem(index).length).toBeGreaterThan(0);
			for (const { json } of ofItem(index)) expect(json.request_id).toBe(journal[index].requestId);
		}
	});

	test('the node sends no request after a failed item when On Error is Stop Workflow', async () => {
		const { ended } = await failSecond('stopWorkflow');
		expect(env.operations()).toEqual([...requestsOf(row), ...requestsOf(row)]);
		expect(ended.status).toBe('error');
		expect(ended.data.resultData.error?.message).toMatch(/ \[Item 1\]$/);
		expect(ended.data.resultData.error).toHaveProperty('context.itemIndex', 1);
	});
});

test('the node sends no request and does not fail when there are no input items', async () => {
	const ended = await env.runNode({ resource: 'account', operation: 'getSettings' }, []);
	expect(ended.data.resultData.error).toBeUndefined();
	expect(env.journal()).toEqual([]);
});

describe('The request body', () => {
	const create = (rest: IDataObject) => ({ resource: 'workflow', operation: 'create', ...rest });
	const fields = (value: IDataObject) =>
		create({ enterValues: 'fields', fields: { mappingMode: 'defineBelow', value } });
	const json = (jsonBody: unknown) => create({ enterValues: 'json', jsonBody } as IDataObject);

	const object = { name: 'Textiles, Lyon', depth: { pages: 2 } };

	const edited = { name: '={{ $json.title }}', tags: '={{ $json.tags }}', priority: 3, status: null };
	const title = 'Fair';

	test.each<[string, IDataObject, IDataObject, IDataObject]>([
		['fields', fields(edited), { title, tags: ['a'] }, { name: 'Fair', tags: ['a'], priority: 3 }],
		['fields that were never edited', create({}), { name: 'ignored' }, {}],
		['JSON text', json('={ "name": "{{ $json.title }}" }'), { title }, { name: 'Fair' }],
		['an expression that returns an object', json('={{ $json }}'), object, object],
		// n8n's HTTP helper would send no body.
		['an expression that returns an empty object', json('={{ {} }}'), {}, {}],
		['characters beyond ASCII', json('{ "name": "Zürich – 東京 🏔" }'), {}, { name: 'Zürich – 東京 🏔' }],
	])(
		'the operation Create sends a JSON object when the body is built from %s',
		async (_, parameters, input, body) => {
			const [item] = await env.getItems(parameters, [input]);
			expect(env.journal()).toEqual([
				expect.objectContaining({ body, contentType: 'application/json', status: 200, committed: true }),
			]);
			const { data } = await fetchDirectly(env, `/prospector/workflows/${String(item.json.id)}`);
			expect(data).toMatchObject({ name: 'Untitled workflow', ...body });
		},
	);
});
