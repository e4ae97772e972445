// Waits for runs and for their results. Called by Run and Get Results, and by Run › Get; a wait for a run ends at its
// deadline, one for results after a few reads, and both soon after the execution is canceled.
import type { IDataObject } from 'n8n-workflow';
import {
	noResultsYetNote,
	runFailedMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { type AddedStatuses, type RunOutcome, runOutcome, statusOf } from '../model/runStatus';
import { NOT_READY_STATUSES } from '../api/failure/evidence';
import {
	type AwaitedRun,
	ignoreStatuses,
	isTimedOutOrThrottled,
	addRunToError,
} from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { toText } from '../utils';
import { MIN_ATTEMPT_MS } from '../transport/request/client';
import { getMany } from './getMany';
import { type ItemContext, requireExpectedId, requireRunOfWorkflow } from './operation';
import { fieldsFromRun } from './workflowNames';

/** The end of a long run is noticed at most 10 % late, with few requests. */
const CHECK_INTERVAL_SHARE = 0.1;
const MIN_CHECK_INTERVAL_MS = 2000;
const MAX_CHECK_INTERVAL_MS = 30_000;
/** Random, so that executions that started together don't check together. */
const CHECK_INTERVAL_JITTER = 0.2;
/** A sleep can end this much late. */
const TIMER_DELAY_MS = 100;
/** A service may show a run only some time after its start, and some of its servers before others (contract, section 3). */
const MAX_INVISIBLE_MS = 30_000;

function checkIntervalMs(elapsedMs: number, random: number): number {
	// The jitter only shortens.
	const minMs = MIN_CHECK_INTERVAL_MS / (1 - CHECK_INTERVAL_JITTER);
	const intervalMs = Math.min(Math.max(elapsedMs * CHECK_INTERVAL_SHARE, minMs), MAX_CHECK_INTERVAL_MS);
	return Math.round(intervalMs * (1 - CHECK_INTERVAL_JITTER * random));
}

interface WaitOutcome {
	run: IDataObject;
	/** Only for a tool `open`, if it had to answer before the run has ended. */
	outcome: RunOutcome;
	/** Of the request that returned the run. */
	requestId: string;
}

/**
 * Checks the status of a run, at once and then at growing intervals, until it has ended; as a tool, at the latest until the
 * model needs an answer.
 *
 * @param waitOptions.waitUpToMs from the first check; as a tool, from the call
 * @throws UserError if it fails, is another run, at the deadline, and if canceled; RequestError if a check fails
 */
export async function waitForRun(
	itemContext: ItemContext,
	awaitedRun: AwaitedRun,
	waitOptions: AddedStatuses & { waitUpToMs: number },
): Promise<WaitOutcome> {
	const { dependencies, hints, isTool } = itemContext;
	const { clock, random } = dependencies;
	const { runId } = awaitedRun;
	const waitBeganAtMs = clock.now();
	// The time of a tool counts from its call, and its last check must end in that time. The rest, until `answerByMs`, is for
	// reading results.
	const countFromMs = isTool ? itemContext.beganAtMs - MIN_ATTEMPT_MS - TIMER_DELAY_MS : waitBeganAtMs;
	const deadlineMs = countFromMs + waitOptions.waitUpToMs;
	const timeLeftMs = () => Math.max(deadlineMs - clock.now(), 0);
	let check: Awaited<ReturnType<typeof checkRun>>;
	/** If a slow service or the rate limit prevents the last check, the one before it counts. */
	const fallBackToEarlierCheck = (thrown: Error) => {
		if (check !== undefined && timeLeftMs() <= 0 && isTimedOutOrThrottled(thrown)) return check;
		throw thrown;
	};
	for (;;) {
		const checking = checkRun(itemContext, awaitedRun, { waitBeganAtMs, deadlineMs }).catch(
			fallBackToEarlierCheck,
		);
		check = await addRunToError(checking, awaitedRun);
		if (check !== undefined) {
			const { run, requestId } = check;
			const status = statusOf(run);
			const outcome = runOutcome(status, waitOptions);
			const statusCheck = { ...awaitedRun, status, requestId };
			if (outcome === 'failed') throw new UserError(runFailedMessage(statusCheck));
			if (outcome === 'partial') hints.add('partialRuns', runId, status);
			const isLastCheck = timeLeftMs() <= 0;
			if (outcome !== 'open' || (isLastCheck && isTool)) return { run, outcome, requestId };
			if (isLastCheck) throw new UserError(waitTimeoutMessage(statusCheck, waitOptions.waitUpToMs));
		}
		const pauseMs = checkIntervalMs(clock.now() - waitBeganAtMs, random());
		await sleepOrThrow(itemContext, Math.min(pauseMs, timeLeftMs()), runId);
	}
}

/** Returns the run, and the request that returned it; undefined if the run is missing, but may just not be visible yet. */
async function checkRun(
	{ client, dependencies }: ItemContext,
	awaitedRun: AwaitedRun,
	{ waitBeganAtMs, deadlineMs }: { waitBeganAtMs: number; deadlineMs: number },
) {
	// Tried until the deadline, because the service can be down for some minutes of a long run.
	const request: ApiRequest = { endpoint: endpoints.getRun, ids: { run_id: awaitedRun.runId }, deadlineMs };
	const mayBeInvisible = dependencies.clock.now() < Math.min(waitBeganAtMs + MAX_INVISIBLE_MS, deadlineMs);
	const response = await ignoreStatuses(client.request(request), mayBeInvisible ? [404] : []);
	if (response === undefined) return undefined;
	const { data, requestId } = response;
	const [run] = data;
	requireExpectedId(run, request, requestId);
	requireRunOfWorkflow(run, awaitedRun, requestId);
	return { run, requestId };
}

/** @throws UserError if the execution is canceled */
async function sleepOrThrow({ dependencies, signal }: ItemContext, delayMs: number, runId: string) {
	if (await dependencies.clock.sleep(delayMs, signal)) return;
	throw new UserError(waitCanceledMessage(runId), true);
}

/**
 * Returns the results of a run as output items; for a tool that has to answer before they are readable, a note instead.
 *
 * @throws RequestError when they can't be read; UserError if canceled
 */
export async function waitForResults(
	itemContext: ItemContext,
	awaitedRun: AwaitedRun,
	{ run, outcome }: WaitOutcome,
	pageSize?: number,
): Promise<IDataObject[]> {
	const { runId, start, expectedWorkflowId } = awaitedRun;
	if (outcome !== 'open') {
		const workflowId = toText(run.workflow_id) || expectedWorkflowId;
		const runFields = await fieldsFromRun(itemContext, runId, { ...run, workflow_id: workflowId });
		const startFields = start && {
			idempotency_key: start.idempotencyKey ?? null,
			run_request_id: start.requestId,
		};
		const extraFields = { ...runFields, ...startFields };
		const results = await readUntilCertain(itemContext, awaitedRun, { extraFields, pageSize });
		if (results !== undefined) return results;
	}
	const note = noResultsYetNote(awaitedRun, statusOf(run), outcome);
	return [{ run_id: runId, run_outcome: outcome, note }];
}

/**
 * 15 s, because a service may show results some time after the end of the run, one by one (contract, section 3). The last
 * read only confirms the one before it.
 */
const RESULT_RETRY_DELAYS_MS = [1000, 2000, 4000, 7000, 1000];

/**
 * Returns the results of a finished run; undefined if a tool has to answer before. Until they become readable, the service
 * may return an empty list, 404 or 409 (contract, section 7). Results in the first read count at once, so that the usual
 * run takes one request. Those of a later read, which can still be incomplete, count once the next read has the same
 * ones, and an empty list counts once all reads were made.
 */
async function readUntilCertain(
	itemContext: ItemContext,
	awaitedRun: AwaitedRun,
	{ extraFields, pageSize }: { extraFields: IDataObject; pageSize?: number },
): Promise<IDataObject[] | undefined> {
	const { answerByMs, dependencies, hints } = itemContext;
	const { runId } = awaitedRun;
	const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
	const status = toText(extraFields.run_status);
	let hasChanged = false;
	const onListChanged = () => void (hasChanged = true);
	const readOptions = { extraFields, pageSize, onListChanged, resultsOfRun: runId };
	const isTimeOver = (afterMs = 0) => dependencies.clock.now() + afterMs > answerByMs - MIN_ATTEMPT_MS;
	const read = async (ignoredStatuses: number[]) => {
		const reading = ignoreStatuses(getMany(itemContext, request, readOptions), ignoredStatuses);
		return await addRunToError(reading, { ...awaitedRun, hasFinished: true }).catch((thrown: Error) => {
			if (isTimeOver() && isTimedOutOrThrottled(thrown)) return undefined;
			throw thrown;
		});
	};
	let results = await read(NOT_READY_STATUSES);
	if (results?.length) {
		if (hasChanged) hints.add('changingResults', runId, status);
		return results;
	}
	for (const [index, delayMs] of RESULT_RETRY_DELAYS_MS.entries()) {
		if (isTimeOver(delayMs)) return undefined;
		await sleepOrThrow(itemContext, delayMs, runId);
		// If no read has returned a list, the last read throws the failure.
		const mustReport = index === RESULT_RETRY_DELAYS_MS.length - 1 && results === undefined;
		const laterResults = await read(mustReport ? [] : NOT_READY_STATUSES);
		if (results && laterResults && haveSameIds(results, laterResults)) return laterResults;
		results = laterResults ?? results;
	}
	if (results === undefined || isTimeOver()) return undefined;
	hints.add(results.length > 0 ? 'changingResults' : 'noResults', runId, status);
	return results;
}

/** Whether two reads agree. Two empty lists don't, because results may follow. */
function haveSameIds(items: IDataObject[], otherItems: IDataObject[]): boolean {
	const ids = new Set(items.map(({ id }) => id));
	return ids.size > 0 && items.length === otherItems.length && otherItems.every(({ id }) => ids.has(id));
}
