import type { IDataObject } from 'n8n-workflow';
import {
	progressLine,
	runFailedMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { toOutputItem } from '../model/resource';
import { runOutcome, statusOf } from '../model/runStatus';
import type { WaitOptions } from '../parameters/waiting';
import type { Dependencies } from '../transport/dependencies';
import { quotable } from '../transport/failure/redactSecrets';
import type { ApiRequest, StartedRun } from '../transport/request/apiRequest';
import type { Client } from '../transport/request/client';
import { endpoints } from '../transport/request/endpoints';
import { collectItems } from '../transport/request/pagination';
import type { ItemContext } from './operation';

/** Times in milliseconds. */
export interface StatusCheck {
	status: string;
	/** Since the wait started. */
	elapsed: number;
	/** Until the next check; absent after the last one. */
	nextCheck?: number;
}

interface Wait {
	client: Client;
	runId: string;
	startedRun?: StartedRun;
	options: WaitOptions;
	signal: AbortSignal;
	dependencies: Pick<Dependencies, 'clock' | 'random'>;
	onStatusCheck: (check: StatusCheck) => void;
}

/** A check gets at least this time, even at the deadline. */
const MIN_CHECK_TIMEOUT_MS = 1000;

/**
 * Checks the status of a run, at once and then at growing intervals, until it has ended.
 *
 * @returns the finished run and the request ID of the last check
 * @throws UserError if the run fails, at the deadline, and if canceled; RequestError if a check fails despite retries
 */
export async function waitForRun(wait: Wait): Promise<{ run: IDataObject; requestId: string }> {
	const { client, runId, startedRun, options, signal, onStatusCheck } = wait;
	const { clock, random } = wait.dependencies;
	const { redact } = client.connection;
	const deadline = clock.now() + options.maxWait;
	const timeLeft = () => deadline - clock.now();
	for (let checks = 1; ; checks++) {
		const { data, requestId } = await client.request({
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			startedRun,
			timeout: Math.max(timeLeft(), MIN_CHECK_TIMEOUT_MS),
			// A run takes minutes, so the wait survives a service that is down for some of them.
			maxWait: Math.max(timeLeft(), 0),
		});
		const [run] = data;
		const outcome = runOutcome(run, options);
		const isLast = outcome !== undefined || timeLeft() <= 0;
		const nextCheck = isLast ? undefined : pollInterval(checks, random(), timeLeft());
		const status = quotable(statusOf(run), redact);
		onStatusCheck({ status, elapsed: options.maxWait - timeLeft(), nextCheck });
		if (outcome === 'finished') return { run, requestId };
		const lastStatus = { runId, status, requestId, startedRun };
		if (outcome === 'failed') throw new UserError(runFailedMessage(lastStatus), { redact });
		if (nextCheck === undefined) {
			throw new UserError(waitTimeoutMessage(lastStatus, options.maxWait), { redact });
		}
		if (!(await clock.sleep(nextCheck, signal))) {
			throw new UserError(waitCanceledMessage(runId), { redact, isCanceled: true });
		}
	}
}

const INITIAL_POLL_INTERVAL_MS = 1000;
const POLL_INTERVAL_GROWTH = 1.5;
const MAX_POLL_INTERVAL_MS = 30_000;

/**
 * Returns the milliseconds until the next status check. They grow, so that long runs cost few requests, and are random,
 * so that executions that started together don't check together.
 *
 * @param checks number of checks so far
 * @param random from 0 up to 1
 * @param timeLeft maximum
 */
function pollInterval(checks: number, random: number, timeLeft: number): number {
	const interval = Math.min(
		INITIAL_POLL_INTERVAL_MS * POLL_INTERVAL_GROWTH ** (checks - 1),
		MAX_POLL_INTERVAL_MS,
	);
	return Math.min(Math.round(interval * (0.8 + 0.4 * random)), timeLeft);
}

export interface WaitTarget {
	runId: string;
	/** Set if this operation has started the run. */
	startedRun?: StartedRun;
	/** Further fields of every output item. */
	extraFields?: IDataObject;
}

/**
 * Waits for a run, and returns it or its results as output items.
 *
 * @throws as {@link waitForRun} does, and RequestError when the results can't be read
 */
export async function waitAndFetchResults(
	{ client, hints, signal, dependencies, log }: ItemContext,
	{ runId, startedRun, extraFields = {} }: WaitTarget,
	options: WaitOptions,
): Promise<IDataObject[]> {
	const { redact } = client.connection;
	const { run, requestId } = await waitForRun({
		client,
		runId,
		startedRun,
		options,
		signal,
		dependencies,
		onStatusCheck: createProgressLogger(quotable(runId, redact), log),
	});
	if (!options.returnResults) return [toOutputItem(run, requestId, extraFields)];

	const status = statusOf(run);
	const request: ApiRequest = { endpoint: endpoints.listResults, ids: { run_id: runId }, startedRun };
	const runFields = { run_id: runId, run_status: status, ...extraFields };
	const results = await collectItems(client, request, {}, (resource, pageRequestId) =>
		toOutputItem(resource, pageRequestId, runFields),
	);
	if (results.length === 0) hints.withoutResults.set(runId, quotable(status, redact));
	return results;
}

/** The same status is logged again after this time at the latest. */
const MAX_LOG_INTERVAL_MS = 5 * 60_000;

/** Logs every new status, and the same one at growing intervals, so that the log of a long run stays readable. */
function createProgressLogger(runId: string, log: (line: string) => void): (check: StatusCheck) => void {
	let lastLogged: StatusCheck | undefined;
	return (check) => {
		const { status, elapsed, nextCheck } = check;
		const isRepeated =
			status === lastLogged?.status &&
			elapsed - lastLogged.elapsed < Math.min(lastLogged.elapsed / 2, MAX_LOG_INTERVAL_MS);
		if (nextCheck !== undefined && isRepeated) return;
		lastLogged = check;
		log(progressLine(runId, status, elapsed, nextCheck));
	};
}
