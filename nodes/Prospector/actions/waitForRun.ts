import type { IDataObject } from 'n8n-workflow';
import { toLogLine } from '../messages/redact';
import {
	missingStatusMessage,
	progressLine,
	runFailedMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { toOutputItem } from '../model/resource';
import { isPartialSuccess, runOutcome, statusOf } from '../model/runStatus';
import type { WaitOptions } from '../parameters/executionOptions';
import { hasStatus, type StartedRun } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { collectItems } from '../transport/request/pagination';
import { MINUTE_MS } from '../utils';
import { type ItemContext, requireId } from './operation';
import { requireWorkflow } from './requestOnce';

/** Set if this operation has started the run. */
type Started = StartedRun & { workflowId: string };

/** A check gets at least this time, even at the deadline. */
const MIN_CHECK_TIMEOUT_MS = 1000;
const INITIAL_POLL_INTERVAL_MS = 1000;
const POLL_INTERVAL_GROWTH = 1.5;
const MAX_POLL_INTERVAL_MS = 30_000;
/** About a minute. A run that never shows a status never shows its end. */
const MAX_CHECKS_WITHOUT_STATUS = 10;
/** A service may show a run only some time after it was started. */
const NOT_FOUND_MS = 30_000;

/**
 * Checks the status of a run, at once and then at growing intervals, until it has ended.
 *
 * @returns the finished run and the request ID of the last check
 * @throws UserError if the run fails, is another one, at the deadline, and if canceled; RequestError if a check fails
 *   despite retries
 */
export async function waitForRun(
	item: ItemContext,
	runId: string,
	options: WaitOptions,
	startedRun?: Started,
) {
	const { client, dependencies, hints } = item;
	const { clock, random } = dependencies;
	const begin = clock.now();
	const logProgress = createProgressLogger(item, runId);
	const elapsed = () => clock.now() - begin;
	const timeLeft = () => options.waitUpTo - elapsed();
	let interval = INITIAL_POLL_INTERVAL_MS;
	let checks = 0;
	let hasShownStatus = false;
	// Random, so that executions that started together don't check together.
	const nextInterval = () => Math.min(Math.round(interval * (0.8 + 0.4 * random())), timeLeft());
	const pause = async (milliseconds: number) => {
		await sleepOrThrow(item, milliseconds, runId);
		// Growing, so that long runs cost few requests.
		interval = Math.min(interval * POLL_INTERVAL_GROWTH, MAX_POLL_INTERVAL_MS);
	};
	for (;;) {
		const canBeMissing =
			startedRun !== undefined && checks === 0 && timeLeft() > 0 && elapsed() < NOT_FOUND_MS;
		const request: ApiRequest = {
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			timeoutMs: Math.max(timeLeft(), MIN_CHECK_TIMEOUT_MS),
			// A run takes minutes, so the wait survives a service that is down for some of them.
			retryForMs: Math.max(timeLeft(), 0),
		};
		const response = await unlessStatus(client.request(request), canBeMissing ? [404] : []);
		if (response === undefined) {
			await pause(nextInterval());
			continue;
		}
		checks++;
		const { data, requestId } = response;
		const [run] = data;
		requireId(run, 'run', runId, requestId);
		if (startedRun !== undefined) {
			const { workflowId, isUserKey } = startedRun;
			requireWorkflow(run, { runId, requested: workflowId, requestId, isUserKey });
		}
		const status = statusOf(run);
		const outcome = runOutcome(status, options);
		const isLast = outcome !== undefined || timeLeft() <= 0;
		const nextCheck = isLast ? undefined : nextInterval();
		logProgress(status, elapsed(), nextCheck);
		if (outcome === 'finished') {
			if (isPartialSuccess(status, options)) hints.partial.set(runId, status);
			return { run, requestId };
		}
		const lastStatus = { runId, status, requestId, startedRun };
		if (outcome === 'failed') throw new UserError(runFailedMessage(lastStatus));
		hasShownStatus ||= status !== '';
		const isHopeless = !hasShownStatus && checks >= MAX_CHECKS_WITHOUT_STATUS;
		if (isHopeless || (status === '' && nextCheck === undefined)) {
			throw new UserError(missingStatusMessage(lastStatus));
		}
		if (nextCheck === undefined) throw new UserError(waitTimeoutMessage(lastStatus, options.waitUpTo));
		await pause(nextCheck);
	}
}

/** @throws UserError if the execution is canceled */
async function sleepOrThrow({ dependencies, signal }: ItemContext, delayMs: number, runId: string) {
	if (await dependencies.clock.sleep(delayMs, signal)) return;
	throw new UserError(waitCanceledMessage(runId), { isCanceled: true });
}

/** Returns undefined if a request fails with one of these statuses. @throws what the request throws otherwise */
const unlessStatus = async <T>(request: Promise<T>, statuses: number[]): Promise<T | undefined> =>
	await request.catch((thrown: Error) =>
		hasStatus(thrown, ...statuses) ? undefined : Promise.reject(thrown),
	);

/** About 15 s. A service may show the results only some time after the run has finished. */
const RESULT_DELAYS_MS = [1000, 2000, 4000, 8000];

/**
 * Returns the results of a finished run as output items. They may become readable only later: until then, the service
 * may return an empty list, 404 or 409.
 *
 * @param extraFields further fields of every output item
 * @throws RequestError when they can't be read; UserError if canceled
 */
export async function fetchResults(
	item: ItemContext,
	runId: string,
	run: IDataObject,
	extraFields: IDataObject = {},
): Promise<IDataObject[]> {
	const { client, hints, answer } = item;
	answer.runId = runId;
	const status = statusOf(run);
	const request: ApiRequest = { endpoint: endpoints.listResults, ids: { run_id: runId } };
	const runFields = { run_id: runId, run_status: status, ...extraFields };
	const read = async () =>
		await collectItems(
			client,
			request,
			{ onChanged: () => hints.changedLists++ },
			(resource, pageRequestId) => toOutputItem(resource, pageRequestId, runFields),
		);
	for (const delayMs of RESULT_DELAYS_MS) {
		const results = await unlessStatus(read(), [404, 409]);
		if (results !== undefined && results.length > 0) return results;
		await sleepOrThrow(item, delayMs, runId);
	}
	const results = await read();
	if (results.length === 0) hints.withoutResults.set(runId, status);
	return results;
}

/** The same status is logged again after this time at the latest. */
const MAX_LOG_INTERVAL_MS = 5 * MINUTE_MS;

/** Logs every new status, and the same one at growing intervals, so that the log of a long run stays readable. */
function createProgressLogger({ context, itemIndex }: ItemContext, runId: string) {
	let last: { status: string; elapsed: number } | undefined;
	/** Both in milliseconds: since the wait started, and until the next check, which is absent after the last one. */
	return (status: string, elapsed: number, nextCheck?: number): void => {
		const isRepeated =
			status === last?.status && elapsed - last.elapsed < Math.min(last.elapsed / 2, MAX_LOG_INTERVAL_MS);
		if (nextCheck !== undefined && isRepeated) return;
		last = { status, elapsed };
		const line = toLogLine(context, progressLine(runId, status, elapsed, nextCheck));
		context.logger.info(`${context.getNode().name}: ${line}`, { itemIndex });
	};
}
