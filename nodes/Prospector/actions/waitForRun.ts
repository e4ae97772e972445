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
import { type StartedRun, ignoreStatuses } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { toText } from '../utils';
import { getMany } from './getMany';
import { type ItemContext, requireExpectedId } from './operation';
import { requireRunOfWorkflow } from './createResource';

/** A check gets at least this time, even at the deadline. */
const MIN_CHECK_TIMEOUT_MS = 1000;
const INITIAL_CHECK_INTERVAL_MS = 1000;
const CHECK_INTERVAL_GROWTH = 1.5;
const MAX_CHECK_INTERVAL_MS = 30_000;
/** About a minute. A run that never shows a status never shows its end. */
const MAX_CHECKS_WITHOUT_STATUS = 10;
/** A service may show a run only some time after it was started. */
const MAX_NOT_FOUND_MS = 30_000;

/**
 * Checks the status of a run, at once and then at growing intervals, until it has finished.
 *
 * @throws UserError if it fails, is another run, at the deadline, and if canceled; RequestError if a check fails
 */
export async function waitForRun(
	itemContext: ItemContext,
	runId: string,
	waitOptions: WaitOptions,
	startedRun?: StartedRun & { workflowId: string },
) {
	const { client, context, dependencies, hints, itemIndex } = itemContext;
	const { clock, random } = dependencies;
	const beginMs = clock.now();
	const elapsedMs = () => clock.now() - beginMs;
	const timeLeftMs = () => waitOptions.waitUpToMs - elapsedMs();
	let intervalMs = INITIAL_CHECK_INTERVAL_MS;
	let checkCount = 0;
	let hasShownStatus = false;
	let loggedStatus: string | undefined;
	// Random, so that executions that started together don't check together.
	const nextPauseMs = () => Math.min(Math.round(intervalMs * (0.8 + 0.4 * random())), timeLeftMs());
	const pause = async (delayMs: number) => {
		await sleepOrThrow(itemContext, delayMs, runId);
		// Growing, so that long runs cost few requests.
		intervalMs = Math.min(intervalMs * CHECK_INTERVAL_GROWTH, MAX_CHECK_INTERVAL_MS);
	};
	for (;;) {
		const canRunBeMissing =
			startedRun !== undefined && checkCount === 0 && timeLeftMs() > 0 && elapsedMs() < MAX_NOT_FOUND_MS;
		const request: ApiRequest = {
			endpoint: endpoints.getRun,
			ids: { run_id: runId },
			timeoutMs: Math.max(timeLeftMs(), MIN_CHECK_TIMEOUT_MS),
			// A run takes minutes, so the wait survives a service that is down for some of them.
			retryForMs: Math.max(timeLeftMs(), 0),
		};
		const response = await ignoreStatuses(client.request(request), canRunBeMissing ? [404] : []);
		if (response === undefined) {
			await pause(nextPauseMs());
			continue;
		}
		checkCount++;
		const { data, requestId } = response;
		const [run] = data;
		requireExpectedId(run, request, requestId);
		if (startedRun !== undefined) {
			const { workflowId, isUserKey } = startedRun;
			requireRunOfWorkflow(run, { runId, expectedWorkflowId: workflowId, requestId, isUserKey });
		}
		const status = statusOf(run);
		const outcome = runOutcome(status, waitOptions);
		const isLastCheck = outcome !== undefined || timeLeftMs() <= 0;
		const pauseMs = isLastCheck ? undefined : nextPauseMs();
		if (isLastCheck || status !== loggedStatus) {
			const logLine = toLogLine(context, progressLine(runId, status, elapsedMs(), pauseMs));
			context.logger.info(`${context.getNode().name}: ${logLine}`, { itemIndex });
			loggedStatus = status;
		}
		const statusCheck = { runId, status, requestId, startedRun };
		if (outcome === 'failed') throw new UserError(runFailedMessage(statusCheck));
		if (outcome === 'partial') hints.add('partialRuns', runId, status);
		if (outcome !== undefined) return { run, requestId };
		hasShownStatus ||= status !== '';
		const mayStatusAppear = !isLastCheck && (hasShownStatus || checkCount < MAX_CHECKS_WITHOUT_STATUS);
		if (status === '' && !mayStatusAppear) throw new UserError(missingStatusMessage(statusCheck));
		if (pauseMs === undefined) throw new UserError(waitTimeoutMessage(statusCheck, waitOptions.waitUpToMs));
		await pause(pauseMs);
	}
}

/** @throws UserError if the execution is canceled */
async function sleepOrThrow({ dependencies, signal }: ItemContext, delayMs: number, runId: string) {
	if (await dependencies.clock.sleep(delayMs, signal)) return;
	throw new UserError(waitCanceledMessage(runId), { isCanceled: true });
}

/** 15 s. A service may show the results only some time after the run has finished, one after the other. */
const RESULT_RETRY_DELAYS_MS = [1000, 2000, 4000, 7000, 1000];

/**
 * Returns the results of a finished run as output items. Until they become readable, the service may return an empty
 * list, 404 or 409. After that, they count once two reads agree.
 *
 * @param runFields what each result gets from its run
 * @throws RequestError when they can't be read; UserError if canceled
 */
export async function waitForResults(itemContext: ItemContext, runId: string, runFields: IDataObject) {
	const { answerSource, hints } = itemContext;
	answerSource.runId = runId;
	const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
	const readResults = async () =>
		await getMany(itemContext, request, { isOnePage: false }, { query: {} }, runFields);
	let results = await ignoreStatuses(readResults(), [404, 409]);
	if (results?.length) return results;
	const status = toText(runFields.run_status);
	for (const [index, delayMs] of RESULT_RETRY_DELAYS_MS.entries()) {
		await sleepOrThrow(itemContext, delayMs, runId);
		const isLast = index === RESULT_RETRY_DELAYS_MS.length - 1;
		const laterResults = await ignoreStatuses(readResults(), isLast && !results ? [] : [404, 409]);
		if (results?.length && laterResults && haveSameIds(results, laterResults)) return laterResults;
		results = laterResults ?? results;
	}
	hints.add(results?.length ? 'changingResults' : 'noResults', runId, status);
	return results ?? [];
}

function haveSameIds(items: IDataObject[], otherItems: IDataObject[]): boolean {
	const ids = new Set(items.map(({ id }) => id));
	return items.length === otherItems.length && otherItems.every(({ id }) => ids.has(id));
}
