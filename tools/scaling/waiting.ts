import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { byId } from '../../test/nodes';
import { eventually } from '../../test/eventually';
import { processorSeconds, programBelow, residentMemory } from '../shared/memory';
import { withCluster } from './cluster';

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
export async function measureWaiting(): Promise<WaitingFigures[]> {
	const options = { workers: 1, concurrency: CONCURRENCY, settings: { runStageMs: RUN_STAGE_MS } };
	return await withCluster(options, async ({ e2e, workers }) => {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const run = { resource: 'workflow', operation: 'runAndGetResults', workflowId: byId(workflowId) };
		const { call } = await e2e.workflows.createWebhook([e2e.prospector('Wait', run)]);
		const started = () => e2e.requests('runWorkflow').length;

		const { pid } = workers[0].process;
		const figures: WaitingFigures[] = [];
		for (const waiting of WAITING) {
			for (let i = started(); i < waiting; i++) await call();
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
		await call();
		await pause(SETTLE_MS);
		if (started() > CONCURRENCY) throw new Error('The worker executes more than it has slots');
		return figures;
	});
}
