// The exception for a failed request, and questions about it. Operations and the trigger catch it; it carries the
// failure and the request, and no message of its own.
import type { ApiRequest } from '../apiRequest';
import { isStatus, isTransient } from './evidence';
import type { Failure } from './failure';

/** A run whose end or results an operation waits for. */
export interface AwaitedRun {
	runId: string;
	/** How the operation has started it; undefined if it has not. */
	start?: { requestId: string; idempotencyKey?: string; isUserKey: boolean };
	/** ID of the Prospector workflow that it must belong to, if the operation starts runs. */
	expectedWorkflowId?: string;
	/** The argument with which a model names the run to continue, such as `Run_ID`; undefined without one. */
	runIdArgumentName?: string;
	/** Whether it was seen to have finished. */
	hasFinished?: boolean;
}

/** Thrown for a request that has failed; `messages/` turns it into an error of n8n. */
export class RequestError extends Error {
	/**
	 * @param isUserKey whether the user has entered the idempotency key of the request
	 * @param startedRun which the operation has started before
	 */
	constructor(
		readonly failure: Failure,
		readonly request: ApiRequest,
		readonly isUserKey?: boolean,
		readonly startedRun?: AwaitedRun,
	) {
		super(failure.kind);
	}
}

export type FailedRequest = Omit<RequestError, keyof Error>;

/** If a request fails after the operation has started the run, adds the run to the error. */
export const addRunToError = async <T>(request: Promise<T>, run: AwaitedRun): Promise<T> =>
	await request.catch((thrown: Error) => {
		if (!(thrown instanceof RequestError) || run.start === undefined) throw thrown;
		throw new RequestError(thrown.failure, thrown.request, thrown.isUserKey, run);
	});

const failureOf = (thrown: unknown): Failure | undefined =>
	thrown instanceof RequestError ? thrown.failure : undefined;

/** Whether the service itself responded with one of these statuses. */
export const hasStatus = (thrown: unknown, ...statuses: number[]): boolean =>
	isStatus(failureOf(thrown), ...statuses);

/** Returns undefined if a request fails with one of these statuses. @throws what the request throws otherwise */
export const ignoreStatuses = async <T>(request: Promise<T>, statuses: number[]): Promise<T | undefined> =>
	await request.catch((thrown: Error) =>
		hasStatus(thrown, ...statuses) ? undefined : Promise.reject(thrown),
	);

/** Whether a request was not sent because of the rate limit or the client's request budget. */
export const isThrottled = (thrown: unknown): boolean => failureOf(thrown)?.kind === 'throttled';

/** Whether a request was throttled, or rejected with 429. */
export const isRateLimited = (thrown: unknown): boolean => isThrottled(thrown) || hasStatus(thrown, 429);

/** Whether a request got no response in time, or was not permitted in time. */
export const isTimedOutOrThrottled = (thrown: unknown): boolean =>
	isRateLimited(thrown) || failureOf(thrown)?.kind === 'timeout';

/** Whether the cause of an exception can disappear without a change by the user. */
export function canResolveItself(thrown: unknown): boolean {
	const failure = failureOf(thrown);
	if (failure === undefined) return false;
	// A maintenance page, or a list that changed while it was being read.
	const isUsuallyTransient = ['throttled', 'unexpectedResponse', 'invalidPagination'].includes(failure.kind);
	return isUsuallyTransient || isTransient(failure);
}

export function isCursorRejection(thrown: unknown): boolean {
	const failure = failureOf(thrown);
	if (failure?.kind !== 'invalidPagination') return false;
	return failure.reason === 'rejectedCursor' || failure.reason === 'rejectedStartCursor';
}
