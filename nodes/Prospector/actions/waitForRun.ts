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
import { runOutcome, statusOf } from '../model/runStatus';
import type { WaitOptions } from '../parameters/executionOptions';
import { type StartedRun, unlessStatus } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { getMany } from './getMany';
import { type ItemContext, requireRequested } from './operation';
import { requireWorkflow } from './requestOnce';

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
 * Checks the status of a run, at once and then at growing intervals, until it has finished.
 *
 * @throws UserError if it fails, is another run, at the deadline, and if canceled; RequestError if a check fails
 */
export async function waitForRun(
	item: ItemContext,
	runId: string,
	options: WaitOptions,
	startedRun?: StartedRun & { workflowId: string },
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
		requireRequested(run, request, requestId);
		if (startedRun !== undefined) {
			const { workflowId, isUserKey } = startedRun;
			requireWorkflow(run, { runId, requested: workflowId, requestId, isUserKey });
		}
		const status = statusOf(run);
		const outcome = runOutcome(status, options);
		const isLast = outcome !== undefined || timeLeft() <= 0;
		const nextCheck = isLast ? undefined : nextInterval();
		logProgress(status, elapsed(), nextCheck);
		const lastStatus = { runId, status, requestId, startedRun };
		if (outcome === 'failed') throw new UserError(runFailedMessage(lastStatus));
		if (outcome === 'partial') hints.partial.set(runId, status);
		if (outcome !== undefined) return { run, requestId };
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

/** About 15 s. A service may show the results only some time after the run has finished. */
const RESULT_DELAYS_MS = [1000, 2000, 4000, 8000];

/**
 * Returns the results of a finished run as output items. Until they become readable, the service may return an empty
 * list, 404 or 409. @throws RequestError when they can't be read; UserError if canceled
 */
export async function fetchResults(
	item: ItemContext,
	runId: string,
	run: IDataObject,
	extraFields: IDataObject = {},
): Promise<IDataObject[]> {
	item.answer.runId = runId;
	const status = statusOf(run);
	const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
	const runFields = { run_id: runId, run_status: status, ...extraFields };
	const read = async () =>
		await getMany(item, request, { onePage: false, startAt: 1 }, { query: {} }, runFields);
	for (const delayMs of RESULT_DELAYS_MS) {
		const results = await unlessStatus(read(), [404, 409]);
		if (results !== undefined && results.length > 0) return results;
		await sleepOrThrow(item, delayMs, runId);
	}
	const results = await read();
	if (results.length === 0) item.hints.withoutResults.set(runId, status);
	return results;
}

/** Logs every new status and the last one. */
function createProgressLogger({ context, itemIndex }: ItemContext, runId: string) {
	let lastStatus: string | undefined;
	/** Both in milliseconds: since the wait started, and until the next check, which is absent after the last one. */
	return (status: string, elapsed: number, nextCheck?: number): void => {
		if (nextCheck !== undefined && status === lastStatus) return;
		lastStatus = status;
		const line = toLogLine(context, progressLine(runId, status, elapsed, nextCheck));
		context.logger.info(`${context.getNode().name}: ${line}`, { itemIndex });
	};
}
