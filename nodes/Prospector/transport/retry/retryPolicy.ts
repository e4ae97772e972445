import type { ApiRequest } from '../../api/apiRequest';
import type { Failure } from '../../api/failure/failure';
import { isOutcomeUnknown, isTransient } from '../../api/failure/requestError';

const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
/** A service that answers every repeated key with 409 costs a few seconds. */
const MAX_ATTEMPTS_IN_PROGRESS = 5;

interface FailedAttempt {
	failure: Failure;
	request: ApiRequest;
	/** Number of attempts so far. */
	attempts: number;
}

/** Milliseconds of Retry-After; undefined without a response that has it. */
export const retryAfterMsOf = (failure: Failure): number | undefined =>
	failure.kind === 'status' ? failure.retryAfterMs : undefined;

/** A conflict after a lost response can't be about another payload: the first attempt is in progress, or has ended. */
const isInProgress = (failure: Failure) =>
	failure.kind === 'status' && failure.status === 409 && failure.outcomeUnknown === true;

/** Whether a request may be sent again (contract, section 4, rules 3 and 4). */
function canRetry({ failure, request, attempts }: FailedAttempt): boolean {
	const hasKey = request.endpoint.takesIdempotencyKey && Boolean(request.idempotencyKey);
	// The key returns the first attempt's result as soon as that has ended.
	if (isInProgress(failure)) return hasKey && attempts <= MAX_ATTEMPTS_IN_PROGRESS;
	// The next attempt would fail, too.
	if (!isTransient(failure)) return false;
	// The service has not processed the request, or processing it twice does no harm.
	if (hasKey || !isOutcomeUnknown(failure, request)) return true;
	// A 503 with Retry-After means that the service did not process the request.
	return failure.kind === 'status' && failure.status === 503 && retryAfterMsOf(failure) !== undefined;
}

/**
 * Returns the delay before the next attempt: exponential back-off with full jitter, or Retry-After if it is longer.
 * After a 429 without Retry-After the delay is 0, because the rate limiter decides when to continue.
 *
 * @param attempt.timeLeftMs milliseconds after which no further attempt starts
 * @param attempt.random from 0 up to 1
 * @returns milliseconds; undefined if no further attempt may start
 */
export function retryDelayMs({
	timeLeftMs,
	random,
	...attempt
}: FailedAttempt & { timeLeftMs: number; random: number }): number | undefined {
	if (timeLeftMs <= 0 || !canRetry(attempt)) return undefined;
	const { failure, attempts } = attempt;
	const maxDelayMs = Math.min(INITIAL_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS);
	const backOffMs = isInProgress(failure) ? maxDelayMs : Math.round(maxDelayMs * random);
	const retryAfterMs = retryAfterMsOf(failure);
	if (retryAfterMs === undefined && failure.kind === 'status' && failure.status === 429) return 0;
	if (retryAfterMs !== undefined && retryAfterMs > timeLeftMs) return undefined;
	return Math.min(Math.max(retryAfterMs ?? 0, backOffMs), timeLeftMs);
}
