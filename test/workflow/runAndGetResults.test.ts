import type { IDataObject, INode } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import { byId, chainNodes } from '../nodes';
import { agentWithTool, hintsOf, startEnvironment, type Environment } from './environment';
import { fetchDirectly, simplify } from './everyOperation';
import { agent } from './fixtures';

const RESULTS = 3;
const REQUESTS = ['runWorkflow', 'getRun', 'listResults'];

let env: Environment;
beforeAll(async () => {
	env = await startEnvironment({ resultsPerRun: RESULTS });
	env.nodeTypes.add('test.agent', agent);
});
beforeEach(() => {
	env.control.patchSettings({ resultsPerRun: RESULTS, finalStatusByWorkflow: {}, defaultPageSize: 50 });
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

test('Run and Get Results is what a new node does', () => {
	const { description } = env.nodeTypes.getByNameAndVersion('n8n-nodes-prospector.prospector');
	const [resource, operation] = description.properties;
	expect([resource.default, operation.default]).toEqual(['workflow', 'runAndGetResults']);
});

test('one item per company has the fields of its run, of the requests and of its input item', async () => {
	const [input] = createWorkflows(1);
	const items = await env.getItems(parameters(), [input]);
	expect(env.operations()).toEqual(REQUESTS);
	const [start] = requestsOf('runWorkflow');
	const { requestId } = requestsOf('listResults')[0];
	const [runId] = runIds();
	const { data } = await fetchDirectly(env, `/prospector/runs/${runId}/results`);
	expect(data).toHaveLength(RESULTS);
	expect(items).toEqual(
		data.map((result) => ({
			json: {
				...simplify(result),
				...{ run_id: runId, run_status: 'completed' },
				...{ idempotency_key: start.idempotencyKey, request_id: requestId },
			},
			pairedItem: { item: 0 },
		})),
	);
});

test('all pages of the results are read, and each item has the request ID of its page', async () => {
	env.control.patchSettings({ defaultPageSize: 2 });
	const items = await env.getItems(parameters(), createWorkflows(1));
	const pages = requestsOf('listResults').map(({ requestId }) => requestId);
	expect(items.map(({ json }) => json.request_id)).toEqual([pages[0], pages[0], pages[1]]);
});

test.each<[string, IDataObject, string[]]>([
	[
		'Simplify off',
		{ simplify: false },
		[
			'company_name',
			'created_at',
			'id',
			'idempotency_key',
			'lead_id',
			'object',
			'request_id',
			'run_id',
		].concat('run_request_id', 'run_status', 'updated_at'),
	],
	[
		'Prevent Duplicates off, which leaves no key to return',
		{ options: { preventDuplicates: 'off' } },
		['company_name', 'created_at', 'id', 'lead_id', 'request_id', 'run_id', 'run_status'],
	],
	[
		'Fields to Return',
		{ options: { fieldsToReturn: 'lead_id' } },
		['id', 'idempotency_key', 'lead_id', 'request_id', 'run_id', 'run_request_id', 'run_status'],
	],
])('the items have the expected fields with %s', async (_, rest, fields) => {
	const items = await env.getItems(parameters(rest), createWorkflows(1));
	expect(items).toHaveLength(RESULTS);
	for (const { json } of items) expect(Object.keys(json).sort()).toEqual(fields);
});

test('each input item has a run of its own, in input order', async () => {
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

describe('A run that finds nothing', () => {
	beforeEach(() => env.control.patchSettings({ resultsPerRun: 0 }));

	test('leads to no items and a hint, and the execution succeeds', async () => {
		const ended = await env.runNode(parameters(), createWorkflows(1));
		expect(ended.status).toBe('success');
		expect(outputOf(ended, 'Prospector')).toEqual([]);
		expect(hintsOf(ended)).toEqual([`Run '${runIds()[0]}' found nothing (status 'completed').`]);
	});

	test('leads to one empty item with Always Output Data', async () => {
		const ended = await env.runNode(parameters(), createWorkflows(1), { alwaysOutputData: true });
		expect(outputOf(ended, 'Prospector').map(({ json }) => json)).toEqual([{}]);
	});
});

/** Executes three input items, of which the run of the second one fails. */
async function failSecond(onError: INode['onError']) {
	const input = createWorkflows(3);
	env.control.patchSettings({ finalStatusByWorkflow: { [input[1].id]: 'failed' } });
	const ended = await env.runNode(parameters(), input, { onError });
	const [regular, errors] = ended.data.resultData.runData.Prospector[0].data?.main ?? [];
	return { ended, regular: regular ?? [], errors: errors ?? [] };
}
const FAILED = expect.stringMatching(
	/^Run 'run_\w+' ended as 'failed' \(request req_\w+\) \[Item 1\]\. To start a new one, /,
) as string;

describe('A failed run', () => {
	test('fails the execution, and no later item starts a run', async () => {
		const { ended } = await failSecond('stopWorkflow');
		expect(ended.status).toBe('error');
		expect(ended.data.resultData.error).toHaveProperty('context.itemIndex', 1);
		expect(env.operations()).toEqual([...REQUESTS, 'runWorkflow', 'getRun']);
	});

	test('returns an error in its place, and the other items go on, with Continue', async () => {
		const { regular } = await failSecond('continueRegularOutput');
		const items = regular.map(({ json, pairedItem }) => [json.error ?? json.run_status, pairedItem]);
		const completed = (item: number) => Array.from({ length: RESULTS }, () => ['completed', { item }]);
		expect(items).toEqual([...completed(0), [FAILED, { item: 1 }], ...completed(2)]);
		expect(env.operations()).toEqual([...REQUESTS, 'runWorkflow', 'getRun', ...REQUESTS]);
	});

	test('goes to the error output with Continue (using error output)', async () => {
		const { regular, errors } = await failSecond('continueErrorOutput');
		expect(regular.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 2].flatMap((item) => Array.from({ length: RESULTS }, () => ({ item }))),
		);
		expect(errors.map(({ json }) => json)).toEqual([{ error: FAILED }]);
	});
});

describe('As a tool of an AI agent', () => {
	interface Answer extends IDataObject {
		run_id: string;
		idempotency_key: string;
	}
	const answersOf = (ended: Awaited<ReturnType<Environment['run']>>) =>
		outputOf(ended, 'Agent').map(({ json }) => json.answer as Answer[]);

	test('each call starts a run of its own and answers with its results', async () => {
		const [{ id }] = createWorkflows(1);
		const tool = env.prospector(parameters({ workflowId: byId(id) }));
		const ended = await env.run(agentWithTool(tool, 2));
		expect(ended.data.resultData.error).toBeUndefined();
		const answers = answersOf(ended);
		const keys = requestsOf('runWorkflow').map(({ idempotencyKey }) => idempotencyKey);
		expect(new Set(keys).size).toBe(2);
		answers.forEach((answer, call) => {
			expect(answer).toHaveLength(RESULTS);
			for (const result of answer) {
				expect(result).toMatchObject({ run_id: runIds()[call], idempotency_key: keys[call] });
			}
		});
		expect(answers).toHaveLength(2);
	});

	test('the agent gets the message when the run fails', async () => {
		const [{ id }] = createWorkflows(1);
		env.control.patchSettings({ finalStatusByWorkflow: { [id]: 'failed' } });
		const ended = await env.run(agentWithTool(env.prospector(parameters({ workflowId: byId(id) }))));
		expect(ended.data.resultData.error?.message).toContain(
			`Run '${runIds()[0]}' ended as 'failed' (request ${requestsOf('getRun')[0].requestId}). To start a new one, execute the workflow from the start;`,
		);
	});
});

test('the next node can use the item that a result comes from', async () => {
	const [input] = createWorkflows(1);
	const first = env.prospector(parameters(), { name: 'Run it' });
	const next = env.prospector(
		{ resource: 'run', operation: 'get', runId: byId("={{ $('Run it').item.json.run_id }}") },
		{ name: 'Its run' },
	);
	const ended = await env.run(chainNodes(first, next), { input: [{ json: input }] });
	expect(outputOf(ended, 'Its run').map(({ json }) => json.id)).toEqual(Array(RESULTS).fill(runIds()[0]));
});
