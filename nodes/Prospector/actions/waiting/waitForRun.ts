import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../transport/client';
import { endpoints } from '../../transport/endpoints';
import type { StartedRun } from '../../transport/failure';
import { afterStart } from '../../transport/unknownOutcome';
import { realTiming, type Timing } from '../../transport/timing';
import { isFinished, pauseBeforeLook, statusOf, type WaitPlan } from './runStatus';

export interface Wait {
	client: Client;
	runId: string;
	/** Where this operation has started the run itself. */
	startedRun?: StartedRun;
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
	const { client, runId, startedRun, plan, signal, onLook, timing = realTiming, random = Math.random } = wait;
	const deadline = timing.now() + plan.maxWait;
	for (let looks = 1; ; looks++) {
		const { data, requestId } = await client.call({
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			startedRun,
		});
		const [run] = data;
		onLook?.(run);
		if (isFinished(run, plan)) return { run, requestId };
		const left = deadline - timing.now();
		if (left <= 0) throw client.problem(atDeadline(wait, run, requestId));
		if (!(await timing.sleep(pauseBeforeLook(looks, random(), left), signal))) {
			throw client.stopped(`waiting for run '${runId}'`, 'The run itself goes on. Look at it with Run › Get');
		}
	}
}

function atDeadline({ runId, plan, startedRun }: Wait, run: IDataObject, requestId: string) {
	const status = statusOf(run);
	const after = `after ${Math.round(plan.maxWait / 1000)} s (request ${requestId})`;
	const goOn = startedRun
		? afterStart(startedRun)
		: `The run goes on. Look at it again later with Run › Get, ID '${runId}'`;
	const longer = "To wait longer, raise 'Max Wait' under Options";
	if (status === '') {
		return {
			message: `Run '${runId}' had no status ${after}`,
			description: `${goOn}. Without a status it cannot be told when the run has finished: turn off 'Wait for Completion'`,
		};
	}
	return {
		message: `Run '${runId}' was still '${status}' ${after}`,
		description: `${goOn}. ${longer}. If '${status}' means that it has finished, add it to 'Finished Statuses' there`,
	};
}
