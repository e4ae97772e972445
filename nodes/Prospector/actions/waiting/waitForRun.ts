import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../transport/client';
import { endpoints } from '../../transport/endpoints';
import type { Call, StartedRun } from '../../transport/failure';
import { systemClock, type Clock } from '../../transport/retry/clock';
import type { Look } from './progress';
import { endingOf, pauseBeforeLook, statusOf, type WaitPlan } from './runStatus';
import { atDeadline, endedBadly } from './waitMessages';

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
	onLook?: (look: Look) => void;
	clock?: Clock;
	random?: () => number;
}

/**
 * Looks at a run until it has ended, at once for the first time. Looks that fail in passing are repeated by the client.
 *
 * @returns the finished run and the id of the request that showed it
 * @throws NodeOperationError when the run ended in one of the failed statuses, at the deadline, and when the execution
 * is stopped; NodeApiError when a look is refused for good, or still fails at the deadline
 */
export async function waitForRun(wait: Wait): Promise<{ run: IDataObject; requestId: string }> {
	const { client, runId, startedRun, plan, signal, onLook, clock = systemClock, random = Math.random } = wait;
	const begin = clock.now();
	const elapsed = () => clock.now() - begin;
	for (let looks = 1; ; looks++) {
		const call: Call = {
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			startedRun,
			timeout: Math.max(plan.maxWait - elapsed(), SHORTEST_LOOK),
			// A run takes minutes: a service that is out of order for some of them is no reason to lose sight of it.
			maxWait: Math.max(plan.maxWait - elapsed(), 0),
		};
		const { data, requestId } = await client.call(call);
		const [run] = data;
		const ending = endingOf(run, plan);
		const left = plan.maxWait - elapsed();
		const pause = ending === undefined && left > 0 ? pauseBeforeLook(looks, random(), left) : undefined;
		onLook?.({ run, elapsed: elapsed(), pause });
		if (ending === 'finished') return { run, requestId };
		const seen = { runId, status: client.clean(statusOf(run)), requestId, startedRun };
		if (ending === 'failed') throw client.problem(endedBadly(seen));
		if (pause === undefined) throw client.problem(atDeadline(seen, plan.maxWait));
		if (!(await clock.sleep(pause, signal))) {
			throw client.stopped(`waiting for run '${runId}'`, 'The run itself goes on. Look at it with Run › Get');
		}
	}
}
