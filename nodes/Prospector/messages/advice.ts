import { type FailedRequest, isOutcomeUnknown, type StartedRun } from '../api/failure/requestError';
import { lowerFirst, upperFirst } from '../utils';
import { formatDuration } from './userMessage';

/*
 * Advice that several messages share. Every function returns sentences without full stops.
 */

/** Who sends a request and shows its message; `editor` includes tests and activations of the trigger. */
export type Caller = 'node' | 'tool' | 'editor' | 'poll' | 'credentialTest';

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

/** Says how to continue with a run. @param canRetry whether n8n offers its Retry button */
export function continueRunAdvice({ id, idempotencyKey }: StartedRun, canRetry: boolean): string {
	const laterAdvice = `Get its results later with Run › Get, ID '${id}'`;
	if (idempotencyKey === undefined) {
		return `The run continues. Do not retry, as that starts another one. ${laterAdvice}`;
	}
	return canRetry
		? `The run continues. Use Retry on this execution to continue with it, or ${lowerFirst(laterAdvice)}`
		: `The run continues. ${laterAdvice}`;
}

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

/** A poll has no advice: the next one catches up. @param untilPermittedMs until the next request */
export function adviceAfterThrottling(untilPermittedMs: number, caller: Caller): string[] {
	if (caller === 'poll') return [];
	const waitText = formatDuration(untilPermittedMs);
	// A list or a test in the editor has no such option.
	const mainAdvice =
		caller === 'editor'
			? `Try again in ${waitText}`
			: `The next request can be sent in ${waitText}. Raise 'Retry For (Seconds)' under Options`;
	return [`${mainAdvice}, or ${lowerFirst(FEWER_EXECUTIONS)}`];
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
	const isRunStart = endpoint.name === 'runWorkflow';
	const outcome = isRunStart ? 'The run may have been started' : 'It may have taken effect';
	if (idempotencyKey === undefined) {
		const lookAdvice = endpoint.takesIdempotencyKey ? 'Look in the workspace' : 'Get the Prospector workflow';
		return [`${outcome}. ${lookAdvice} before you try again`];
	}
	const repeatAdvice = isUserKey
		? "use the same 'Idempotency Key'"
		: `set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${idempotencyKey}'`;
	if (failure.kind === 'canceled' || caller === 'tool') {
		return [`${outcome}. To repeat it safely, ${repeatAdvice}`];
	}
	const retryEffect = isRunStart ? 'no second run is started' : 'no second Prospector workflow is created';
	return [`${outcome}. Use Retry on this execution: ${retryEffect}. To repeat it elsewhere, ${repeatAdvice}`];
}

/** Like `adviceAfterUnknownOutcome`, for a response that will be the same when a read is repeated. */
export const adviceAfterUnknownWrite = (report: FailureReport): string[] =>
	report.request.endpoint.method === 'GET' ? [] : adviceAfterUnknownOutcome(report);

/** Returns the advice when a request with the same key may be in progress, or have taken effect. */
export function adviceAfterConflict({ request, caller }: FailureReport): string {
	const isCreation = request.endpoint.name === 'createWorkflow';
	const [noun, resourceLabel] = isCreation ? ['Prospector workflow', 'Workflow'] : ['run', 'Run'];
	const lookAdvice = `look for the ${noun} with ${resourceLabel} › Get Many, and make another one only if it is missing`;
	if (caller === 'tool') return upperFirst(lookAdvice);
	return `Wait a minute and use Retry on this execution, which sends the same key again. If that does not help, ${lookAdvice}`;
}
