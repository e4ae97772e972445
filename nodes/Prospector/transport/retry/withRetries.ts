import type { Failure } from '../failure/failure';
import { isOutcomeUnknown } from '../failure/requestError';
import type { RateLimiter } from '../rate/rateLimiter';
import type { Permit, QuotaUse } from '../rate/rateLimitEstimator';
import type { RateLimitHeaders } from '../rate/rateLimitHeaders';
import type { ApiRequest } from '../request/apiRequest';
import { type ApiResponse, isFailure } from '../request/response';
import type { Clock } from './clock';
import type { RequestStats } from './requestStats';
import { retryDelay } from './retryPolicy';

export interface AttemptResult {
	result: ApiResponse | Failure;
	headers?: RateLimitHeaders;
}

export interface RetryContext {
	limiter: RateLimiter;
	/** Identifies the queue this request waits in; the rate limiter serves queues in turns. */
	queueKey: object;
	clock: Clock;
	/** From 0 up to 1. */
	random: () => number;
	/** Aborted when the result is no longer needed. */
	signal?: AbortSignal;
	/** Milliseconds after which no further attempt starts. */
	maxWait: number;
	/** Called before every attempt; returns false if no further one may be sent. */
	takeRequest?: () => boolean;
	/** Called before every delay. */
	onRetry?: (failure: Failure, delayMs: number) => void;
	stats?: RequestStats;
}

/**
 * Sends a request once the rate limiter permits it, and retries transient failures while that is safe. Neither
 * throttling nor delays exceed the deadline. Never rejects.
 */
export async function withRetries(
	call: ApiRequest,
	send: () => Promise<AttemptResult>,
	{ limiter, queueKey, clock, random, signal, maxWait, takeRequest, onRetry, stats }: RetryContext,
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
		if (takeRequest?.() === false) return toFailure(last ?? { kind: 'throttled' });
		const stopThrottleTimer = recorder?.startThrottle(clock.now());
		const permit = await limiter.acquire(queueKey, begin + maxWait, signal);
		stopThrottleTimer?.(clock.now());
		if (permit === 'canceled') return toFailure({ kind: 'canceled', beforeSend: true });
		if ('throttledMs' in permit) {
			return toFailure({ ...(last ?? { kind: 'throttled' }), throttledMs: permit.throttledMs });
		}
		if (last !== undefined) recorder?.recordRetry(last);
		const result = await runAttempt(limiter, permit, send);
		attempts++;
		if (!isFailure(result)) return result;
		last = result;
		const delay = retryDelay(result, call, { count: attempts, elapsed: elapsed(), maxWait }, random());
		if (delay === undefined) return toFailure(result);
		outcomeUnknown ||= isOutcomeUnknown(result, call);
		onRetry?.(result, delay);
		const stopDelayTimer = isServerRequested(result) ? recorder?.startThrottle(clock.now()) : undefined;
		const isOver = await clock.sleep(delay, signal);
		stopDelayTimer?.(clock.now());
		if (!isOver) return toFailure({ kind: 'canceled', beforeSend: true });
	}
}

/** Whether the service asked for the delay before the next attempt. */
const isServerRequested = (failure: Failure) => failure.kind === 'status' && failure.retryAfter !== undefined;

async function runAttempt(limiter: RateLimiter, permit: Permit, send: () => Promise<AttemptResult>) {
	let attempt: AttemptResult | undefined;
	try {
		attempt = await send();
		return attempt.result;
	} finally {
		// Also after an exception, so that the permit does not stay in flight.
		if (attempt === undefined) limiter.release(permit, 'counted');
		else limiter.release(permit, quotaUseOf(attempt.result), sharedHints(attempt), isFailure(attempt.result));
	}
}

/** Whether the request used up quota: every response except 429 does. */
export function quotaUseOf(result: ApiResponse | Failure): QuotaUse {
	if (!isFailure(result)) return 'counted';
	if (result.kind === 'status') return result.status === 429 ? 'rejected' : 'counted';
	if (result.kind === 'network') return result.requestSent ? 'counted' : 'notSent';
	return ['certificate', 'ssrfBlocked', 'throttled'].includes(result.kind) ? 'notSent' : 'counted';
}

/** Upper bound for Retry-After, so that a wrong date can't block an API key for days. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

/** Returns the headers for the rate limiter: Retry-After delays other requests only after 429 and 503. */
function sharedHints({ result, headers }: AttemptResult): RateLimitHeaders | undefined {
	if (headers?.retryAfter === undefined) return headers;
	const appliesToAllRequests =
		isFailure(result) && result.kind === 'status' && [429, 503].includes(result.status);
	return {
		...headers,
		retryAfter: appliesToAllRequests ? Math.min(headers.retryAfter, MAX_RETRY_AFTER_MS) : undefined,
	};
}
