// Repeats a request while that is safe, and sends each attempt when the rate limiter permits it. Called by the client;
// a write without an idempotency key is repeated only if the service has not processed it.
import type { ApiRequest } from '../../api/apiRequest';
import { endpointPath } from '../../api/endpoints';
import type { Failure } from '../../api/failure/failure';
import { isOutcomeUnknown, isStatus, isTransient } from '../../api/failure/evidence';
import { RequestError } from '../../api/failure/requestError';
import { type ApiResponse, isFailure } from '../../api/response';
import type { Dependencies } from '../dependencies';
import type { RateLimiter, RequestToSend } from '../rate/rateLimiter';

const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
/** A service that answers every repeated key with 409 delays the failure by 30 s, or by its Retry-After. */
const MAX_CONFLICT_RETRIES = 4;

/** What is known about the requests of one node execution. */
export class RequestStats {
	/** Number of requests that were sent again. */
	retriedCount = 0;
	/** Names of the fields with numbers that became text. */
	readonly fieldsWithTextNumbers = new Set<string>();
	/** Milliseconds during which at least one request was throttled. */
	throttledMs = 0;
	private activeThrottleCount = 0;
	private throttledSinceMs = 0;

	/** Call when throttling of a request starts; returns a function to call when it ends. */
	startThrottleTimer(beginMs: number) {
		if (this.activeThrottleCount++ === 0) this.throttledSinceMs = beginMs;
		return (endMs: number): void => {
			if (--this.activeThrottleCount === 0) this.throttledMs += endMs - this.throttledSinceMs;
		};
	}
}

/** What all attempts of a request have in common. */
interface SharedByAttempts extends Pick<Dependencies, 'clock' | 'random'>, Omit<RequestToSend, 'scopes'> {
	request: ApiRequest;
	stats: RequestStats;
	rateLimiter: RateLimiter;
	onRetry: (error: RequestError, delayMs: number) => void;
}

/**
 * Sends attempts until one succeeds, or the next one would not be safe or in time.
 *
 * @param sendAttempt returns `throttled` or `canceled` if it did not send the request
 * @returns the response, or the failure of the last attempt that was sent
 */
export async function withRetries(
	sendAttempt: () => Promise<ApiResponse | Failure>,
	{ request, clock, random, deadlineMs, signal, stats, onRetry }: SharedByAttempts,
): Promise<ApiResponse | Failure> {
	const startedAtMs = clock.now();
	let attempts = 0;
	/** Number of attempts that were in conflict with an earlier one. */
	let conflicts = 0;
	let lastFailure: Failure | undefined;
	/** What is known about the attempts before the last one. */
	const earlier: Pick<Failure, 'hasUnknownEarlierAttempt' | 'isScopedRejection'> = {};
	const addRetryDetails = (failure: Failure): Failure => ({
		...failure,
		...(attempts > 1 && { attempts }),
		...earlier,
		elapsedMs: clock.now() - startedAtMs,
	});
	for (;;) {
		const result = await sendAttempt();
		// An attempt that was not sent adds only one fact: when the limiter permits the next one.
		if (isFailure(result) && !wasAttempted(result)) {
			const { kind, retryAfterMs } = result;
			return addRetryDetails(kind === 'throttled' ? { ...(lastFailure ?? result), retryAfterMs } : result);
		}
		attempts++;
		if (attempts === 2) stats.retriedCount++;
		if (!isFailure(result)) return result;
		lastFailure = result;
		const failure = addRetryDetails(result);
		const timeLeftMs = deadlineMs - clock.now();
		const isConflict = isOwnConflict(failure);
		conflicts += Number(isConflict);
		const doublings = isConflict ? conflicts : attempts - 1;
		if (!isRetryable(failure, request, conflicts, timeLeftMs)) return failure;
		const delayMs = Math.min(retryDelayMs(failure, doublings, random()), timeLeftMs);
		// The failures of later attempts say so, because a conflict can be about this attempt.
		if (isOutcomeUnknown(result, request)) earlier.hasUnknownEarlierAttempt = true;
		if (result.isScopedRejection) earlier.isScopedRejection = true;
		onRetry(new RequestError(result, request), delayMs);
		const stopThrottleTimer = isRateLimitPause(failure) ? stats.startThrottleTimer(clock.now()) : undefined;
		const wasAborted = !(await clock.sleep(delayMs, signal));
		stopThrottleTimer?.(clock.now());
		if (wasAborted) return addRetryDetails({ kind: 'canceled', wasRequestSent: false });
	}
}

/** Whether the attempt began. This is not the opposite of `wasNotSent`: it may have failed before anything was sent. */
const wasAttempted = (failure: Failure): boolean =>
	failure.kind !== 'throttled' && (failure.kind !== 'canceled' || failure.wasRequestSent);

/** With Retry-After, other statuses say nothing about the rate limit (contract, section 8). */
const isRateLimitPause = (failure: Failure) => isStatus(failure, 429) && failure.retryAfterMs !== undefined;

/** Whether a conflict is about an earlier attempt without a response. @param failure with what is known about that one */
const isOwnConflict = (failure: Failure) =>
	isStatus(failure, 409) && failure.hasUnknownEarlierAttempt === true;

/** Whether a request may be sent again (contract, section 4, rules 3 and 4). @param conflicts number so far */
function isRetryable(failure: Failure, request: ApiRequest, conflicts: number, timeLeftMs: number): boolean {
	if (request.hasOneAttempt || timeLeftMs <= 0 || (failure.retryAfterMs ?? 0) > timeLeftMs) return false;
	const hasIdempotencyKey = request.endpoint.creates !== undefined && Boolean(request.idempotencyKey);
	// The key returns the first attempt's result as soon as that attempt has ended.
	if (isOwnConflict(failure)) return hasIdempotencyKey && conflicts <= MAX_CONFLICT_RETRIES;
	// The next attempt would fail, too.
	if (!isTransient(failure)) return false;
	// The request was not processed, or processing it twice does no harm.
	if (hasIdempotencyKey || !isOutcomeUnknown(failure, request)) return true;
	// A 503 with Retry-After means that the request was not processed (docs/guarantees.md#a-start-happens-once).
	return isStatus(failure, 503) && failure.retryAfterMs !== undefined;
}

/** Milliseconds before the next attempt: exponential back-off, usually with full jitter, or Retry-After if it is longer. */
function retryDelayMs(failure: Failure, doublings: number, randomFraction: number): number {
	const maxDelayMs = Math.min(INITIAL_DELAY_MS * 2 ** doublings, MAX_DELAY_MS);
	const { retryAfterMs } = failure;
	if (isOwnConflict(failure)) return Math.max(retryAfterMs ?? 0, maxDelayMs);
	// The rate limiter decides when to continue.
	if (isStatus(failure, 429) && retryAfterMs === undefined && !failure.isScopedRejection) return 0;
	return Math.max(retryAfterMs ?? 0, Math.round(maxDelayMs * randomFraction));
}

/** Sends one attempt, and tells the rate limiter how it ended. @throws what `send` throws */
export async function withThrottling(
	send: () => Promise<ApiResponse | Failure>,
	{ request: { endpoint, ids }, clock, stats, rateLimiter, ...waiting }: SharedByAttempts,
): Promise<ApiResponse | Failure> {
	const paths = [endpoint.path, endpointPath(endpoint, ids)];
	const scopes = paths.map((path) => `${endpoint.method} ${path}`);
	const hasLimit = rateLimiter.estimator.msPerRequest() > 0;
	const stopThrottleTimer = hasLimit ? stats.startThrottleTimer(clock.now()) : undefined;
	const permit = await rateLimiter.acquire({ ...waiting, scopes });
	stopThrottleTimer?.(clock.now());
	if (isFailure(permit)) return permit;
	// An exception is a bug of this package. The request counts as accepted.
	const result = await send().catch((thrown: Error) => {
		rateLimiter.release(permit);
		throw thrown;
	});
	const failure = isFailure(result) ? result : undefined;
	const isScopedRejection = rateLimiter.release(permit, failure);
	return failure && isScopedRejection ? { ...failure, isScopedRejection } : result;
}
