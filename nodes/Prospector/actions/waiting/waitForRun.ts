import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../transport/client';
import { endpoints } from '../../transport/endpoints';
import { realTiming, type Timing } from '../../transport/timing';
import { isFinished, pauseBeforeLook, statusOf, type WaitPlan } from './runStatus';

export interface Wait {
	client: Client;
	runId: string;
	plan: WaitPlan;
	/** Given when the execution is stopped. */
	signal?: AbortSignal;
	/** Told after every look; for a log. */
	onLook?: (run: IDataObject) => void;
	timing?: Timing;
	random?: () => number;
}

/**
 * Looks at a run until it has finished, at once for the first time.
 *
 * @returns the finished run and the id of the request that showed it
 * @throws NodeOperationError at the deadline and when the execution is stopped; NodeApiError when a look is refused
 */
export async function waitForRun(wait: Wait): Promise<{ run: IDataObject; requestId: string }> {
	const { client, runId, plan, signal, onLook, timing = realTiming, random = Math.random } = wait;
	const deadline = timing.now() + plan.maxWait;
	for (let looks = 1; ; looks++) {
		const { data, requestId } = await client.call({ endpoint: endpoints.getRun, ids: { run_id: runId } });
		const [run] = data;
		onLook?.(run);
		if (isFinished(run, plan)) return { run, requestId };
		const left = deadline - timing.now();
		if (left <= 0) throw client.problem(atDeadline(runId, run, plan, requestId));
		if (!(await timing.sleep(pauseBeforeLook(looks, random(), left), signal))) {
			throw client.stopped(`waiting for run '${runId}'`, 'The run itself goes on. Look at it with Run › Get');
		}
	}
}

function atDeadline(runId: string, run: IDataObject, { maxWait }: WaitPlan, requestId: string) {
	const status = statusOf(run);
	const seconds = Math.round(maxWait / 1000);
	return {
		message: `Run '${runId}' was still '${status}' after ${seconds} s (request ${requestId})`,
		description: `The run goes on. Read it later with Run › Get and its results with Result › Get Many, or raise 'Max Wait' under Options and retry, which waits for the same run. If '${status}' means that it has finished, add it to 'Finished Statuses'`,
	};
}
