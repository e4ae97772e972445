import { startEnvironment, type Environment } from '../../test/e2e/environment';
import { eventually } from '../../test/eventually';
import { memoryOf, programBelow, resetPeak } from '../shared/memory';
import { withResources } from '../shared/resources';
import type { Round } from './figures';
import type { NodesFor } from './nodesFor';
import { inRounds, UNLIMITED, type Scenario } from './scenarios';

const WARM_UP_COUNT = 100;
const SAVING_TIMEOUT_MS = 120_000;

/** Measures each contender in several rounds, each time in a new n8n with the packed package. */
export async function measureInN8n(scenario: Scenario, rounds: number): Promise<Round[]> {
	return await inRounds(scenario, rounds, async ({ nodes }) => {
		const { milliseconds, bytes: savedBytes } = await measureExecution(scenario, nodes, true);
		if (!scenario.measuresMemory) return { milliseconds };
		const { bytes: readingBytes } = await measureExecution(scenario, nodes, false);
		return { milliseconds, readingBytes, savedBytes };
	});
}

/**
 * Measures an execution in a new n8n, because a second execution uses memory that the first one has left. Before it, a
 * short one lets n8n load the nodes.
 */
async function measureExecution(scenario: Scenario, nodes: NodesFor, isSaved: boolean) {
	return await withResources(async (open) => {
		const e2e = await open(startEnvironment({ settings: UNLIMITED, ownN8n: {} }));
		const create = async (count: number) => {
			const read = scenario.seed(e2e.control, count);
			const source = { baseUrl: e2e.sandbox.baseUrl, credentials: e2e.full, ...read };
			const response = { responseMode: 'lastNode', responseData: 'noData' };
			const saved = { saveDataSuccessExecution: isSaved ? 'all' : 'none' } as const;
			const webhook = await e2e.workflows.createWebhook(nodes(source), response, saved);
			return { ...webhook, requests: Math.ceil(count / read.pageSize) };
		};
		const warmUp = await create(WARM_UP_COUNT);
		const measured = await create(scenario.count);
		await warmUp.call();
		e2e.clearRequests();
		const pid = programBelow(e2e.n8n.pid);
		const before = memoryOf(pid, 'VmRSS');
		resetPeak(pid);
		await measured.call();
		const milliseconds = isSaved ? await savedDuration(e2e, measured.workflow.id) : 0;
		const bytes = memoryOf(pid, 'VmHWM') - before;
		const { length: sent } = e2e.control.journal();
		if (sent < measured.requests) throw new Error(`It sent ${sent} of ${measured.requests} requests`);
		return { milliseconds, bytes };
	});
}

/** Waits until n8n has saved an execution, and returns its duration without saving it. */
async function savedDuration({ executions }: Environment, workflowId: string): Promise<number> {
	const { startedAt = '', stoppedAt = '' } = await eventually(
		'the saved execution',
		async () => (await executions.of(workflowId)).find(({ status }) => status === 'success'),
		SAVING_TIMEOUT_MS,
	);
	return Date.parse(stoppedAt) - Date.parse(startedAt);
}
