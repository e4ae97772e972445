import type { IDataObject } from 'n8n-workflow';
import {
	missingStatusMessage,
	progressLine,
	runFailedMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { toOutputItem } from '../model/resource';
import { runOutcome, statusOf } from '../model/runStatus';
import type { WaitOptions } from '../parameters/waiting';
import { quotable } from '../transport/failure/redactSecrets';
import type { ApiRequest, StartedRun } from '../transport/request/apiRequest';
import { endpoints } from '../transport/request/endpoints';
import { collectItems } from '../transport/request/pagination';
import type { ItemContext } from './operation';

interface WaitTarget {
	runId: string;
	/** Set if this operation has started the run. */
	startedRun?: StartedRun;
	/** Further fields of every output item. */
	extraFields?: IDataObject;
}

/** A check gets at least this time, even at the deadline. */
const MIN_CHECK_TIMEOUT_MS = 1000;
const INITIAL_POLL_INTERVAL_MS = 1000;
const POLL_INTERVAL_GROWTH = 1.5;
const MAX_POLL_INTERVAL_MS = 30_000;
/** About a minute. A run that never shows a status never shows its end. */
const MAX_CHECKS_WITHOUT_STATUS = 10;

/**
 * Checks the status of a run, at once and then at growing intervals, until it has ended.
 *
 * @returns the finished run and the request ID of the last check
 * @throws UserError if the run fails, at the deadline, and if canceled; RequestError if a check fails despite retries
 */
export async function waitForRun(item: ItemContext, { runId, startedRun }: WaitTarget, options: WaitOptions) {
	const { client, dependencies, signal } = item;
	const { clock, random } = dependencies;
	const { redact } = client.connection;
	const logProgress = createProgressLogger(item, runId);
	const deadline = clock.now() + options.waitUpTo;
	const timeLeft = () => deadline - clock.now();
	let interval = INITIAL_POLL_INTERVAL_MS;
	let checks = 0;
	let hasStatus = false;
	for (;;) {
		const { data, requestId } = await client.request({
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			startedRun,
			timeout: Math.max(timeLeft(), MIN_CHECK_TIMEOUT_MS),
			// A run takes minutes, so the wait survives a service that is down for some of them.
			retryFor: Math.max(timeLeft(), 0),
		});
		const [run] = data;
		checks++;
		const outcome = runOutcome(statusOf(run), options);
		const isLast = outcome !== undefined || timeLeft() <= 0;
		// Random, so that executions that started together don't check together.
		const nextInterval = () => Math.round(interval * (0.8 + 0.4 * random()));
		const nextCheck = isLast ? undefined : Math.min(nextInterval(), timeLeft());
		const status = quotable(statusOf(run), redact);
		logProgress(status, options.waitUpTo - timeLeft(), nextCheck);
		if (outcome === 'finished') return { run, requestId };
		const lastStatus = { runId, status, requestId, startedRun };
		if (outcome === 'failed') throw new UserError(runFailedMessage(lastStatus), { redact });
		hasStatus ||= status !== '';
		const isHopeless = !hasStatus && checks >= MAX_CHECKS_WITHOUT_STATUS;
		if (status === '' && (isHopeless || nextCheck === undefined)) {
			throw new UserError(missingStatusMessage(lastStatus), { redact });
		}
		if (nextCheck === undefined) {
			throw new UserError(waitTimeoutMessage(lastStatus, options.waitUpTo), { redact });
		}
		if (!(await clock.sleep(nextCheck, signal))) {
			throw new UserError(waitCanceledMessage(runId), { redact, isCanceled: true });
		}
		// Growing, so that long runs cost few requests.
		interval = Math.min(interval * POLL_INTERVAL_GROWTH, MAX_POLL_INTERVAL_MS);
	}
}

/**
 * Returns the results of a finished run as output items.
 *
 * @throws RequestError when they can't be read
 */
export async function fetchResults(
	{ client, hints }: ItemContext,
	{ runId, startedRun, extraFields }: WaitTarget,
	run: IDataObject,
): Promise<IDataObject[]> {
	const status = statusOf(run);
	const request: ApiRequest = { endpoint: endpoints.listResults, ids: { run_id: runId }, startedRun };
	const runFields = { run_id: runId, run_status: status, ...extraFields };
	const results = await collectItems(client, request, {}, (resource, pageRequestId) =>
		toOutputItem(resource, pageRequestId, runFields),
	);
	if (results.length === 0) hints.withoutResults.set(runId, quotable(status, client.connection.redact));
	return results;
}

/** The same status is logged again after this time at the latest. */
const MAX_LOG_INTERVAL_MS = 5 * 60_000;

/** Logs every new status, and the same one at growing intervals, so that the log of a long run stays readable. */
function createProgressLogger({ context, itemIndex, client }: ItemContext, runId: string) {
	const shownId = quotable(runId, client.connection.redact);
	let last: { status: string; elapsed: number } | undefined;
	/** @param elapsed milliseconds since the wait started @param nextCheck milliseconds; absent after the last check */
	return (status: string, elapsed: number, nextCheck?: number): void => {
		const isRepeated =
			status === last?.status && elapsed - last.elapsed < Math.min(last.elapsed / 2, MAX_LOG_INTERVAL_MS);
		if (nextCheck !== undefined && isRepeated) return;
		last = { status, elapsed };
		const line = progressLine(shownId, status, elapsed, nextCheck);
		context.logger.info(`${context.getNode().name}: ${line}`, { itemIndex });
	};
}
