import { type FailedRequest, isOutcomeUnknown, type StartedRun } from '../api/failure/requestError';
import type { Failure } from '../api/failure/failure';
import type { ApiRequest } from '../api/apiRequest';
import { lowerFirst, upperFirst } from '../utils';
import { type Caller, formatDuration } from './userMessage';

// Advice that several messages share. Every function returns sentences without full stops.

/** A failed request, and who sent it. */
export interface FailureReport extends FailedRequest {
	caller: Caller;
}

/** What happened, and the sentences of the description, without full stops; empty ones are left out. */
export type FailureSentences = [message: string, ...description: string[]];

/** Whether an attempt before the last one may have been processed, and the advice for the last does not cover that. */
export function isEarlierOutcomeUnknown({ failure, request, startedRun }: FailedRequest): boolean {
	if (!failure.hasUnknownOutcome || startedRun || request.endpoint.method === 'GET') return false;
	const isConflict = failure.kind === 'status' && failure.status === 409;
	return !isConflict && !isOutcomeUnknown(failure, request);
}

export const RETRY_ADVICE = 'Open Executions and press Retry (↪)';

/** Says how to continue with a run. */
export function continueRunAdvice({ id, idempotencyKey, isUserKey }: StartedRun, caller: Caller): string {
	const laterAdvice = `Get its results later with Run › Get, ID '${id}'`;
	if (idempotencyKey === undefined || (caller === 'tool' && !isUserKey)) {
		return `The run continues. Do not retry, as that starts another one. ${laterAdvice}`;
	}
	const retryAdvice = `${RETRY_ADVICE}: no second run is started. Or ${lowerFirst(laterAdvice)}`;
	return `The run continues. ${caller === 'node' ? retryAdvice : laterAdvice}`;
}

/** Says where to find an ID. @param continuation of "Pick one from the list", for a person */
export const findIdAdvice = (noun: string, caller: Caller, continuation: string) =>
	caller === 'tool'
		? `Call a tool that gets many ${noun}s to list the IDs, then use one of them`
		: `Pick one from the list${continuation}`;

/** A credential test does not name the credential, which is open in the editor. */
export const credentialSuffix = (caller: Caller, preposition: 'in' | 'of' = 'in') =>
	caller === 'credentialTest' ? '' : ` ${preposition} the credential`;

export const baseUrlAdvice = (caller: Caller) => `Check 'Base URL'${credentialSuffix(caller)}`;

/** Appends "then try again" where that makes sense: a poll is repeated anyway. */
export function addTryAgain(advice: string, report: FailureReport): string {
	const { caller, startedRun } = report;
	if (caller === 'poll' || startedRun || isEarlierOutcomeUnknown(report)) return advice;
	return `${advice}, then ${caller === 'credentialTest' ? 'test' : 'try'} again`;
}

export const FEWER_EXECUTIONS = 'Run fewer executions with this API key at the same time';

/** A poll has no advice: the next one catches up. */
export function adviceAfterThrottling(failure: Failure, caller: Caller): string {
	if (caller === 'poll') return '';
	const { untilPermittedMs = 0, elapsedMs = 0 } = failure;
	const waitText = formatDuration(untilPermittedMs);
	const neededSeconds = Math.ceil((elapsedMs + untilPermittedMs) / 1000);
	// A list or a test in the editor has no such option, and a model can wait.
	const mainAdvice = ['editor', 'tool'].includes(caller)
		? `Try again in ${waitText}`
		: `The next request can be sent in ${waitText}. Set 'Retry For (Seconds)' under Options to more than ${neededSeconds}`;
	return `${mainAdvice}, or ${lowerFirst(FEWER_EXECUTIONS)}`;
}

/** What a request with an idempotency key makes, and where a person finds it. */
function describeProduct({ endpoint }: ApiRequest) {
	const isRun = endpoint.name === 'runWorkflow';
	const [noun, made, list] = isRun
		? ['run', 'started', 'Run']
		: ['Prospector workflow', 'created', 'Workflow'];
	return { noun, made, list: `${list} › Get Many`, effect: `The ${noun} may have been ${made}` };
}

/** Returns the advice after the last attempt, or one before it, may have been processed. */
export function adviceAfterUnknownOutcome({ failure, request, isUserKey, caller }: FailureReport): string[] {
	const { endpoint, idempotencyKey } = request;
	if (endpoint.method === 'GET') {
		if (caller === 'poll') return [];
		const isStatusFailure = failure.kind === 'status';
		const timing = isStatusFailure ? ' in a few minutes' : '';
		if (caller !== 'credentialTest') return [`Nothing was changed. Try again${timing}`];
		return [`Test again${timing}`, ...(isStatusFailure ? [] : ["If it stays like this, check 'Base URL'"])];
	}
	if (!endpoint.takesIdempotencyKey) {
		return ['It may have taken effect. Get the Prospector workflow before you try again'];
	}
	const { noun, made, list, effect } = describeProduct(request);
	if (idempotencyKey === undefined || (caller === 'tool' && !isUserKey)) {
		return [`${effect}. Before you try again, look for it with ${list}`];
	}
	const repeatAdvice = isUserKey
		? "use the same 'Idempotency Key'"
		: `set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${idempotencyKey}'`;
	return failure.kind === 'canceled' || caller !== 'node'
		? [`${effect}. To repeat it safely, ${repeatAdvice}`]
		: [`${effect}. ${RETRY_ADVICE}: no second ${noun} is ${made}. To repeat it elsewhere, ${repeatAdvice}`];
}

/** Like `adviceAfterUnknownOutcome`, for a response that will be the same when a read is repeated. */
export const adviceAfterUnknownWrite = (report: FailureReport): string[] =>
	report.request.endpoint.method === 'GET' ? [] : adviceAfterUnknownOutcome(report);

/** Returns the advice when a request with the same key may be in progress, or have taken effect. */
export function adviceAfterConflict({ request, caller }: FailureReport): string {
	const { noun, list, effect } = describeProduct(request);
	const lookAdvice = `look for the ${noun} with ${list}, and try again only if it is missing`;
	const retryAdvice = `Wait a minute. Then ${lowerFirst(RETRY_ADVICE)}, which sends the same idempotency key again`;
	const advice =
		caller === 'node' ? `${retryAdvice}. If that does not help, ${lookAdvice}` : upperFirst(lookAdvice);
	return `${effect}. ${advice}`;
}
