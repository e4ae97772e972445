import type { Dependencies } from '../dependencies';
import type { Failure } from '../../api/failure/failure';
import { isOutcomeUnknown } from '../../api/failure/requestError';
import type { RateLimiter } from '../rate/rateLimiter';
import type { QuotaUse } from '../rate/rateLimitEstimator';
import type { ApiRequest } from '../../api/apiRequest';
import { type ApiResponse, isFailure } from '../../api/response';
import type { RequestStats } from './requestStats';
import { retryDelay } from './retryPolicy';

export interface RetryContext extends Pick<Dependencies, 'clock' | 'random'> {
	limiter: RateLimiter;
	/** Identifies the queue this request waits in; the rate limiter serves queues in turns. */
	queueKey: object;
	/** Aborted when the result is no longer needed. */
	signal?: AbortSignal;
	/** Milliseconds after which no further attempt starts. */
	retryFor: number;
	/** Called before every attempt; returns false if no further one may be sent. */
	takeRequest: () => boolean;
	/** Called before every delay. */
	onRetry: (failure: Failure, delayMs: number) => void;
	stats?: RequestStats;
}

/**
 * Sends a request once the rate limiter permits it, and retries transient failures while that is safe. Neither
 * throttling nor delays exceed the deadline.
 *
 * @throws what `send` throws
 */
export async function withRetries(
	call: ApiRequest,
	send: () => Promise<ApiResponse | Failure>,
	{ limiter, queueKey, clock, random, signal, retryFor, takeRequest, onRetry, stats }: RetryContext,
): Promise<ApiResponse | Failure> {
	const begin = clock.now();
	const elapsed = () => clock.now() - begin;
	const recorder = stats?.request();
	let attempts = 0;
	let outcomeUnknown = false;
	let last: Failure | undefined;
	const toFailure = (failure: Failure): Failure => ({
		...failure,
		...(attempts > 1 && { attempts, elapsedMs: elapsed() }),
		...(outcomeUnknown && { outcomeUnknown }),
	});
	for (;;) {
		if (!takeRequest()) return toFailure(last ?? { kind: 'throttled' });
		const stopThrottleTimer = limiter.hasLimit() ? recorder?.startThrottle(clock.now()) : undefined;
		const permit = await limiter.acquire(queueKey, begin + retryFor, signal);
		stopThrottleTimer?.(clock.now());
		if (permit === 'canceled') return toFailure({ kind: 'canceled', beforeSend: true });
		if ('throttledMs' in permit) {
			return toFailure({ ...(last ?? { kind: 'throttled' }), throttledMs: permit.throttledMs });
		}
		if (last !== undefined) recorder?.recordRetry(last);
		const result = await send().catch((thrown: unknown) => {
			// The permit must not stay in flight.
			limiter.release(permit, 'counted');
			throw thrown;
		});
		limiter.release(permit, quotaUseOf(result), sharedRetryAfterMs(result), isFailure(result));
		attempts++;
		if (!isFailure(result)) return result;
		last = result;
		const delay = retryDelay(toFailure(result), call, attempts, retryFor - elapsed(), random());
		if (delay === undefined) return toFailure(result);
		outcomeUnknown ||= isOutcomeUnknown(result, call);
		onRetry(result, delay);
		const isServerRequested = result.kind === 'status' && result.retryAfterMs !== undefined;
		const stopDelayTimer = isServerRequested ? recorder?.startThrottle(clock.now()) : undefined;
		const isOver = await clock.sleep(delay, signal);
		stopDelayTimer?.(clock.now());
		if (!isOver) return toFailure({ kind: 'canceled', beforeSend: true });
	}
}

/** Whether the request used up quota: every response except 429 does. */
function quotaUseOf(result: ApiResponse | Failure): QuotaUse {
	if (!isFailure(result)) return 'counted';
	if (result.kind === 'status') return result.status === 429 ? 'rejected' : 'counted';
	if (result.kind === 'network') return result.requestSent ? 'counted' : 'notSent';
	return ['certificate', 'ssrfBlocked', 'throttled'].includes(result.kind) ? 'notSent' : 'counted';
}

/** Upper bound for Retry-After, so that a wrong date can't block an API key for days. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

/** Returns the milliseconds during which other requests wait, too: Retry-After after 429 and 503. */
function sharedRetryAfterMs(result: ApiResponse | Failure): number {
	const isShared = isFailure(result) && result.kind === 'status' && [429, 503].includes(result.status);
	return isShared ? Math.min(result.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0;
}
