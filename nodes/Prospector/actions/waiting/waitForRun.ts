import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../transport/client';
import { endpoints } from '../../transport/endpoints';
import type { Call, StartedRun } from '../../transport/failure';
import { afterStart } from '../../transport/unknownOutcome';
import { realTiming, type Timing } from '../../transport/timing';
import { isFinished, pauseBeforeLook, statusOf, type WaitPlan } from './runStatus';

/** Milliseconds: even at the deadline a look gets the time to be answered. */
const SHORTEST_LOOK = 1000;

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
 * Looks at a run until it has finished, at once for the first time. Looks that fail in passing are repeated by the client.
 *
 * @returns the finished run and the id of the request that showed it
 * @throws NodeOperationError at the deadline and when the execution is stopped; NodeApiError when a look
 * is refused for good, or still fails at the deadline
 */
export async function waitForRun(wait: Wait): Promise<{ run: IDataObject; requestId: string }> {
	const { client, runId, startedRun, plan, signal, onLook, timing = realTiming, random = Math.random } = wait;
	const deadline = timing.now() + plan.maxWait;
	for (let looks = 1; ; looks++) {
		const call: Call = {
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			startedRun,
			timeout: Math.max(deadline - timing.now(), SHORTEST_LOOK),
			// A run takes minutes: a service that is out of order for some of them is no reason to lose sight of it.
			maxWait: Math.max(deadline - timing.now(), 0),
		};
		const { data, requestId } = await client.call(call);
		onLook?.(data[0]);
		if (isFinished(data[0], plan)) return { run: data[0], requestId };
		const left = deadline - timing.now();
		if (left <= 0) throw client.problem(atDeadline(wait, data[0], requestId));
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
