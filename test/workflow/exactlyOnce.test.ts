/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import type { IDataObject, INode, IRun, IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';
import {
	initialState,
	outputOf,
	stateAfterKill,
	stateAfterWait,
	stateForRetry,
	type WorkflowFile,
} from '../../scripts/engine';
import { byId, chainNodes, node } from '../nodes';
import { agentWithTool, startFastEnvironment } from './environment';
import { agentNode, failingNode, loopNode, subWorkflowNode, waitNode } from './fixtures';

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
		.add('test.loop', loopNode)
		.add('test.wait', waitNode)
		.add('test.subWorkflow', subWorkflowNode)
		.add('test.agent', agentNode);
	const [workflowId] = control.seed({ workflows: 1 }).workflows;

	/** By default without the node's own retries, so that the test sees what n8n repeats. */
	const startNode = (extra: Partial<INode> = {}, options: IDataObject = {}, operation: Operation = 'run') =>
		prospector(
			{
				resource: 'workflow',
				operation,
				workflowId: byId(workflowId),
				// Simplified results have no idempotency key.
				...{ simplify: false, output: 'raw' },
				options: { retryFor: 0, ...options },
			},
			{ name: START, id: 'start', ...extra },
		);
	/** The requests that should start a run, in the order of their arrival. */
	const posts = () => control.journal().filter(({ operation }) => operation === 'runWorkflow');
	return {
		...environment,
		startNode,
		posts,
		keys: () => posts().map(({ idempotencyKey }) => idempotencyKey),
		startedRuns: () => posts().filter(({ committed }) => committed).length,
		/** The service starts the run, but the connection ends before its response. */
		loseResponses: (times: number, skip = 0) =>
			control.addFault({ match: { operation: 'runWorkflow' }, kind: 'drop', when: 'after', times, skip }),
		/** Loop → Start → back to Loop. */
		loopWorkflow(start = startNode()): WorkflowFile {
			const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
			return {
				nodes: [node('Loop', 'test.loop', {}), start],
				connections: { Loop: { main: [[], to(start.name)] }, [start.name]: { main: [to('Loop')] } },
			};
		},
		/** Two calls of a sub-workflow that holds the given node. */
		callTwice: (start: INode) => {
			const call = (name: string) => node(name, 'test.subWorkflow', { workflow: 'sub' });
			const subWorkflows = { sub: { ...chainNodes(start), id: 'sub' } };
			return [chainNodes(call('Call'), call('Call again')), { subWorkflows }] as const;
		},
		/** The state of a new execution on an n8n version that has no resume token. */
		stateWithoutToken: (start = startNode()) =>
			({ ...initialState(chainNodes(start)), resumeToken: undefined }) as IRunExecutionData,
	};
}

const OPERATIONS: Operation[] = ['run', 'runAndGetResults'];

type RunEnvironment = Awaited<ReturnType<typeof startRunEnvironment>>;

/** Checks the requests to start a run, their different keys and the started runs. */
const expectStarts = (expected: { requests: number; keys: number; runs: number }) =>
	expect({ requests: env.posts().length, keys: countDistinct(env.keys()), runs: env.startedRuns() }).toEqual(
		expected,
	);
const retry = async (workflow: WorkflowFile, failed: IRun) =>
	await env.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
const statusesOf = (...ended: IRun[]) => ended.map(({ status }) => status);
const countDistinct = (values: unknown[]) => new Set(values).size;

let env: RunEnvironment;
beforeAll(async () => (env = await startRunEnvironment()));
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

/** Before 2.14, n8n has no resume token: there, a node cannot recognize an execution whose process was killed (docs/guarantees.md). */
const testWithResumeToken = process.env.compat === 'n8n1' ? test.skip : test;

const agentAgain = () => node('Again', 'test.agent', { calls: 3, parallel: 'calls' });

const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ json: { n } }));
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };

describe.each(OPERATIONS)('Repeated executions of the operation %s', (operation) => {
	const startNode = (extra?: Partial<INode>, options?: IDataObject) =>
		env.startNode(extra, options, operation);

	test('the idempotency key stays the same when a failed execution and its failed retry are retried', async () => {
		env.loseResponses(2);
		const workflow = chainNodes(startNode());
		const failed = await env.run(workflow);
		const again = await retry(workflow, failed);
		const last = await retry(workflow, again);
		expect(statusesOf(failed, again, last)).toEqual(['error', 'error', 'success']);
		expectStarts({ requests: 3, keys: 1, runs: 1 });
		expect(outputOf(last, START)[0].json.idempotency_key).toBe(env.keys()[0]);
	});

	test('the idempotency key stays the same in a retry when n8n saves no resume token, as in n8n 1', async () => {
		env.loseResponses(1);
		const workflow = chainNodes(startNode());
		const failed = await env.run(workflow, { state: env.stateWithoutToken(startNode()) });
		const again = await retry(workflow, failed);
		expect(again.status).toBe('success');
		expectStarts({ requests: 2, keys: 1, runs: 1 });
	});

	testWithResumeToken(
		'the idempotency key stays the same when n8n is killed after the run started and the execution starts over',
		async () => {
			env.loseResponses(1);
			const workflow = chainNodes(startNode());
			const before = initialState(workflow);
			const killed = await env.run(workflow, { state: structuredClone(before) });
			const again = await env.run(workflow, { mode: 'retry', state: structuredClone(before) });
			expect([killed.status, again.status]).toEqual(['error', 'success']);
			expectStarts({ requests: 2, keys: 1, runs: 1 });
		},
	);

	testWithResumeToken(
		'each loop iteration sends its earlier idempotency key again when n8n was killed and the loop starts over',
		async () => {
			const workflow = env.loopWorkflow(startNode());
			const before = initialState(workflow, itemsOf(2));
			const whole = await env.run(workflow, { state: structuredClone(before) });
			const first = env.keys();
			const { runData } = stateAfterKill(before, whole).resultData;
			// Killed in the second round; n8n has saved the first one and continues to count the rounds.
			for (const runs of Object.values(runData)) runs.splice(1);
			const state = structuredClone(before);
			state.resultData.runData = runData;
			const again = await env.run(workflow, { mode: 'retry', state });
			expect(again.status).toBe('success');
			expect(env.keys().slice(2)).toEqual(first);
			expect(env.startedRuns()).toBe(2);
		},
	);

	test('the idempotency key stays the same when n8n is killed during a retry and the execution is retried again', async () => {
		const { type, state } = failingNode();
		env.nodeTypes.add('test.failing', type);
		const workflow = chainNodes(startNode(), node('Behind', 'test.failing', {}));
		env.loseResponses(1);
		const before = stateForRetry(await env.run(workflow));
		const killed = await env.run(workflow, { mode: 'retry', state: structuredClone(before) });
		state.fails = false;
		const left = stateAfterKill(before, { ...killed, data: stateForRetry(killed) });
		const again = await env.run(workflow, { mode: 'retry', state: left });
		expect(again.status).toBe('success');
		expectStarts({ requests: 3, keys: 1, runs: 1 });
	});

	test('the idempotency key stays the same when an execution fails after a Wait node and is retried', async () => {
		env.loseResponses(1);
		const workflow = chainNodes(node('Wait', 'test.wait', {}), startNode());
		const waiting = await env.run(workflow);
		const executionId = `same: ${operation}`;
		const failed = await env.run(workflow, { state: stateAfterWait(waiting), executionId });
		const again = await retry(workflow, failed);
		expect(statusesOf(waiting, failed, again)).toEqual(['waiting', 'error', 'success']);
		expectStarts({ requests: 2, keys: 1, runs: 1 });
	});

	test('the idempotency key stays the same when the node is renamed before a failed loop is retried', async () => {
		env.loseResponses(1, 2);
		const failed = await env.run(env.loopWorkflow(startNode()), { input: itemsOf(6) });
		expect([failed.status, env.posts().length]).toEqual(['error', 3]);
		const renamed = startNode({ name: 'Renamed' });
		const state = stateForRetry(failed);
		state.executionData!.nodeExecutionStack[0].node = renamed;
		const again = await env.run(env.loopWorkflow(renamed), { mode: 'retry', state });
		expect(again.status).toBe('success');
		expect(env.keys()[3]).toBe(env.keys()[2]);
		expect(countDistinct(env.keys())).toBe(6);
		expect(env.startedRuns()).toBe(6);
	});
});

describe.each(OPERATIONS)('Separate executions of the operation %s', (operation) => {
	const startNode = () => env.startNode({}, {}, operation);

	test.each<WorkflowExecuteMode>(['manual', 'webhook', 'trigger', 'cli', 'integrated'])(
		'only a retry, not a new execution, reuses an idempotency key when the execution mode is %s',
		async (mode) => {
			env.loseResponses(1);
			const workflow = chainNodes(startNode());
			const failed = await env.run(workflow, { mode });
			await retry(workflow, failed);
			await env.run(workflow, { mode });
			const [first, retried, next] = env.keys();
			expect(retried).toBe(first);
			expect(next).not.toBe(first);
			expect(env.startedRuns()).toBe(2);
		},
	);

	test.each(['items', 'calls'] as const)(
		'each tool call has its own idempotency key when an AI agent processes %s in parallel',
		async (parallel) => {
			const ended = await env.run(agentWithTool(startNode(), 3, parallel));
			expect(ended.status).toBe('success');
			expect(countDistinct(env.keys())).toBe(3);
			const ids = outputOf(ended, 'Agent').map(({ json }) => JSON.stringify(json.answer));
			expect(countDistinct(ids)).toBe(3);
		},
	);

	test('a second AI agent sends new idempotency keys in a retry when the first agent had started runs before the execution failed', async () => {
		const { type, state } = failingNode();
		env.nodeTypes.add('test.failing', type);
		[100, 50].forEach((delayMs) =>
			env.control.addFault({ match: { operation: 'runWorkflow' }, kind: 'slow', when: 'after', delayMs }),
		);
		const agentThenFailing = agentWithTool(startNode(), 3, 'calls');
		const workflow = {
			nodes: [...agentThenFailing.nodes, node('Behind', 'test.failing', {}), agentAgain()],
			connections: {
				...agentThenFailing.connections,
				Tool: { ai_tool: [['Agent', 'Again'].map((name) => ({ node: name, type: 'ai_tool', index: 0 }))] },
				Agent: { main: [[{ node: 'Behind', type: 'main', index: 0 }]] },
				Behind: { main: [[{ node: 'Again', type: 'main', index: 0 }]] },
			},
		} as WorkflowFile;
		const failed = await env.run(workflow);
		state.fails = false;
		const again = await retry(workflow, failed);
		expect([failed.status, again.status]).toEqual(['error', 'success']);
		expectStarts({ requests: 6, keys: 6, runs: 6 });
	});
});

test.each<[Operation, Operation]>([
	['runAndGetResults', 'run'],
	['run', 'runAndGetResults'],
])(
	'a retry starts no second run when the operation of the node was changed from %s to %s',
	async (before, after) => {
		env.loseResponses(1);
		const failed = await env.run(chainNodes(env.startNode({}, {}, before)));
		const workflow = chainNodes(env.startNode({}, {}, after));
		const again = await retry(workflow, failed);
		expect([failed.status, again.status]).toEqual(['error', 'success']);
		expectStarts({ requests: 2, keys: 1, runs: 1 });
	},
);

describe.each(OPERATIONS)('Lost responses to the operation %s', (operation) => {
	const retrying = (extra: Partial<INode> = {}) => env.startNode(extra, { retryFor: 300 }, operation);
	const twoNodes = () => chainNodes(retrying(), retrying({ name: 'Second', id: 'second' }));
	const expectOnce = (runs: number) => {
		expect(env.startedRuns()).toBe(runs);
		expect(countDistinct(env.keys())).toBe(runs);
		expect(env.posts().length).toBeGreaterThan(runs);
	};

	test.each([
		['its own retries', [0, 1, 2, 3, 4]],
		['Retry On Fail', [0, 0, 0, 0]],
	])(
		'the node starts exactly one run for each of ten items when responses are lost and the node uses %s',
		async (retries, skips) => {
			skips.forEach((skip) => env.loseResponses(1, skip));
			const start = retries === 'Retry On Fail' ? env.startNode(retryOnFail, {}, operation) : retrying();
			const items = outputOf(await env.run(chainNodes(start), { input: itemsOf(10) }), START);
			expect(countDistinct(items.map(({ json }) => json.id))).toBe(10);
			expect(new Set(items.map(({ json }) => json.idempotency_key))).toEqual(new Set(env.keys()));
			expectOnce(10);
		},
	);

	test.each<[string, number, () => Promise<IRun>]>([
		['one Prospector node follows another', 2, async () => await env.run(twoNodes())],
		['a loop is used', 4, async () => await env.run(env.loopWorkflow(retrying()), { input: itemsOf(4) })],
		['a sub-workflow is called twice', 2, async () => await env.run(...env.callTwice(retrying()))],
	])('each run is started only once despite lost responses when %s', async (_, runs, execute) => {
		[0, 2, 3].forEach((skip) => env.loseResponses(1, skip));
		expect((await execute()).status).toBe('success');
		expectOnce(runs);
	});

	test('the node starts exactly one run per tool call of an AI agent when responses are lost', async () => {
		env.loseResponses(2);
		const ended = await env.run(agentWithTool(retrying(), 3));
		expect(ended.data.resultData.error).toBeUndefined();
		expectOnce(3);
		const [{ json }] = outputOf(ended, 'Agent');
		expect(json.answer).toMatchObject([{ idempotency_key: env.keys()[0] }]);
	});

	test('the node starts each run only once when the Retry For time runs out and the failed execution is retried', async () => {
		env.control.addFault({
			...{ match: { operation: 'runWorkflow' }, kind: 'status', status: 503, when: 'after' },
			...{ skip: 2, times: 0 },
		});
		const workflow = chainNodes(env.startNode({}, { retryFor: 5 }, operation));
		const failed = await env.run(workflow, { input: itemsOf(4) });
		expect(failed.status).toBe('error');
		expect(env.startedRuns()).toBe(3);
		env.control.clearFaults();
		const again = await retry(workflow, failed);
		expect(again.status).toBe('success');
		expectOnce(4);
	});
});
