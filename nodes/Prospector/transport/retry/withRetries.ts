import type { Dependencies } from '../dependencies';
import type { Failure } from '../failure/failure';
import { isOutcomeUnknown } from '../failure/requestError';
import type { RateLimiter } from '../rate/rateLimiter';
import type { QuotaUse } from '../rate/rateLimitEstimator';
import type { RateLimitHeaders } from '../rate/rateLimitHeaders';
import type { ApiRequest } from '../request/apiRequest';
import { type ApiResponse, isFailure } from '../request/response';
import type { RequestStats } from './requestStats';
import { retryDelay } from './retryPolicy';

export interface AttemptResult {
	result: ApiResponse | Failure;
	headers?: RateLimitHeaders;
}

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
	send: () => Promise<AttemptResult>,
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
		const stopThrottleTimer = recorder?.startThrottle(clock.now());
		const permit = await limiter.acquire(queueKey, begin + retryFor, signal);
		stopThrottleTimer?.(clock.now());
		if (permit === 'canceled') return toFailure({ kind: 'canceled', beforeSend: true });
		if ('throttledMs' in permit) {
			return toFailure({ ...(last ?? { kind: 'throttled' }), throttledMs: permit.throttledMs });
		}
		if (last !== undefined) recorder?.recordRetry(last);
		const attempt = await send().catch((thrown: unknown) => {
			// The permit must not stay in flight.
			limiter.release(permit, 'counted');
			throw thrown;
		});
		const { result } = attempt;
		limiter.release(permit, quotaUseOf(result), sharedHeaders(attempt), isFailure(result));
		attempts++;
		if (!isFailure(result)) return result;
		last = result;
		const delay = retryDelay(toFailure(result), call, attempts, retryFor - elapsed(), random());
		if (delay === undefined) return toFailure(result);
		outcomeUnknown ||= isOutcomeUnknown(result, call);
		onRetry(result, delay);
		const isServerRequested = result.kind === 'status' && result.retryAfter !== undefined;
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

/** Returns the headers for the rate limiter: Retry-After delays other requests only after 429 and 503. */
function sharedHeaders({ result, headers }: AttemptResult): RateLimitHeaders {
	const isShared = isFailure(result) && result.kind === 'status' && [429, 503].includes(result.status);
	const retryAfter = isShared ? headers?.retryAfter : undefined;
	return { ...headers, retryAfter: retryAfter && Math.min(retryAfter, MAX_RETRY_AFTER_MS) };
}
