// Sends one attempt once the rate limiter permits it, and tells the limiter how it ended. Called by the client inside
// the retries. Tests: test/unit/transport/rate/rateLimiter.test.ts.
import { evidenceOf, isStatus } from '../../api/failure/evidence';
import type { Failure } from '../../api/failure/failure';
import { type ApiResponse, isFailure } from '../../api/response';
import type { Dependencies } from '../dependencies';
import type { RateLimiter } from '../rate/rateLimiter';
import type { QuotaUse } from '../rate/rateLimitEstimator';
import type { RequestStats } from './requestStats';

export interface ThrottlingOptions extends Pick<Dependencies, 'clock'> {
	/** On the clock; the request is not sent after it. */
	deadlineMs: number;
	/** Aborted when the result is no longer needed. */
	signal?: AbortSignal;
	stats: RequestStats;
	rateLimiter: RateLimiter;
	/** Identifies the queue in which this request waits; the rate limiter serves queues in turns. */
	queueKey: object;
	/** What a rejection can be about instead of the API key. */
	scopes: readonly string[];
}

/** Sends a request as soon as the rate limiter permits it, and tells the limiter the result. @throws what `send` throws */
export async function withThrottling(
	send: () => Promise<ApiResponse | Failure>,
	{ rateLimiter, queueKey, scopes, clock, deadlineMs, signal, stats }: ThrottlingOptions,
): Promise<ApiResponse | Failure> {
	const stopThrottleTimer = rateLimiter.estimator.hasLimit()
		? stats.startThrottleTimer(clock.now())
		: undefined;
	const permit = await rateLimiter.acquire(queueKey, scopes, deadlineMs, signal);
	stopThrottleTimer?.(clock.now());
	if (isFailure(permit)) return permit;
	const release = (failure?: Failure) =>
		rateLimiter.release(permit, {
			quotaUse: quotaUseOf(failure),
			retryAfterMs: sharedRetryAfterMs(failure),
			mustDeferDispatch: failure !== undefined,
		});
	const result = await send().catch((thrown: Error) => {
		release();
		throw thrown;
	});
	if (!isFailure(result)) {
		release();
		return result;
	}
	const isOwnRejection = release(result);
	return isOwnRejection ? { ...result, isOwnRejection } : result;
}

/** Whether a request used up quota: every response except 429 does. */
function quotaUseOf(failure?: Failure): QuotaUse {
	if (failure === undefined) return 'counted';
	if (isStatus(failure, 429)) return 'rejected';
	return evidenceOf(failure) === 'notSent' ? 'notSent' : 'counted';
}

/** Returns the milliseconds during which other requests wait, too: Retry-After after 429 and 503. */
function sharedRetryAfterMs(failure?: Failure): number {
	return failure && isStatus(failure, 429, 503) ? (failure.retryAfterMs ?? 0) : 0;
}
