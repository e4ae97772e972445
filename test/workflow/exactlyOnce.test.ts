// What random n8n workflows (identity.test.ts) leave out: how often a write is sent, and what keys belong to.
import type { IDataObject, INode, IRun, WorkflowExecuteMode } from 'n8n-workflow';
import { outputOf, stateAfterWait, stateForRetry, type WorkflowFile } from '../../scripts/engine';
import { byId, chainNodes, node } from '../nodes';
import { agentWithTool, startFastEnvironment } from './environment';
import { agentNode, subWorkflowNode, waitNode } from './fixtures';

/** The name of the node under test. */
const START = 'Start';

/** The operations that start runs. */
type Operation = 'run' | 'runAndGetResults';

/** A fast environment with a node that starts runs, and with what the service received from it. */
async function startRunEnvironment() {
	// With one result per run, both operations return one item per run.
	const environment = await startFastEnvironment({ resultsPerRun: 1 });
	const { control, prospector } = environment;
	environment.nodeTypes
		.add('test.wait', waitNode)
		.add('test.subWorkflow', subWorkflowNode)
		.add('test.agent', agentNode);
	const [workflowId] = control.seed({ workflows: 1 }).workflows;
	/** The requests that should start a run, in the order of their arrival. */
	const posts = () => control.journal().filter(({ operation }) => operation === 'runWorkflow');
	return {
		...environment,
		/** By default without the node's own retries, so that the test sees what n8n repeats. */
		startNode: (extra: Partial<INode> = {}, options: IDataObject = {}, operation: Operation = 'run') =>
			prospector(
				{
					...{ resource: 'workflow', operation, workflowId: byId(workflowId) },
					// Simplified results have no idempotency key.
					...{ simplify: false, output: 'raw' },
					options: { retryFor: 0, ...options },
				},
				{ name: START, id: 'start', ...extra },
			),
		posts,
		keys: () => posts().map(({ idempotencyKey }) => idempotencyKey),
		startedRuns: () => posts().filter(({ committed }) => committed).length,
		/** The service starts the run, but the connection ends before its response. */
		loseResponses: (times: number, skip = 0) =>
			control.addFault({ match: { operation: 'runWorkflow' }, kind: 'drop', when: 'after', times, skip }),
	};
}

/** Checks the requests to start a run, their different keys and the started runs. */
const expectStarts = (expected: { requests: number; keys: number; runs: number }) =>
	expect({ requests: env.posts().length, keys: countDistinct(env.keys()), runs: env.startedRuns() }).toEqual(
		expected,
	);
const retry = async (workflow: WorkflowFile, failed: IRun) =>
	await env.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
const statusesOf = (...ended: IRun[]) => ended.map(({ status }) => status);
const countDistinct = (values: unknown[]) => new Set(values).size;

let env: Awaited<ReturnType<typeof startRunEnvironment>>;
beforeAll(async () => (env = await startRunEnvironment()));
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

test('the idempotency key stays the same when an execution fails after a Wait node and is retried', async () => {
	env.loseResponses(1);
	const workflow = chainNodes(node('Wait', 'test.wait', {}), env.startNode());
	const waiting = await env.run(workflow);
	const failed = await env.run(workflow, { state: stateAfterWait(waiting), executionId: 'same' });
	const again = await retry(workflow, failed);
	expect(statusesOf(waiting, failed, again)).toEqual(['waiting', 'error', 'success']);
	expectStarts({ requests: 2, keys: 1, runs: 1 });
});

test.each<WorkflowExecuteMode>(['manual', 'webhook', 'trigger', 'cli', 'integrated'])(
	'only a retry, not a new execution, reuses an idempotency key when the execution mode is %s',
	async (mode) => {
		env.loseResponses(1);
		const workflow = chainNodes(env.startNode());
		const failed = await env.run(workflow, { mode });
		await retry(workflow, failed);
		await env.run(workflow, { mode });
		const [first, retried, next] = env.keys();
		expect(retried).toBe(first);
		expect(next).not.toBe(first);
		expect(env.startedRuns()).toBe(2);
	},
);

test.each<[Operation, Operation]>([
	['runAndGetResults', 'run'],
	['run', 'runAndGetResults'],
])(
	'a retry starts no second run when the operation of the node was changed from %s to %s',
	async (before, after) => {
		env.loseResponses(1);
		const failed = await env.run(chainNodes(env.startNode({}, {}, before)));
		const again = await retry(chainNodes(env.startNode({}, {}, after)), failed);
		expect(statusesOf(failed, again)).toEqual(['error', 'success']);
		expectStarts({ requests: 2, keys: 1, runs: 1 });
	},
);

test.each(['items', 'calls'] as const)(
	'each tool call has its own idempotency key when an AI agent processes %s in parallel',
	async (parallel) => {
		const ended = await env.run(agentWithTool(env.startNode(), 3, parallel));
		expect(ended.status).toBe('success');
		expectStarts({ requests: 3, keys: 3, runs: 3 });
		const answers = outputOf(ended, 'Agent').map(({ json }) => JSON.stringify(json.answer));
		expect(countDistinct(answers)).toBe(3);
	},
);

test.each<[string, number[], Partial<INode>, IDataObject]>([
	['its own retries', [0, 1, 2, 3, 4], {}, { retryFor: 300 }],
	['Retry On Fail', [0, 1, 1, 1], { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 }, {}],
])(
	'the node starts exactly one run for each of ten items when responses are lost and the node uses %s',
	async (_, skips, extra, options) => {
		skips.forEach((skip) => env.loseResponses(1, skip));
		const input = Array.from({ length: 10 }, (_item, n) => ({ json: { n } }));
		const items = outputOf(await env.run(chainNodes(env.startNode(extra, options)), { input }), START);
		expect(countDistinct(items.map(({ json }) => json.id))).toBe(10);
		expect(items.map(({ json }) => json.idempotency_key)).toEqual([...new Set(env.keys())]);
		// What has succeeded is not sent again.
		expectStarts({ requests: 10 + skips.length, keys: 10, runs: 10 });
	},
);

test('each run is started only once when one Prospector node follows another, and in a sub-workflow that is called twice', async () => {
	const start = env.startNode({}, { retryFor: 300 });
	const call = (name: string) => node(name, 'test.subWorkflow', { workflow: 'sub' });
	const subWorkflows = { sub: { ...chainNodes(start), id: 'sub' } };
	for (const workflow of [
		chainNodes(start, { ...start, name: 'Second', id: 'second' }),
		chainNodes(call('Call'), call('Call again')),
	]) {
		env.resetService();
		[0, 1].forEach((skip) => env.loseResponses(1, skip));
		expect((await env.run(workflow, { subWorkflows })).status).toBe('success');
		expectStarts({ requests: 4, keys: 2, runs: 2 });
	}
});

test('a retry sends the same idempotency key, and its message says that the run may have been started, when a refusal follows a lost response', async () => {
	env.loseResponses(1);
	const workflow = chainNodes(env.startNode());
	const lost = await env.run(workflow);
	env.control.addFault({ match: { operation: 'runWorkflow' }, kind: 'status', status: 403 });
	const refused = await retry(workflow, lost);
	expect(refused.data.resultData.error?.description).toContain('The run may have been started');
	expect((await retry(workflow, refused)).status).toBe('success');
	expectStarts({ requests: 3, keys: 1, runs: 1 });
});

test('Retry On Fail deletes nothing twice when a failed item is continued', async () => {
	const { workflows: ids } = env.control.seed({ workflows: 3 });
	env.control.addFault({ match: { operation: 'deleteWorkflow' }, kind: 'status', status: 500 });
	const parameters = {
		resource: 'workflow',
		operation: 'delete',
		workflowId: byId('={{ $json.id }}') as never,
	};
	const extra = {
		onError: 'continueRegularOutput',
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 1,
	} as const;
	const workflow = chainNodes(env.prospector({ ...parameters, options: { retryFor: 0 } }, extra));
	const ended = await env.run(workflow, { input: ids.map((id) => ({ json: { id } })) });
	expect(outputOf(ended, 'Prospector').map(({ json }) => json.deleted)).toEqual([true, true, true]);
	expect(env.operations()).toHaveLength(4);
});
