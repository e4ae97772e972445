import { evidenceOf, isStatus, retryAfterMsOf } from '../../api/failure/evidence';
import type { Failure } from '../../api/failure/failure';
import { type ApiResponse, isFailure } from '../../api/response';
import { MINUTE_MS } from '../../utils';
import type { RateLimiter } from '../rate/rateLimiter';
import type { QuotaUse } from '../rate/rateLimitEstimator';
import type { AttemptOptions } from './withRetries';

/** Upper bound for Retry-After, so that a wrong date can't block an API key for days. */
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;

export interface ThrottlingOptions extends AttemptOptions {
	rateLimiter: RateLimiter;
	/** Identifies the queue in which this request waits; the rate limiter serves queues in turns. */
	queueKey: object;
}

/** Sends a request as soon as the rate limiter permits it, and tells the limiter the result. @throws what `send` throws */
export async function withThrottling(
	send: () => Promise<ApiResponse | Failure>,
	{ rateLimiter, queueKey, clock, deadlineMs, signal, stats }: ThrottlingOptions,
): Promise<ApiResponse | Failure> {
	const stopThrottleTimer = rateLimiter.hasLimit() ? stats.startThrottleTimer(clock.now()) : undefined;
	const permit = await rateLimiter.acquire(queueKey, deadlineMs, signal);
	stopThrottleTimer?.(clock.now());
	if ('kind' in permit) return permit;
	let failure: Failure | undefined;
	try {
		const result = await send();
		if (isFailure(result)) failure = result;
		return result;
	} finally {
		rateLimiter.release(permit, quotaUseOf(failure), sharedRetryAfterMs(failure), failure !== undefined);
	}
}

/** Whether a request used up quota: every response except 429 does. */
function quotaUseOf(failure?: Failure): QuotaUse {
	if (failure === undefined) return 'counted';
	if (isStatus(failure, 429)) return 'rejected';
	return evidenceOf(failure) === 'notSent' ? 'notSent' : 'counted';
}

/** Returns the milliseconds during which other requests wait, too: Retry-After after 429 and 503. */
function sharedRetryAfterMs(failure?: Failure): number {
	return failure && isStatus(failure, 429, 503)
		? Math.min(retryAfterMsOf(failure) ?? 0, MAX_RETRY_AFTER_MS)
		: 0;
}
