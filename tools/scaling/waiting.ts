import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { byId, chainNodes } from '../../test/nodes';
import { eventually } from '../../test/e2e/n8n/rest';
import { webhook } from '../../test/e2e/n8n/workflows';
import { startCluster } from './cluster';
import { processorSeconds, programBelow, residentMemory } from './memory';

const CONCURRENCY = 20;
const WAITING = [0, 10, 20];

const SETTLE_MS = 30_000;
const WINDOW_MS = 60_000;

/** Longer than the measurement. */
const RUN_STAGE_MS = 3_600_000;

/** What one worker uses while executions of Run and Get Results wait. */
interface WaitingFigures {
	concurrency: number;
	waiting: number;
	/** Resident memory in MiB. */
	memory: number;
	/** Share of a processor core, and requests to the service per minute. */
	processor: number;
	requestsPerMinute: number;
}

/**
 * Measures a worker with more and more executions that wait for runs. At the end, starts one more than it has slots.
 *
 * @throws Error if the worker executes that one, too
 */
export async function measureWaiting(redis: string): Promise<WaitingFigures[]> {
	const settings = { runStageMs: RUN_STAGE_MS, journalSize: 100_000 };
	const cluster = await startCluster(redis, 1, CONCURRENCY, settings);
	try {
		const { e2e, workers } = cluster;
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const run = { resource: 'workflow', operation: 'runAndGetResults', workflowId: byId(workflowId) };
		const saved = await e2e.workflows.create(
			chainNodes(webhook('wait', { httpMethod: 'POST' }), e2e.prospector('Wait', run)),
		);
		await e2e.workflows.activate(saved);
		const startExecution = async () =>
			(await fetch(`${e2e.n8n.baseUrl}/webhook/wait`, { method: 'POST' })).ok;
		const started = () => e2e.requests('runWorkflow').length;

		const { pid } = workers[0].process;
		const figures: WaitingFigures[] = [];
		for (const waiting of WAITING) {
			// In n8n 2, a workflow is active some time before its webhook responds.
			for (let i = started(); i < waiting; i++) await eventually('the webhook', startExecution);
			await eventually(`${waiting} runs`, () => started() === waiting);
			await pause(SETTLE_MS);
			const program = programBelow(pid);
			const secondsBefore = processorSeconds(program);
			const requestsBefore = e2e.control.journal().length;
			await pause(WINDOW_MS);
			const seconds = processorSeconds(program) - secondsBefore;
			figures.push({
				concurrency: CONCURRENCY,
				waiting,
				memory: residentMemory(pid),
				processor: Number((seconds / (WINDOW_MS / 1000)).toFixed(3)),
				requestsPerMinute: e2e.control.journal().length - requestsBefore,
			});
		}
		await startExecution();
		await pause(SETTLE_MS);
		if (started() > CONCURRENCY) throw new Error('The worker executes more than it has slots');
		return figures;
	} finally {
		await cluster.close();
	}
}
