import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../transport/request/client';
import { endpoints } from '../../transport/request/endpoints';
import type { ApiRequest, StartedRun } from '../../transport/failure/failure';
import { systemClock, type Clock } from '../../transport/retry/clock';
import type { StatusCheck } from './progressLog';
import { runOutcome, pollInterval, statusOf, type WaitOptions } from '../../model/runStatus';
import { waitTimeoutMessage, runFailedMessage } from '../../messages/runMessages';

/** Milliseconds: even at the deadline a look gets the time to be answered. */
const MIN_CHECK_TIMEOUT_MS = 1000;

export interface Wait {
	client: Client;
	runId: string;
	/** Where this operation has started the run itself. */
	startedRun?: StartedRun;
	plan: WaitOptions;
	/** Given when the execution is stopped. */
	signal?: AbortSignal;
	/** Told after every look; for a log. */
	onStatusCheck?: (look: StatusCheck) => void;
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
	const {
		client,
		runId,
		startedRun,
		plan,
		signal,
		onStatusCheck: onLook,
		clock = systemClock,
		random = Math.random,
	} = wait;
	const begin = clock.now();
	const elapsed = () => clock.now() - begin;
	for (let looks = 1; ; looks++) {
		const call: ApiRequest = {
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			startedRun,
			timeout: Math.max(plan.maxWait - elapsed(), MIN_CHECK_TIMEOUT_MS),
			// A run takes minutes: a service that is out of order for some of them is no reason to lose sight of it.
			maxWait: Math.max(plan.maxWait - elapsed(), 0),
		};
		const { data, requestId } = await client.request(call);
		const [run] = data;
		const ending = runOutcome(run, plan);
		const left = plan.maxWait - elapsed();
		const pause = ending === undefined && left > 0 ? pollInterval(looks, random(), left) : undefined;
		onLook?.({ run, elapsed: elapsed(), pause });
		if (ending === 'finished') return { run, requestId };
		const seen = { runId, status: client.clean(statusOf(run)), requestId, startedRun };
		if (ending === 'failed') throw client.problem(runFailedMessage(seen));
		if (pause === undefined) throw client.problem(waitTimeoutMessage(seen, plan.maxWait));
		if (!(await clock.sleep(pause, signal))) {
			throw client.stopped(`waiting for run '${runId}'`, 'The run itself goes on. Look at it with Run › Get');
		}
	}
}
