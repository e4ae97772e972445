import type { Failure } from '../../api/failure/failure';

export type RequestRecorder = ReturnType<RequestStats['request']>;

/** Retry and throttling counts for one node execution. Memory use does not grow with the number of requests. */
export class RequestStats {
	/** Requests that were sent more than once. */
	retried = 0;
	readonly reasons = new Map<string, { failure: Failure; retries: number }>();
	/** Requests that were throttled. */
	throttled = 0;
	/** Milliseconds during which at least one request was throttled. */
	throttledMs = 0;

	private activeThrottles = 0;
	private throttledSinceMs = 0;

	/** Returns the recorder for a new request. */
	request() {
		let isRetried = false;
		let isThrottled = false;
		return {
			/** Call when throttling starts; returns a function to call when it ends. */
			startThrottle: (beginMs: number) => {
				if (this.activeThrottles++ === 0) this.throttledSinceMs = beginMs;
				return (endMs: number) => {
					if (--this.activeThrottles === 0) this.throttledMs += endMs - this.throttledSinceMs;
					// A permit that is available at once takes some microseconds, too.
					if (isThrottled || endMs - beginMs < 1) return;
					isThrottled = true;
					this.throttled++;
				};
			},
			/** Call for each retry, with the failure of the attempt before. */
			recordRetry: (failure: Failure) => {
				if (!isRetried) this.retried++;
				isRetried = true;
				const reason = reasonKey(failure);
				const retries = this.reasons.get(reason)?.retries ?? 0;
				this.reasons.set(reason, { failure, retries: retries + 1 });
			},
		};
	}
}

/** Returns the same text for failures with the same name in a message. */
function reasonKey(failure: Failure): string {
	if (failure.kind === 'status') return `status ${failure.status}`;
	return failure.kind === 'network' ? `network ${failure.wasRequestSent}` : failure.kind;
}
