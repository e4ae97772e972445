import { type FailedRequest, isOutcomeUnknown, type StartedRun } from '../api/failure/requestError';
import { lowerFirst, upperFirst } from '../utils';
import { formatDuration } from './userMessage';

/*
 * Advice that several messages share. Every function returns sentences without full stops.
 */

/** Where a message appears; `editor` includes tests and activations of the trigger. */
export type Place = 'node' | 'tool' | 'editor' | 'poll' | 'credentialTest';

/** A failed request, and where its message appears. */
export interface ShownFailure extends FailedRequest {
	place: Place;
}

/** What happened, and the sentences of the description, without full stops; empty ones are left out. */
export type FailureSentences = [message: string, ...description: string[]];

/** Whether an attempt before the last one may have been processed, and the advice for the last does not cover that. */
export function isEarlierOutcomeUnknown({ failure, request, startedRun }: FailedRequest): boolean {
	if (!failure.outcomeUnknown || startedRun || request.endpoint.method === 'GET') return false;
	const isConflict = failure.kind === 'status' && failure.status === 409;
	return !isConflict && !isOutcomeUnknown(failure, request);
}

/** Says how to continue with a run. @param canRetry whether n8n offers its Retry button */
export function continueRun({ id, idempotencyKey }: StartedRun, canRetry: boolean): string {
	const later = `Get its results later with Run › Get, ID '${id}'`;
	if (idempotencyKey === undefined) {
		return `The run continues. Do not retry, as that starts another one. ${later}`;
	}
	return canRetry
		? `The run continues. Use Retry on this execution to continue with it, or ${lowerFirst(later)}`
		: `The run continues. ${later}`;
}

/** A credential test does not name the credential, which is open in the editor. */
export const credentialSuffix = (place: Place, preposition: 'in' | 'of' = 'in') =>
	place === 'credentialTest' ? '' : ` ${preposition} the credential`;

export const checkBaseUrl = (place: Place) => `Check 'Base URL'${credentialSuffix(place)}`;

/** Appends "then try again" where that makes sense: a poll is repeated anyway. */
export function addTryAgain(advice: string, shown: ShownFailure): string {
	const { place, startedRun } = shown;
	if (place === 'poll' || startedRun || isEarlierOutcomeUnknown(shown)) return advice;
	return `${advice}, then ${place === 'credentialTest' ? 'test' : 'try'} again`;
}

export const FEWER_EXECUTIONS = 'Run fewer executions with this API key at the same time';

/** A poll has no advice: the next one catches up. @param throttledMs milliseconds until the next request */
export function adviceAfterThrottling(throttledMs: number, place: Place): string[] {
	if (place === 'poll') return [];
	const wait = formatDuration(throttledMs);
	// A list or a test in the editor has no such option.
	const first =
		place === 'editor'
			? `Try again in ${wait}`
			: `The next request can be sent in ${wait}. Raise 'Retry For (Seconds)' under Options`;
	return [`${first}, or ${lowerFirst(FEWER_EXECUTIONS)}`];
}

/** Returns the advice after the last attempt, or one before it, may have been processed. */
export function adviceAfterUnknownOutcome({ failure, request, isUserKey, place }: ShownFailure): string[] {
	const { endpoint, idempotencyKey } = request;
	if (endpoint.method === 'GET') {
		if (place === 'poll') return [];
		const isStatus = failure.kind === 'status';
		const when = isStatus ? ' in a few minutes' : '';
		if (place !== 'credentialTest') return [`Nothing was changed. Try again${when}`];
		return [`Test again${when}`, ...(isStatus ? [] : ["If it stays like this, check 'Base URL'"])];
	}
	const isStart = endpoint.name === 'runWorkflow';
	const unknown = isStart ? 'The run may have been started' : 'It may have taken effect';
	if (idempotencyKey === undefined) {
		const look = endpoint.takesIdempotencyKey ? 'Look in the workspace' : 'Get the Prospector workflow';
		return [`${unknown}. ${look} before you try again`];
	}
	const repeat = isUserKey
		? "use the same 'Idempotency Key'"
		: `set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${idempotencyKey}'`;
	if (failure.kind === 'canceled' || place === 'tool') {
		return [`${unknown}. To repeat it safely, ${repeat}`];
	}
	const noSecond = isStart ? 'no second run is started' : 'no second Prospector workflow is created';
	return [`${unknown}. Use Retry on this execution: ${noSecond}. To repeat it elsewhere, ${repeat}`];
}

/** Like `adviceAfterUnknownOutcome`, for a response that will be the same when a read is repeated. */
export const adviceAfterUnknownWrite = (shown: ShownFailure): string[] =>
	shown.request.endpoint.method === 'GET' ? [] : adviceAfterUnknownOutcome(shown);

/** Returns the advice when a request with the same key may be in progress, or have taken effect. */
export function adviceAfterConflict({ request, place }: ShownFailure): string {
	const isCreation = request.endpoint.name === 'createWorkflow';
	const [noun, list] = isCreation ? ['Prospector workflow', 'Workflow'] : ['run', 'Run'];
	const look = `look for the ${noun} with ${list} › Get Many, and make another one only if it is missing`;
	if (place === 'tool') return upperFirst(look);
	return `Wait a minute and use Retry on this execution, which sends the same key again. If that does not help, ${look}`;
}
