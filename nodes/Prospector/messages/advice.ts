import type { PaginationFlaw, StatusFailure } from '../api/failure/failure';
import { type FailedRequest, isOutcomeUnknown, type StartedRun } from '../api/failure/requestError';
import { lowerFirst, upperFirst } from '../utils';
import { formatDuration } from './userMessage';

/** Where a message appears; `editor` includes tests and activations of the trigger. */
export type Place = 'node' | 'tool' | 'editor' | 'poll' | 'credentialTest';

/** Returns what a person can do, most important first, as sentences without full stops. */
export function adviceFor(failed: FailedRequest, place: Place): string[] {
	const { failure, startedRun } = failed;
	if (startedRun) {
		// The run is what counts now: it must be found again, and no second one started.
		const canRetry = failure.kind !== 'canceled' && place !== 'tool';
		const forKey = isPermissionFailure(failed) ? adviceForCause(failed, place) : [];
		return [...forKey, continueRun(startedRun, canRetry)];
	}
	const isUnknown = isEarlierOutcomeUnknown(failed);
	return [...(isUnknown ? afterUnknownOutcome(failed, place) : []), ...adviceForCause(failed, place)];
}

export const isPermissionFailure = ({ failure }: FailedRequest): boolean =>
	failure.kind === 'status' && [401, 403].includes(failure.status);

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
const ofCredential = (place: Place, preposition: 'in' | 'of' = 'in') =>
	place === 'credentialTest' ? '' : ` ${preposition} the credential`;

export const checkBaseUrl = (place: Place) => `Check 'Base URL'${ofCredential(place)}`;

/** Appends "then try again" where that makes sense: a poll is repeated anyway. */
function thenTryAgain(advice: string, failed: FailedRequest, place: Place): string {
	if (place === 'poll' || failed.startedRun || isEarlierOutcomeUnknown(failed)) return advice;
	return `${advice}, then ${place === 'credentialTest' ? 'test' : 'try'} again`;
}

function adviceForCause(failed: FailedRequest, place: Place): string[] {
	const { failure } = failed;
	switch (failure.kind) {
		case 'status':
			return adviceForStatus(failed, failure, place);
		case 'network':
			if (failure.requestSent) return afterUnknownOutcome(failed, place);
			return [thenTryAgain(`${checkBaseUrl(place)} and n8n's network`, failed, place)];
		case 'timeout':
			return [
				...afterUnknownOutcome(failed, place),
				// The editor uses its own timeout.
				...(place === 'editor'
					? []
					: [
							"If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings",
						]),
			];
		case 'truncatedResponse':
			return afterUnknownOutcome(failed, place);
		case 'certificate':
			return [`${checkBaseUrl(place)}, or have the certificate renewed`];
		case 'ssrfBlocked':
			return ["Ask your n8n admin to allow this address, or change 'Base URL'"];
		case 'tooLarge':
			return [
				"Set 'Page Size' under Options to a smaller number if this is a list",
				...afterUnknownOutcome(failed, place),
			];
		case 'unexpectedResponse': {
			const isRead = failed.request.endpoint.method === 'GET';
			return [
				`Check the address${ofCredential(place)}. A login page or proxy may be in front of it`,
				...(isRead ? [] : afterUnknownOutcome(failed, place)),
			];
		}
		case 'invalidPagination':
			return [adviceForList(failure.reason, place)];
		case 'throttled':
			return adviceForThrottling(failure.throttledMs, place);
		case 'canceled':
			return failure.beforeSend ? [] : afterUnknownOutcome(failed, place);
	}
}

function adviceForStatus(failed: FailedRequest, failure: StatusFailure, place: Place): string[] {
	const { status, isHtml, retryAfterMs } = failure;
	const { request, isUserKey } = failed;
	const { ids = {}, idempotencyKey, body } = request;
	switch (status) {
		case 401:
			return [thenTryAgain(`Paste a current one into 'API Key'${ofCredential(place, 'of')}`, failed, place)];
		case 403:
			return ['Ask a workspace admin for such an API key'];
		case 404:
			if (ids.workflow_id === undefined && ids.run_id === undefined) return [checkBaseUrl(place)];
			return [
				pickAdvice(ids.workflow_id === undefined, place),
				...(isHtml ? [`Or 'Base URL'${ofCredential(place)} is wrong`] : []),
			];
		case 409:
			if (idempotencyKey === undefined) return [thenTryAgain('Get it again', failed, place)];
			return isUserKey && !failed.failure.outcomeUnknown
				? ["Change 'Idempotency Key' under Options, or use what the first request made"]
				: [conflictAdvice(request.endpoint.name === 'createWorkflow', place)];
		case 429: {
			const { throttledMs } = failed.failure;
			if (throttledMs !== undefined) return adviceForThrottling(throttledMs, place);
			if (place === 'credentialTest') return ['Test again in a minute'];
			if (place === 'poll') return [FEWER_EXECUTIONS];
			const wait = retryAfterMs === undefined ? 'a minute' : formatDuration(retryAfterMs);
			return [`Try again in ${wait}, or ${lowerFirst(FEWER_EXECUTIONS)}`];
		}
	}
	if (isRedirect(status))
		return [`If you trust that address, enter it in 'Base URL'${ofCredential(place, 'of')}`];
	if (status >= 500) return afterUnknownOutcome(failed, place);
	const ofFields = body === undefined ? 'Check the fields of this node' : "Correct 'Fields' or 'JSON'";
	return [thenTryAgain(place === 'credentialTest' ? checkBaseUrl(place) : ofFields, failed, place)];
}

export const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

const FEWER_EXECUTIONS = 'Run fewer executions with this API key at the same time';

/** A poll has no further advice: the next one catches up. @param throttledMs milliseconds until the next request */
function adviceForThrottling(throttledMs = 0, place: Place): string[] {
	if (place === 'poll') return [];
	const wait = formatDuration(throttledMs);
	const fewer = lowerFirst(FEWER_EXECUTIONS);
	// A list or a test in the editor has no such option.
	if (place === 'editor') return [`Try again in ${wait}, or ${fewer}`];
	return [`The next request can be sent in ${wait}. Raise 'Retry For (Seconds)' under Options, or ${fewer}`];
}

/** Advice after the last attempt, or one before it, may have been processed. */
function afterUnknownOutcome({ failure, request, isUserKey }: FailedRequest, place: Place): string[] {
	const { endpoint, idempotencyKey } = request;
	if (endpoint.method === 'GET') {
		const when = failure.kind === 'status' ? ' in a few minutes' : '';
		if (place === 'poll') return [];
		return [place === 'credentialTest' ? `Test again${when}` : `Nothing was changed. Try again${when}`];
	}
	const unknown =
		endpoint.name === 'runWorkflow' ? 'The run may have been started' : 'It may have taken effect';
	if (idempotencyKey === undefined) {
		const look = endpoint.takesIdempotencyKey ? 'Look in the workspace' : 'Get the Prospector workflow';
		return [`${unknown}. ${look} before you try again`];
	}
	const repeat = isUserKey
		? "use the same 'Idempotency Key'"
		: `set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${idempotencyKey}'`;
	const noun = endpoint.name === 'runWorkflow' ? 'run is started' : 'Prospector workflow is created';
	return failure.kind === 'canceled' || place === 'tool'
		? [`${unknown}. To repeat it safely, ${repeat}`]
		: [`${unknown}. Use Retry on this execution: no second ${noun}. To repeat it elsewhere, ${repeat}`];
}

/** A request with the same key may be in progress, or have taken effect. */
function conflictAdvice(isCreation: boolean, place: Place): string {
	const [noun, list] = isCreation ? ['Prospector workflow', 'Workflow'] : ['run', 'Run'];
	const look = `look for the ${noun} with ${list} › Get Many, and make another one only if it is missing`;
	if (place === 'tool') return upperFirst(look);
	return `Wait a minute and use Retry on this execution, which sends the same key again. If that does not help, ${look}`;
}

function pickAdvice(isRun: boolean, place: Place): string {
	if (isRun) return "Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns";
	const field = place === 'poll' ? '' : " in 'Prospector Workflow'";
	return `Pick one from the list${field}, or enter its ID, not its name`;
}

function adviceForList(reason: PaginationFlaw, place: Place): string {
	switch (reason) {
		case 'cursorLoop':
			return "Check 'Cursor Parameter' in the credential's advanced settings";
		case 'rejectedCursor':
			return "Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again";
		case 'rejectedStartCursor':
			return 'Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow';
		case 'tooManyPages':
		case 'tooManyItems':
			return "Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options";
		case 'missingCursor':
		case 'endlessEmptyPages':
			return place === 'poll'
				? "If it happens again, send the request ID to the service's support"
				: "Try again, or send the request ID to the service's support";
	}
}
