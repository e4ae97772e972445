import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../scripts/engine';
import type { FaultRule } from '../../../sandbox/types';
import { byId, chainNodes, node } from '../../nodes';
import type { Environment } from '../environment';
import { eventually } from '../../eventually';
import { inputItems, manualTrigger, manualWorkflow } from '../n8n/workflows';

export const START = 'Start';

/** Options with a custom idempotency key, which is the same in every retry on every n8n. */
export const CUSTOM_KEY = {
	preventDuplicates: 'key',
	idempotencyKey: '={{ "leads of " + $workflow.id }}',
};

export const countDistinct = (values: unknown[]) => new Set(values).size;

/**
 * Creates a Prospector workflow whose runs a test starts. It has its own API key, because the node sends the first
 * request with a new key alone, and executions with the same key would wait for each other.
 */
export async function prepareRunStarts({ control, credential, prospector, requests }: Environment) {
	const [workflowId] = control.seed({ workflows: 1 }).workflows;
	const { secret } = control.createKey({ name: `for-${workflowId}` });
	// Longer than any test waits for a withheld response.
	const settings = { showAdvanced: true, requestTimeout: 600 };
	const credentials = await credential(workflowId, { apiKey: secret, ...settings });
	const keys = () =>
		requests('runWorkflow')
			.filter(({ path }) => path.includes(workflowId))
			.map(({ idempotencyKey }) => idempotencyKey);
	const runCount = () => control.runs().perWorkflow[workflowId] ?? 0;
	const addFault = (rule: FaultRule) =>
		control.addFault({ match: { operation: 'runWorkflow', path: workflowId }, when: 'after', ...rule });

	return {
		/** The idempotency keys of the start requests, in order of arrival. */
		keys,
		runCount,
		/** A node that starts a run. It does not retry unless `options` says so. */
		node: (options: IDataObject = {}): INode => {
			const run = { resource: 'workflow', operation: 'run', workflowId: byId(workflowId) };
			const parameters = { ...run, options: { retryFor: 0, ...options } };
			return prospector(START, parameters, { credentials });
		},
		/** The service starts the run, but the connection ends before the response. */
		loseResponses: (rule: Partial<FaultRule> = {}) => addFault({ kind: 'drop', ...rule }),
		/** The service starts the run, but never responds. */
		withholdResponse: (rule: Partial<FaultRule> = {}) => addFault({ kind: 'hang', ...rule }),
		/** Expects that each run was started once, with its own key, in this number of requests. */
		expectStarted(runs: number, requestCount: number) {
			expect(keys()).toHaveLength(requestCount);
			expect(keys()).not.toContain(null);
			expect(countDistinct(keys())).toBe(runs);
			expect(runCount()).toBe(runs);
		},
	};
}

type RunStarts = Awaited<ReturnType<typeof prepareRunStarts>>;

/** An n8n workflow that executes a node in each of three rounds of a loop. 'Loop' outputs the items of all rounds. */
function threeRounds(work: INode): WorkflowFile {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, { typeVersion: 3 });
	const chain = chainNodes(
		manualTrigger(),
		...inputItems('Items', [{ n: 1 }, { n: 2 }, { n: 3 }]),
		loop,
		work,
	);
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const back = { Loop: { main: [[], to(work.name)] }, [work.name]: { main: [to('Loop')] } };
	return { ...chain, connections: { ...chain.connections, ...back } };
}

/** An execution that waits for the response to a start, while the service has started the run. */
export interface PendingStart {
	starts: RunStarts;
	executionId: string;
}

/** Starts an execution as the editor's button does. */
export async function startManually(e2e: Environment, options: IDataObject = {}): Promise<PendingStart> {
	const starts = await prepareRunStarts(e2e);
	starts.withholdResponse();
	return await execute(e2e, starts, manualWorkflow(starts.node(options)), 1);
}

/** Starts a loop, which waits in the second of its three rounds. */
async function startLoop(e2e: Environment): Promise<PendingStart> {
	const starts = await prepareRunStarts(e2e);
	starts.withholdResponse({ skip: 1 });
	return await execute(e2e, starts, threeRounds(starts.node()), 2);
}

async function execute(e2e: Environment, starts: RunStarts, workflow: WorkflowFile, runs: number) {
	// n8n can retry an unfinished manual execution only if it has saved the progress.
	const saved = await e2e.workflows.create(workflow, { saveExecutionProgress: true });
	const executionId = await e2e.workflows.start(saved);
	await eventually(`run ${runs} to be started`, () => starts.runCount() === runs);
	return { starts, executionId };
}

/** Starts an execution by the webhook of an active n8n workflow, which saves no progress. */
async function startByWebhook(e2e: Environment): Promise<PendingStart> {
	const starts = await prepareRunStarts(e2e);
	starts.withholdResponse();
	const executionId = await e2e.workflows.startByWebhook(starts.node());
	await eventually('the run to be started', () => starts.runCount() === 1);
	return { starts, executionId };
}

/** Starts three executions in three ways. */
export const startPending = async (e2e: Environment) => ({
	manual: await startManually(e2e),
	byWebhook: await startByWebhook(e2e),
	loop: await startLoop(e2e),
});
export type Pending = Awaited<ReturnType<typeof startPending>>;

/** Those that start one run. */
export const STARTED_BY: Array<[name: string, key: keyof Pending]> = [
	['a manual execution', 'manual'],
	['an execution that a webhook has started', 'byWebhook'],
];
