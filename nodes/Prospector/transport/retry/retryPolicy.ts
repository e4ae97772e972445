import type { Failure } from '../../api/failure/failure';
import { isOutcomeUnknown, isTransient } from '../../api/failure/requestError';
import type { ApiRequest } from '../../api/apiRequest';

const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
/** A service that answers every repeated key with 409 costs a few seconds. */
const MAX_ATTEMPTS_IN_PROGRESS = 5;

/** A conflict after a lost response can't be about another payload: the first attempt is in progress, or has ended. */
const isInProgress = (failure: Failure) =>
	failure.kind === 'status' && failure.status === 409 && failure.outcomeUnknown === true;

/**
 * Whether the request may be sent again. If the service may have processed it, only if a second time does no harm
 * (contract, section 4, rules 3 and 4).
 */
function canRetry(failure: Failure, call: ApiRequest, attempts: number): boolean {
	const { endpoint, idempotencyKey } = call;
	const hasKey = endpoint.takesIdempotencyKey && Boolean(idempotencyKey);
	if (isInProgress(failure)) return hasKey && attempts <= MAX_ATTEMPTS_IN_PROGRESS;
	if (!isTransient(failure)) return false;
	if (hasKey || !isOutcomeUnknown(failure, call)) return true;
	// A 503 with Retry-After means that the service did not process the request.
	return failure.kind === 'status' && failure.status === 503 && failure.retryAfterMs !== undefined;
}

/**
 * Returns the delay before the next attempt: exponential back-off with full jitter, or Retry-After if it is longer.
 * After a 429 without Retry-After the delay is 0, because the rate limiter decides when to continue.
 *
 * @param attempts number of attempts so far
 * @param timeLeft milliseconds after which no further attempt starts
 * @param random from 0 up to 1
 * @returns milliseconds; undefined if no further attempt may start
 */
export function retryDelay(
	failure: Failure,
	call: ApiRequest,
	attempts: number,
	timeLeft: number,
	random: number,
): number | undefined {
	if (timeLeft <= 0 || !canRetry(failure, call, attempts)) return undefined;
	const maxDelay = Math.min(INITIAL_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS);
	const backOff = isInProgress(failure) ? maxDelay : Math.round(maxDelay * random);
	if (failure.kind === 'status' && failure.retryAfterMs !== undefined) {
		const { retryAfterMs } = failure;
		return retryAfterMs <= timeLeft ? Math.min(Math.max(retryAfterMs, backOff), timeLeft) : undefined;
	}
	if (failure.kind === 'status' && failure.status === 429) return 0;
	return Math.min(backOff, timeLeft);
}
