import type { INode } from 'n8n-workflow';
import { startEnvironment, type Environment } from '../../test/e2e/environment';
import { webhook, type Saved } from '../../test/e2e/n8n/workflows';
import { eventually } from '../../test/e2e/n8n/rest';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { chainNodes, node } from '../../test/nodes';
import { memoryOf, programBelow, resetPeak } from '../scaling/memory';
import { nodesFor } from './contenders/nodesFor';
import type { Round } from './figures';
import type { Means, Task } from './job';
import type { BenchOptions } from './options';
import { logRound, rotate } from './rounds';
import type { Scenario } from './scenarios';

const WARM_UP_COUNT = 100;
const SAVING_TIMEOUT_MS = 120_000;

/** Measures the contenders of a scenario in several rounds, each time in a new n8n with the packed package. */
export async function measureInN8n(scenario: Scenario, options: BenchOptions): Promise<Round[]> {
	return await withTarget(
		DEFAULT_PLATFORM,
		async () => {
			const rounds: Round[] = [];
			for (let i = 0; i < options.rounds; i++) {
				for (const { name, label, means } of rotate(scenario.contenders, i)) {
					const round = { name, ...(await measureRound(scenario, means)) };
					logRound(`round ${i + 1}`, label, round);
					rounds.push(round);
				}
			}
			return rounds;
		},
		options.packageDirectory,
	);
}

async function measureRound(scenario: Scenario, means: Means) {
	try {
		const { milliseconds, bytes: savedBytes } = await measureExecution(scenario, means, true);
		if (scenario.pageSize === undefined) return { figures: { milliseconds } };
		const { bytes: readingBytes } = await measureExecution(scenario, means, false);
		return { figures: { milliseconds, readingBytes, savedBytes } };
	} catch (error) {
		return { reason: (error as Error).message };
	}
}

/**
 * Measures an execution in a new n8n, because a second execution uses memory that the first one has left. Before it, a
 * short one lets n8n load the nodes.
 */
async function measureExecution(scenario: Scenario, means: Means, isSaved: boolean) {
	const e2e = await startEnvironment({ settings: scenario.settings, ownN8n: {} });
	try {
		const warmUp = await createWorkflow(e2e, scenario, means, WARM_UP_COUNT, isSaved);
		const measured = await createWorkflow(e2e, scenario, means, scenario.count, isSaved);
		await execute(e2e, warmUp);
		e2e.clearRequests();
		const pid = programBelow(e2e.n8n.pid);
		const before = memoryOf(pid, 'VmRSS');
		resetPeak(pid);
		await execute(e2e, measured);
		const milliseconds = isSaved ? await savedDuration(e2e, measured) : 0;
		const bytes = memoryOf(pid, 'VmHWM') - before;
		requireAllRequests(e2e, scenario);
		return { milliseconds, bytes };
	} finally {
		await e2e.close();
	}
}

/** Creates and activates an n8n workflow whose webhook responds when the last node has ended. */
async function createWorkflow(
	e2e: Environment,
	scenario: Scenario,
	means: Means,
	count: number,
	isSaved: boolean,
): Promise<Saved> {
	const task = await scenario.seed(e2e.control, count);
	const path = task.kind === 'list' ? task.runId : task.runIds[0];
	const response = { httpMethod: 'POST', responseMode: 'lastNode', responseData: 'noData' };
	const { continueOnFail } = scenario;
	const job = { task, means, continueOnFail, baseUrl: e2e.sandbox.baseUrl };
	const workflow = chainNodes(webhook(path, response), ...inputOf(task), ...nodesFor(job, e2e.full));
	const saved = await e2e.workflows.create(workflow, { saveDataSuccessExecution: isSaved ? 'all' : 'none' });
	await e2e.workflows.activate(saved);
	return saved;
}

/** One input item per single read. */
function inputOf(task: Task): INode[] {
	if (task.kind === 'list') return [];
	const assignments = [
		{
			id: 'runs',
			name: 'runs',
			type: 'array',
			value: JSON.stringify(task.runIds.map((runId) => ({ runId }))),
		},
	];
	return [
		node('Runs', 'n8n-nodes-base.set', { assignments: { assignments }, options: {} }, { typeVersion: 3.4 }),
		node('Split Runs', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'runs', options: {} }),
	];
}

/** Executes an n8n workflow, and waits for the end. @throws Error if the execution fails */
async function execute({ n8n }: Environment, { nodes: [{ parameters }] }: Saved): Promise<void> {
	// In n8n 2, a workflow is active some time before its webhook responds.
	await eventually('the webhook', async () => {
		const response = await fetch(`${n8n.baseUrl}/webhook/${String(parameters.path)}`, { method: 'POST' });
		if (!response.ok && response.status !== 404) throw new Error(`The webhook: ${await response.text()}`);
		return response.ok;
	});
}

/** Waits until n8n has saved an execution, and returns its duration without saving it. */
async function savedDuration({ executions }: Environment, { id }: Saved): Promise<number> {
	const { startedAt = '', stoppedAt = '' } = await eventually(
		'the saved execution',
		async () => (await executions.of(id)).find(({ status }) => status === 'success'),
		SAVING_TIMEOUT_MS,
	);
	return Date.parse(stoppedAt) - Date.parse(startedAt);
}

/** @throws Error if there were fewer requests than the resources need */
function requireAllRequests(e2e: Environment, { count, pageSize }: Scenario): void {
	const expected = Math.ceil(count / (pageSize ?? 1));
	const sent = e2e.requests(pageSize === undefined ? 'getRun' : 'listResults').length;
	if (sent < expected) throw new Error(`It sent ${sent} of ${expected} requests`);
}
