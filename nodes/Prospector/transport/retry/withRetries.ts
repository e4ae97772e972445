import type { ApiRequest } from '../../api/apiRequest';
import type { Failure } from '../../api/failure/failure';
import { isOutcomeUnknown } from '../../api/failure/requestError';
import { type ApiResponse, isFailure } from '../../api/response';
import type { Dependencies } from '../dependencies';
import type { RequestRecorder } from './requestStats';
import { retryAfterMsOf, retryDelayMs } from './retryPolicy';

export interface RetryOptions extends Pick<Dependencies, 'clock' | 'random'> {
	request: ApiRequest;
	/** On the clock; no further attempt starts after it. */
	deadlineMs: number;
	/** Aborted when the result is no longer needed. */
	signal?: AbortSignal;
	recorder: RequestRecorder;
	/** Called before every delay. */
	onRetry: (failure: Failure, delayMs: number) => void;
}

/**
 * Repeats attempts after transient failures, while that is safe and before the deadline.
 *
 * @param attempt returns `throttled`, or `canceled` with `beforeSend`, if it did not send the request
 * @returns the response, or the failure of the last attempt that was sent
 * @throws what `attempt` throws
 */
export async function withRetries(
	attempt: () => Promise<ApiResponse | Failure>,
	{ request, clock, random, deadlineMs, signal, recorder, onRetry }: RetryOptions,
): Promise<ApiResponse | Failure> {
	const beginMs = clock.now();
	let attempts = 0;
	let outcomeUnknown = false;
	let last: Failure | undefined;
	const withHistory = (failure: Failure): Failure => ({
		...failure,
		...(attempts > 1 && { attempts, elapsedMs: clock.now() - beginMs }),
		...(outcomeUnknown && { outcomeUnknown }),
	});
	for (;;) {
		const result = await attempt();
		if (isFailure(result) && result.kind === 'throttled') {
			return withHistory({ ...(last ?? result), throttledMs: result.throttledMs });
		}
		if (isFailure(result) && result.kind === 'canceled' && result.beforeSend) return withHistory(result);
		attempts++;
		if (last !== undefined) recorder.recordRetry(last);
		if (!isFailure(result)) return result;
		last = result;
		const failure = withHistory(result);
		const timeLeftMs = deadlineMs - clock.now();
		const delayMs = retryDelayMs({ failure, request, attempts, timeLeftMs, random: random() });
		if (delayMs === undefined) return failure;
		outcomeUnknown ||= isOutcomeUnknown(result, request);
		onRetry(result, delayMs);
		const isServerRequested = retryAfterMsOf(result) !== undefined;
		const stopThrottle = isServerRequested ? recorder.startThrottle(clock.now()) : undefined;
		const isOver = await clock.sleep(delayMs, signal);
		stopThrottle?.(clock.now());
		if (!isOver) return withHistory({ kind: 'canceled', beforeSend: true });
	}
}
