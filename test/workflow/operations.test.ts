import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import { byId } from '../nodes';
import { startEnvironment, useEnvironment } from './environment';
import {
	fetchDirectly,
	inputFor,
	operationsByTitle,
	parametersFor,
	previewOf,
	simplifyResource,
	type Row,
} from './everyOperation';

// The previews have a version.
const ajv = new Ajv({ strict: false });
const env = useEnvironment(startEnvironment);

const DERIVED_KEY = expect.stringMatching(/^n8n-[0-9a-f]{32}$/) as string;
const itemIndexOf = ({ pairedItem }: { pairedItem?: unknown }) => (pairedItem as { item: number }).item;
/** The requests of an operation, without status checks before them. */
const requestsTo = ({ calls }: Row) => env.journal().filter(({ operation }) => operation === calls);

/** The resources that an operation must return, read from the service itself. */
async function expectedResources(row: Row, id: string, items: IDataObject[]) {
	const collection = row.object === 'prospector_run' ? '/prospector/runs/' : '/prospector/workflows/';
	const resourcePath = collection + (row.keyed ? String(items[0]?.id) : id);
	const path = row.method === 'GET' ? row.path.replace('ID', id) : resourcePath;
	return [(await fetchDirectly(env, path)).data].flat();
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
		const preview = previewOf(`${row.resource}/${row.operation}`);
		expect(returned.filter((json) => !ajv.validate(preview, json))).toEqual([]);
		const names = Object.keys(preview.properties);
		// A write also returns fields of the workspace, and the contract shows no field of the identity.
		const shownNames = [...names, ...(row.method === 'GET' ? [] : ['object', 'updated_at'])];
		const isKnown = (name: string) => row.simplified || shownNames.includes(name);
		expect(Object.keys(returned[0]).filter(isKnown)).toEqual(names);
		const resources = isDeletion ? before : await expectedResources(row, input.id, returned);
		expect(resources.length).toBeGreaterThan(0);
		expect(items).toEqual(
			resources.map((resource) => ({
				json: {
					...(row.simplified ? simplifyResource(resource) : resource),
					...(row.outcome && { run_outcome: row.outcome }),
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

	test('the node returns the error in place of a failed item when On Error is Continue', async () => {
		const input = inputFor(env, row, 3);
		// This status is never retried.
		env.resetService({ kind: 'status', status: 404, skip: 1, match: { operation: row.calls } });
		// Sequential, so that the second request belongs to the second item.
		const options = row.method === 'GET' ? { maxConcurrentRequests: 1 } : {};
		const parameters = parametersFor(row, undefined, { options });
		const ended = await env.runNode(parameters, input, { onError: 'continueRegularOutput' });
		const journal = requestsTo(row);
		const items = outputOf(ended, 'Prospector');
		expect(journal.map(({ path }) => path)).toEqual(
			input.map(({ id }) => `/api/public/v1${row.path.replace('ID', id)}`),
		);
		if (row.body) expect(journal.map(({ body }) => body)).toEqual(input.map(({ name }) => ({ name })));
		if (row.keyed) expect(new Set(journal.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
		expect(items.map(itemIndexOf)).toEqual(items.map(itemIndexOf).sort());
		const ofItem = (index: number) => items.filter((item) => itemIndexOf(item) === index);
		const error = expect.stringContaining(`(request ${journal[1].requestId})`) as string;
		expect(ofItem(1)).toEqual([{ json: { error }, pairedItem: { item: 1 } }]);
		for (const index of [0, 2]) {
			expect(ofItem(index).length).toBeGreaterThan(0);
			for (const { json } of ofItem(index)) expect(json.request_id).toBe(journal[index].requestId);
		}
	});
});

test('the node sends no request and does not fail when there are no input items', async () => {
	const ended = await env.runNode({ resource: 'workflow', operation: 'run', workflowId: byId('wf_1') }, []);
	expect(ended.data.resultData.error).toBeUndefined();
	expect(env.journal()).toEqual([]);
});

// n8n's HTTP helper would send no body.
test('the operation Create sends an empty object as JSON', async () => {
	await env.getItems({ resource: 'workflow', operation: 'create', enterValues: 'json', jsonBody: '{}' });
	expect(env.journal()).toMatchObject([{ bodyText: '{}', contentType: 'application/json', status: 200 }]);
});

test("n8n's HTTP helper sends an ID as one path segment of the URL when the ID has special characters", async () => {
	const ids = [
		...['a/b', '../me', './x', '%2e%2e', '..%2Fme', '/etc', '\\..\\me', 'x?limit=1', 'x#y', 'x&y=z', 'a b'],
		...['@evil.example', '//evil.example/x', ':80', '%', '%00', '東京', 'a{{ 1 }}', '__proto__', 'runs'],
	];
	const parameters = { resource: 'workflow', operation: 'delete', workflowId: byId('={{ $json.id }}') };
	for (const id of ids) expect((await env.getError(parameters, [{ id }])).httpCode).toBe('404');
	expect(env.journal().map(({ path, operation }) => [path, operation])).toEqual(
		ids.map((id) => [`/api/public/v1/prospector/workflows/${encodeURIComponent(id)}`, 'deleteWorkflow']),
	);
});
