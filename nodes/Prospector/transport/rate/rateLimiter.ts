// Delays the requests with one API key until the estimated rate limit permits them. All clients of a process share it;
// no request waits beyond its deadline.
import type { Failure } from '../../api/failure/failure';
import type { Clock } from '../clock';
import { type Permit, RateLimitEstimator } from './rateLimitEstimator';

interface WaitingRequest {
	scopes: readonly string[];
	deadlineMs: number;
	signal?: AbortSignal;
	settle(result: Permit | Failure): void;
}

const CANCELED_FAILURE: Failure = { kind: 'canceled', wasRequestSent: false };

/** The estimate is checked at least this often while requests wait, whatever happens to those in flight. */
const CHECK_INTERVAL_MS = 1000;

/** Queues take turns, so that an execution with thousands of items doesn't block one with a single item. */
export class RateLimiter {
	/** Waiting requests by queue key, never empty; the first queue is served next. */
	private readonly queues = new Map<object, Set<WaitingRequest>>();
	/** No waiting request has an earlier deadline, so most dispatches need not look at all requests. */
	private earliestDeadlineMs = Infinity;
	private wakeUp?: AbortController;
	/** When the limiter was last used, or a request was waiting. */
	lastActiveAtMs = -Infinity;
	readonly estimator = new RateLimitEstimator();

	constructor(private readonly clock: Clock) {}

	/**
	 * Waits in the queue of that key, e.g. of a node execution, until a request may be sent.
	 *
	 * @param scopes what a rejection can be about instead of the API key
	 * @param deadlineMs on the limiter's clock; a request is throttled once it is certain that it can't be sent before
	 * @returns the permit to {@link release} after the request; `throttled` or `canceled` if it may not be sent
	 */
	async acquire(
		queueKey: object,
		scopes: readonly string[],
		deadlineMs: number,
		signal?: AbortSignal,
	): Promise<Permit | Failure> {
		if (signal?.aborted) return CANCELED_FAILURE;
		// The same listener for all requests of a signal, because Node.js warns about more than ten.
		signal?.addEventListener('abort', this.rejectCanceledRequests, { once: true });
		return await new Promise((settle) => {
			const queue = this.queues.get(queueKey) ?? new Set();
			this.queues.set(queueKey, queue.add({ scopes, deadlineMs, signal, settle }));
			this.earliestDeadlineMs = Math.min(this.earliestDeadlineMs, deadlineMs);
			this.dispatch();
		});
	}

	private readonly rejectCanceledRequests = (): void => {
		this.rejectRequests(({ signal }) => signal?.aborted === true, CANCELED_FAILURE);
		this.dispatch();
	};

	/** Records how a request ended. @returns whether a rejection concerns only its path or endpoint: it backs off alone */
	release(permit: Permit, failure?: Failure): boolean {
		const isScoped = this.estimator.recordResult(permit, this.clock.now(), failure);
		// After 1 ms, so that a failed execution can cancel its other requests first.
		if (this.queues.size > 0 && failure) void this.clock.sleep(1).then(() => this.dispatch());
		else if (this.queues.size > 0) this.dispatch();
		return isScoped;
	}

	private dispatch(): void {
		const nowMs = (this.lastActiveAtMs = this.clock.now());
		let allowedAtMs = this.estimator.nextAllowedAtMs(nowMs);
		while (this.queues.size > 0 && allowedAtMs <= nowMs) {
			const { settle, scopes } = this.takeNextRequest(nowMs);
			settle(this.estimator.recordSent(nowMs, scopes));
			allowedAtMs = this.estimator.nextAllowedAtMs(nowMs);
		}
		// While a response can still make the time earlier, only requests after their deadline are rejected.
		const earliestSendMs = this.estimator.inFlight.size === 0 ? allowedAtMs : nowMs + 1;
		const isTooLate = ({ deadlineMs }: WaitingRequest) => deadlineMs < earliestSendMs;
		const permittedAfterMs = allowedAtMs < Infinity ? allowedAtMs - nowMs : undefined;
		const isUnavailable = this.estimator.isUnavailable(nowMs);
		const throttledFailure: Failure = { kind: 'throttled', isUnavailable, permittedAfterMs };
		if (this.earliestDeadlineMs < earliestSendMs) this.rejectRequests(isTooLate, throttledFailure);
		this.wakeUp?.abort();
		if (this.queues.size === 0) return;
		const wakeUpAtMs = Math.min(allowedAtMs, this.earliestDeadlineMs, nowMs + CHECK_INTERVAL_MS);
		const { signal } = (this.wakeUp = new AbortController());
		void this.clock.sleep(wakeUpAtMs - nowMs, signal).then(() => signal.aborted || this.dispatch());
	}

	/** Removes the next queue's first request or, for a trial (see the estimator), the one with the lowest rank. */
	private takeNextRequest(nowMs: number): WaitingRequest {
		const rank = ({ scopes }: WaitingRequest) => this.estimator.rankOf(scopes, nowMs);
		// The first request of the first queue.
		let [[key, [next]]] = this.queues;
		if (rank(next) > 0)
			for (const [otherKey, queue] of this.queues)
				for (const one of queue) if (rank(one) < rank(next)) [key, next] = [otherKey, one];
		const queue = this.queues.get(key)!;
		queue.delete(next);
		this.queues.delete(key);
		if (queue.size > 0) this.queues.set(key, queue);
		return next;
	}

	private rejectRequests(mustReject: (waitingRequest: WaitingRequest) => boolean, failure: Failure): void {
		this.earliestDeadlineMs = Infinity;
		for (const [queueKey, queue] of this.queues) {
			for (const waitingRequest of queue) {
				if (mustReject(waitingRequest) && queue.delete(waitingRequest)) waitingRequest.settle(failure);
				else this.earliestDeadlineMs = Math.min(this.earliestDeadlineMs, waitingRequest.deadlineMs);
			}
			if (queue.size === 0) this.queues.delete(queueKey);
		}
	}
}
