import type { Failure } from '../failure/failure';
import { isTransient } from '../failure/requestError';
import type { ApiRequest } from '../request/apiRequest';

const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/** The attempts of one request so far. */
export interface RetryState {
	count: number;
	/** Milliseconds since the request was made, including throttling before the first attempt. */
	elapsed: number;
	/** Milliseconds after which no further attempt starts. */
	maxWait: number;
}

/**
 * Whether the request may be sent again. If the service may have processed it, only if a second time does no harm
 * (contract, section 4, rules 3 and 4).
 */
export function canRetry(failure: Failure, call: ApiRequest): boolean {
	if (!isTransient(failure)) return false;
	const { endpoint, idempotencyKey } = call;
	const isIdempotent = endpoint.method === 'GET' || (endpoint.takesIdempotencyKey && Boolean(idempotencyKey));
	const wasNotProcessed =
		(failure.kind === 'network' && !failure.requestSent) ||
		(failure.kind === 'status' && failure.status === 429) ||
		// A 503 with Retry-After means that the service did not process the request.
		(failure.kind === 'status' && failure.status === 503 && failure.retryAfter !== undefined);
	return isIdempotent || wasNotProcessed;
}

/**
 * Returns the delay before the next attempt: exponential back-off with full jitter, or Retry-After if it is longer.
 * After a 429 without Retry-After the delay is 0, because the rate limiter decides when to continue.
 *
 * @param random from 0 up to 1
 * @returns milliseconds; undefined if no further attempt may start
 */
export function retryDelay(
	failure: Failure,
	call: ApiRequest,
	{ count, elapsed, maxWait }: RetryState,
	random: number,
): number | undefined {
	const left = maxWait - elapsed;
	if (left <= 0 || !canRetry(failure, call)) return undefined;
	const backOff = Math.round(Math.min(INITIAL_DELAY_MS * 2 ** (count - 1), MAX_DELAY_MS) * random);
	if (failure.kind === 'status' && failure.retryAfter !== undefined) {
		const retryAfterMs = failure.retryAfter * 1000;
		return retryAfterMs <= left ? Math.min(Math.max(retryAfterMs, backOff), left) : undefined;
	}
	if (failure.kind === 'status' && failure.status === 429) return 0;
	return Math.min(backOff, left);
}
