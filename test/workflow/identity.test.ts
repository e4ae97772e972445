/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
// Whatever an n8n workflow looks like, and wherever it fails and is repeated: one run or creation per call, each deletion
// once, and the last values of an update (docs/guarantees.md#what-identifies-a-start).
import fc from 'fast-check';
import type { IDataObject, INode, IRun, IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';
import { initialState, outputOf, stateAfterKill, stateForRetry } from '../../scripts/engine';
import type { WorkflowFile } from '../../scripts/engine';
import type { FaultRule } from '../../sandbox/types';
import { byId, chainNodes, node, PROSPECTOR } from '../nodes';
import { agentWithTool, startFastEnvironment, useEnvironment } from './environment';
import { everyOperation, findOperation } from './everyOperation';
import { agentNode, engineAgentNode, loopNode, loopOver, startNode } from './fixtures';

const RUNS = Number(process.env.IDENTITY_RUNS ?? 150);
const SEED = Number(process.env.IDENTITY_SEED ?? 1);
const NAME = 'Prospector';
/** There, n8n's engine calls no tools, and a node cannot recognize an execution whose process was killed. */
const IS_OLDEST = process.env.compat === 'n8n1';
/** All writes with an idempotency key, and both changes that a retry must not undo or repeat. */
const WRITES = new Map(
	everyOperation
		.filter(({ keyed, calls }) => keyed || calls === 'updateWorkflow' || calls === 'deleteWorkflow')
		.map((row) => [row.operation, row]),
);
WRITES.set('runAndGetResults', findOperation('Workflow › run'));
const rowOf = (operation: string) => WRITES.get(operation)!;

const OTHER_STARTS = new Map(Object.entries({ run: 'runAndGetResults', runAndGetResults: 'run' }));

const arbitraryFault = fc.record({
	kind: fc.constantFrom('drop', 'status', 'cutBody', 'notJson'),
	status: fc.constantFrom(400, 403, 429, 500, 503),
	when: fc.constantFrom('before', 'after'),
	skip: fc.integer({ min: 0, max: 5 }),
});
/**
 * After these, n8n does not know what the node has done. `kill`: the process ends after a failure; n8n has saved nothing.
 * `killAfterSave`: it has saved the finished nodes. `lost`: as `kill`, although the execution succeeded. `stop`: a person
 * stops the execution.
 */
const LOSSES = ['kill', 'killAfterSave', 'lost', 'stop'];
const arbitraryPlan = fc.record({
	operation: fc.constantFrom(...WRITES.keys()),
	shape: fc.constantFrom('items', 'loop', 'batch', 'agent 2', ...(IS_OLDEST ? [] : ['agent 3'])),
	/** The Prospector workflow of each item or call; each is deleted once. */
	targets: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 4 }),
	faults: fc.array(arbitraryFault, { maxLength: 4 }),
	retryOnFail: fc.boolean(),
	idempotencyTie: fc.constantFrom('success', 'request', 'response'),
	/** Number of nodes in a row that start runs or create, for all items. */
	nodes: fc.constantFrom(1, 1, 2),
	/** What happens after each failed execution. */
	repeats: fc.array(fc.constantFrom('retry', ...LOSSES, 'rename', 'changeOperation', 'changeValues'), {
		minLength: 1,
		maxLength: 4,
	}),
	/** Real milliseconds until a person stops an execution. */
	stopAfterMs: fc.integer({ min: 0, max: 30 }),
	/** Whether the items come in another order after a kill. */
	isReordered: fc.boolean(),
	/** How many values of a creation the service refuses, each of which a person corrects before the next retry. */
	corrections: fc.constantFrom<number[]>(0, 0, 1, 2),
	toolCallId: fc.constantFrom('call_0', '', 7, null, 'x'.repeat(100_000), undefined),
});
type Plan = typeof arbitraryPlan extends fc.Arbitrary<infer T> ? T : never;
const correctedWrites: fc.Arbitrary<Plan> = fc
	.record({
		operation: fc.constantFrom('update', 'create'),
		shape: fc.constant('items'),
		repeats: fc.array(fc.constantFrom('retry', 'changeValues'), { minLength: 2, maxLength: 4 }),
		faults: fc.array(arbitraryFault, { minLength: 2, maxLength: 4 }),
	})
	.chain((focus) => arbitraryPlan.map((plan) => ({ ...plan, ...focus })));

const SETTINGS = { refusedFields: ['contry'], resultsPerRun: 1, runStageMs: 0, limit: 100_000 };
const env = useEnvironment(async () => await startFastEnvironment(SETTINGS));
beforeAll(() => {
	env.nodeTypes
		.add('test.start', startNode)
		.add('test.loop', loopNode)
		.add('test.agent', agentNode)
		.add('test.engineAgent', engineAgentNode);
});

function toFault({ kind, status, when, skip }: Plan['faults'][number], operation: string): FaultRule {
	const match = { operation: rowOf(operation).calls };
	// What the service refuses, it has not done.
	const isRefusal = kind === 'status' && status < 500;
	return {
		...{ kind: kind as 'drop', match, skip, ...(kind === 'status' && { status }) },
		when: isRefusal ? 'before' : kind === 'cutBody' ? 'after' : (when as 'before'),
	};
}

const nodeCountOf = ({ operation, shape, nodes }: Plan): number =>
	shape === 'items' && rowOf(operation).keyed ? nodes : 1;

function buildWorkflow(
	plan: Plan,
	name: string,
	{ wrongCount, version }: { wrongCount: number; version: number },
): WorkflowFile {
	const { operation, shape, targets, retryOnFail, toolCallId } = plan;
	const isAgent = shape.startsWith('agent');
	const parameters: IDataObject = {
		...{
			resource: rowOf(operation).resource,
			operation,
			workflowId: byId('={{ $json.workflow_id ?? $json.id }}'),
		},
		...{
			enterValues: 'json',
			jsonBody: `={{ { name: $json.name + ' v${version}'${wrongCount > 0 ? `, contry: ${wrongCount}` : ''} } }}`,
			simplify: false,
			output: 'raw',
		},
		options: { retryFor: isAgent ? 3000 : 0 },
	};
	const extra: Partial<INode> = retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 1 } : {};
	const prospector = env.prospector(parameters, { name, id: 'start', ...extra });
	if (shape === 'agent 2') return agentWithTool(withFixedTarget(prospector), targets.length);
	if (shape === 'agent 3') {
		const agent = node('Agent', 'test.engineAgent', { toolCallId: JSON.stringify(toolCallId) ?? '' });
		const tool = { ...prospector, type: `${PROSPECTOR}Tool` };
		return {
			nodes: [node('Start', 'test.start', {}), agent, tool],
			connections: {
				Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				[name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
		};
	}
	if (shape === 'items') {
		const second = { ...prospector, name: 'Second', id: 'second' };
		return chainNodes(...(nodeCountOf(plan) === 2 ? [prospector, second] : [prospector]));
	}
	return loopOver(prospector, shape === 'batch' ? 2 : 1);
}

/** The agent before version 3 passes no items to its tool. */
const withFixedTarget = (start: INode): INode => ({
	...start,
	parameters: { ...start.parameters, workflowId: byId('wf_0') as never, jsonBody: '{ "name": "A" }' },
});

/** Executes an n8n workflow, which a person may stop. */
async function execute(
	workflow: WorkflowFile,
	rest: { state: IRunExecutionData; mode: WorkflowExecuteMode },
	stopAfterMs?: number,
): Promise<IRun> {
	const execution = env.execute(workflow, rest);
	const timer = stopAfterMs === undefined ? undefined : setTimeout(execution.stop, stopAfterMs);
	const ended = await execution.finished;
	clearTimeout(timer);
	return ended;
}

/**
 * Executes an n8n workflow, and repeats what fails, until it succeeds. Returns how often a person has changed the values of
 * an update.
 */
async function executeUntilSuccess(plan: Plan, input: IDataObject[]): Promise<number> {
	let wrongCount = plan.operation === 'create' && plan.shape === 'items' ? plan.corrections : 0;
	const isCorrected = wrongCount > 0;
	const canReorder = plan.isReordered && plan.operation.startsWith('run');
	let { operation } = plan;
	let version = 0;
	let workflow = buildWorkflow(plan, NAME, { wrongCount, version });
	const items = input.map((json) => ({ json }));
	let state: IRunExecutionData = initialState(workflow, items);
	for (let executions = 0; executions < 20; executions++) {
		const before = structuredClone(state);
		const mode = executions === 0 ? 'trigger' : 'retry';
		const repeat = plan.repeats[executions % plan.repeats.length];
		const isLoss = LOSSES.includes(repeat) && !isCorrected && !IS_OLDEST;
		// Otherwise, the execution would never end.
		const isFirstRound = isLoss && executions < plan.repeats.length;
		const stopAfterMs = repeat === 'stop' && isFirstRound ? plan.stopAfterMs : undefined;
		const ended = await execute(workflow, { state, mode }, stopAfterMs);
		if (ended.status === 'success' && !(repeat === 'lost' && isFirstRound)) return version;
		// A person waits for a minute, as the message says.
		if (ended.data.resultData.error?.message.includes('limit of requests'))
			await env.clock.timing.sleep(60_000);
		state = stateForRetry(ended);
		const hasSaved = repeat === 'killAfterSave' || repeat === 'stop';
		// n8n has saved the data of the nodes that have finished, and continues to count their runs.
		if (isLoss) state = hasSaved ? stateAfterKill(before, { ...ended, data: state }) : before;
		const [stacked] = state.executionData!.nodeExecutionStack;
		// A loop that n8n has saved knows its items.
		if (isLoss && canReorder && (plan.shape === 'items' || !hasSaved)) stacked.data.main[0]?.reverse();
		if (isLoss || (repeat === 'retry' && !isCorrected)) continue;
		const name = repeat === 'rename' ? `Renamed ${executions}` : NAME;
		if (repeat === 'changeOperation') operation = OTHER_STARTS.get(operation) ?? operation;
		if (repeat === 'changeValues' && operation === 'update') version++;
		wrongCount = Math.max(wrongCount - 1, 0);
		workflow = buildWorkflow({ ...plan, operation }, name, { wrongCount, version });
		for (const entry of state.executionData!.nodeExecutionStack)
			entry.node = workflow.nodes.find(({ id }) => id === entry.node.id) ?? entry.node;
	}
	throw new Error('The execution fails for ever');
}

async function check(plan: Plan): Promise<void> {
	const { operation, shape, faults, idempotencyTie } = plan;
	env.control.reset();
	env.control.patchSettings({ ...SETTINGS, idempotencyTie });
	env.control.seed({ workflows: [0, 1, 2, 3].map((n) => ({ id: `wf_${n}` })) });
	const isDelete = operation === 'delete';
	const isAgent = shape.startsWith('agent');
	// An agent continues after a failed call, so its tool gets only failures after which the node itself tries again, and
	// no more than fit into the time in which a tool answers.
	const { keyed: hasKey = false, object, calls } = rowOf(operation);
	const isRetried = ({ kind, status }: Plan['faults'][number]) =>
		kind === 'status' ? status === 429 || (status >= 500 && hasKey) : hasKey;
	// If an attempt is lost, its key stays, whatever the service refuses afterwards.
	const isKeyKept = plan.corrections > 0 && operation === 'create';
	const usedFaults = isKeyKept ? [] : isAgent ? faults.filter(isRetried).slice(0, 2) : faults;
	env.resetService(...usedFaults.map((fault) => toFault(fault, operation)));
	fc.pre(!(isDelete && shape === 'agent 2'));
	const input = plan.targets.map((target, n) => ({ id: `wf_${isDelete ? n : target}`, name: `Name ${n}` }));
	const before = env.control.state().counts;
	const version = await executeUntilSuccess(plan, input);
	const { counts } = env.control.state();
	const nodeCount = nodeCountOf(plan);
	const writeCount = nodeCount * input.length;
	const committed = env.journal().filter((entry) => entry.committed);
	expect({
		runs: counts.runsStarted - before.runsStarted,
		created: counts.workflowsCreated - before.workflowsCreated,
		deleted: counts.workflowsDeleted - before.workflowsDeleted,
	}).toEqual({
		runs: hasKey && object === 'prospector_run' ? writeCount : 0,
		created: hasKey && object === 'prospector_workflow' ? writeCount : 0,
		deleted: isDelete ? input.length : 0,
	});
	const targets = committed.map(({ path }) => /wf_\d/.exec(path)?.[0] ?? '');
	const expectedPerNode = shape === 'agent 2' ? input.map(() => 'wf_0') : input.map(({ id }) => id);
	const expected = Array<string[]>(nodeCount).fill(expectedPerNode).flat();
	if (operation !== 'create' && operation !== 'update') expect(targets.sort()).toEqual(expected.sort());
	// Each node of a loop that has finished keeps its values.
	if (operation === 'update' && shape === 'items') {
		const names = new Map(committed.map(({ path, body }) => [path, (body as IDataObject).name]));
		const lastNames = input.map(({ name }) => `${name} v${version}`);
		for (const name of names.values()) expect(lastNames).toContain(name);
	}
	// Without a loss, what has succeeded is not sent again, unless its values have changed or were overwritten.
	const canOverwrite = operation === 'update' && new Set(expected).size < expected.length;
	if (version > 0 || canOverwrite || plan.repeats.some((repeat) => LOSSES.includes(repeat))) return;
	const answered = env.journal().filter((one) => one.operation === calls && one.status === 200);
	expect(answered.filter(({ fault }) => fault === null).length).toBeLessThanOrEqual(writeCount);
}

test('each call starts or creates exactly one resource, and each deletion is done once, in random n8n workflows with failures and retries', async () => {
	await fc.assert(fc.asyncProperty(arbitraryPlan, check), { numRuns: RUNS, seed: SEED });
}, 300_000);

test('a write whose values a person changes between retries takes effect with the last values, whatever has failed before', async () => {
	await fc.assert(fc.asyncProperty(correctedWrites, check), { numRuns: RUNS, seed: SEED });
}, 300_000);

test('Retry On Fail with On Error: Continue sends no deletion again that has succeeded', async () => {
	env.control.reset();
	const { workflows: ids } = env.control.seed({ workflows: 3 });
	env.resetService({ match: { operation: 'deleteWorkflow' }, kind: 'status', status: 500 });
	const parameters = {
		...{ resource: 'workflow', operation: 'delete', workflowId: byId('={{ $json.id }}') },
		options: { retryFor: 0 },
	};
	const repeated = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const input = ids.map((id) => ({ id }));
	const ended = await env.runNode(parameters, input, { onError: 'continueRegularOutput', ...repeated });
	expect(outputOf(ended, NAME).map(({ json }) => json.deleted)).toEqual([true, true, true]);
	expect(env.operations()).toHaveLength(4);
});
