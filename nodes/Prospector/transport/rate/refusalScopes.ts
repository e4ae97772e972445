// Tells a rejection of one endpoint or resource from one of the API key. Used by the estimator. Tests:
// test/unit/transport/rate/rateLimitEstimator.test.ts.

/** Requests that were accepted this shortly before a rejected one was sent show that the API key had room. */
const MIN_RECENT_MS = 2000;
const MAX_SCOPES = 1000;

/**
 * Tells a rejection of the API key from one of a path or an endpoint, which are the scopes of a request. A rejection concerns
 * only these if one of them was rejected before, and others were accepted since then and recently.
 */
export class RefusalScopes {
	private acceptedCount = 0;
	private acceptedSentAtMs = -Infinity;
	private rejectedSentAtMs = -Infinity;
	/** Scopes with no accepted request since a rejection, and {@link acceptedCount} then. */
	private readonly rejected = new Map<string, number>();

	/** Number of the scopes whose last request was rejected. */
	countRejected = (scopes: readonly string[]) => scopes.filter((scope) => this.rejected.has(scope)).length;

	/** @returns whether the request was sent after all rejected ones, so that the API key has room */
	recordAccepted(scopes: readonly string[], sentAtMs: number): boolean {
		this.acceptedSentAtMs = Math.max(this.acceptedSentAtMs, sentAtMs);
		if (sentAtMs <= this.rejectedSentAtMs) return false;
		this.acceptedCount++;
		for (const scope of scopes) this.rejected.delete(scope);
		return true;
	}

	/** @returns whether the rejection concerns only the path or the endpoint of the request */
	recordRejected(scopes: readonly string[], sentAtMs: number, recentMs: number): boolean {
		const hadRoom = this.acceptedSentAtMs > sentAtMs - Math.max(recentMs, MIN_RECENT_MS);
		const isOwn =
			hadRoom && scopes.some((scope) => (this.rejected.get(scope) ?? Infinity) < this.acceptedCount);
		for (const scope of scopes) if (!this.rejected.has(scope)) this.rejected.set(scope, this.acceptedCount);
		const [oldestScope] = this.rejected.keys();
		if (this.rejected.size > MAX_SCOPES) this.rejected.delete(oldestScope);
		this.rejectedSentAtMs = Math.max(this.rejectedSentAtMs, sentAtMs);
		return isOwn;
	}
}
