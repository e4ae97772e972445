import type { IDataObject } from 'n8n-workflow';
import { byId } from '../nodes';
import { startEnvironment, type Environment } from './environment';
import { fetchDirectly, simplifyResource } from './everyOperation';

const RESULTS = 3;
const REQUESTS = ['runWorkflow', 'getRun', 'listResults'];

let env: Environment;
beforeAll(async () => {
	env = await startEnvironment({ resultsPerRun: RESULTS });
});
beforeEach(() => {
	env.control.patchSettings({ defaultPageSize: 50 });
});
afterAll(async () => await env.close());

const parameters = (rest: IDataObject = {}): IDataObject => ({
	...{ resource: 'workflow', operation: 'runAndGetResults', workflowId: byId('={{ $json.id }}') },
	...rest,
});
function createWorkflows(count: number) {
	const { workflows } = env.control.seed({ workflows: count });
	env.resetService();
	return workflows.map((id) => ({ id }));
}
const requestsOf = (name: string) => env.journal().filter(({ operation }) => operation === name);
/** IDs of the started runs, in the order of their first status checks. */
const runIds = () => [...new Set(requestsOf('getRun').map(({ path }) => String(path.split('/').at(-1))))];

test('the node returns one item per result, with run_id and request_id, when the run has finished', async () => {
	const [input] = createWorkflows(1);
	const items = await env.getItems(parameters(), [input]);
	expect(env.operations()).toEqual(REQUESTS);
	const { requestId } = requestsOf('listResults')[0];
	const [runId] = runIds();
	const { data } = await fetchDirectly(env, `/prospector/runs/${runId}/results`);
	expect(data).toHaveLength(RESULTS);
	expect(items).toEqual(
		data.map((result) => ({
			json: {
				...simplifyResource(result),
				...{ run_id: runId, run_status: 'completed', workflow_id: input.id, request_id: requestId },
			},
			pairedItem: { item: 0 },
		})),
	);
});

test('each item has the request ID of the page that contains its result when the results have several pages', async () => {
	env.control.patchSettings({ defaultPageSize: 2 });
	const items = await env.getItems(parameters(), createWorkflows(1));
	const pages = requestsOf('listResults').map(({ requestId }) => requestId);
	expect(items.map(({ json }) => json.request_id)).toEqual([pages[0], pages[0], pages[1]]);
});

test('each input item starts its own run in input order when there are several input items', async () => {
	const input = createWorkflows(3);
	const items = await env.getItems(parameters(), input);
	expect(env.operations()).toEqual([...REQUESTS, ...REQUESTS, ...REQUESTS]);
	expect(requestsOf('runWorkflow').map(({ path }) => path.split('/').at(-2))).toEqual(
		input.map(({ id }) => id),
	);
	expect(new Set(runIds()).size).toBe(3);
	expect(items.map(({ json, pairedItem }) => [json.run_id, pairedItem])).toEqual(
		runIds().flatMap((id, item) => Array.from({ length: RESULTS }, () => [id, { item }])),
	);
});

test('the idempotency key of a result is null if none was sent', async () => {
	const rest = { simplify: false, options: { preventDuplicates: 'off' } };
	const items = await env.getItems(parameters(rest), createWorkflows(1));
	expect(items.map(({ json }) => json.idempotency_key)).toEqual(Array(RESULTS).fill(null));
});
