// Counts what requests of one execution cost. The transport adds to it, and the hints report it. Tests:
// test/unit/transport/retry/withRetries.test.ts.

/** What is known about the requests of one node execution. */
export class RequestStats {
	/** Number of requests that were sent again. */
	retriedCount = 0;
	/** Names of the fields with numbers that became text. */
	readonly textNumberFields = new Set<string>();
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
