import type { Failure } from '../../api/failure/failure';

export type RequestRecorder = ReturnType<RequestStats['createRequestRecorder']>;

/** Retry and throttling counts for one node execution. Memory use does not grow with the number of requests. */
export class RequestStats {
	retriedCount = 0;
	readonly retryReasons = new Map<string, { failure: Failure; retryCount: number }>();
	throttledCount = 0;
	/** Milliseconds during which at least one request was throttled. */
	throttledMs = 0;

	private activeThrottleCount = 0;
	private throttledSinceMs = 0;

	createRequestRecorder() {
		let isRetried = false;
		let isThrottled = false;
		return {
			/** Call when throttling starts; returns a function to call when it ends. */
			startThrottle: (beginMs: number) => {
				if (this.activeThrottleCount++ === 0) this.throttledSinceMs = beginMs;
				return (endMs: number) => {
					if (--this.activeThrottleCount === 0) this.throttledMs += endMs - this.throttledSinceMs;
					// A permit that is available at once takes some microseconds, too.
					if (isThrottled || endMs - beginMs < 1) return;
					isThrottled = true;
					this.throttledCount++;
				};
			},
			/** Call for each retry, with the failure of the attempt before. */
			recordRetry: (failure: Failure) => {
				if (!isRetried) this.retriedCount++;
				isRetried = true;
				const reason = reasonKey(failure);
				const retryCount = this.retryReasons.get(reason)?.retryCount ?? 0;
				this.retryReasons.set(reason, { failure, retryCount: retryCount + 1 });
			},
		};
	}
}

/** Returns the same text for failures with the same name in a message. */
function reasonKey(failure: Failure): string {
	if (failure.kind === 'status') return `status ${failure.status}`;
	return failure.kind === 'network' ? `network ${failure.wasRequestSent}` : failure.kind;
}
