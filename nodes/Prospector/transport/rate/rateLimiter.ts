import type { Failure } from '../../api/failure/failure';
import type { Clock } from '../clock';
import { type Permit, type QuotaUse, RateLimitEstimator } from './rateLimitEstimator';

interface Waiter {
	deadlineMs: number;
	signal?: AbortSignal;
	settle(result: Permit | Failure): void;
}

const CANCELED: Failure = { kind: 'canceled', isBeforeSend: true };

/** The estimate is checked at least this often while requests wait, whatever happens to those in flight. */
const MAX_SLEEP_MS = 1000;

/**
 * Delays the requests with one API key until the estimated rate limit permits them. Queues take turns, so that an
 * execution with thousands of items doesn't block one with a single item.
 */
export class RateLimiter {
	/** Waiting requests by queue key, never empty; the first queue is served next. */
	private readonly queues = new Map<object, Set<Waiter>>();
	/** No waiting request has an earlier deadline. */
	private earliestDeadlineMs = Infinity;
	private sleep?: { until: number; controller: AbortController };
	/** When the limiter was last used, or a request was waiting. */
	lastActiveAt = -Infinity;
	private readonly estimator = new RateLimitEstimator();
	hasLimit = () => this.estimator.hasLimit();

	constructor(private readonly clock: Clock) {}

	/**
	 * Waits in the queue of that key, e.g. of a node execution, until a request may be sent.
	 *
	 * @param deadlineMs on the limiter's clock; a request that can't be sent before is throttled at once
	 * @returns the permit to {@link release} after the request; `throttled` or `canceled` if it may not be sent
	 */
	async acquire(queueKey: object, deadlineMs: number, signal?: AbortSignal): Promise<Permit | Failure> {
		if (signal?.aborted) return CANCELED;
		// The same listener for all requests of a signal, because Node.js warns about more than ten.
		signal?.addEventListener('abort', this.rejectCanceled, { once: true });
		return await new Promise((settle) => {
			const queue = this.queues.get(queueKey) ?? new Set();
			this.queues.set(queueKey, queue.add({ deadlineMs, signal, settle }));
			this.earliestDeadlineMs = Math.min(this.earliestDeadlineMs, deadlineMs);
			this.dispatch();
		});
	}

	private readonly rejectCanceled = (): void => {
		this.rejectWaiters(({ signal }) => signal?.aborted === true, CANCELED);
		this.dispatch();
	};

	/** Records the result of a request. `deferDispatch` gives a failed execution time to cancel its other requests. */
	release(permit: Permit, quotaUse: QuotaUse, retryAfterMs = 0, deferDispatch = false): void {
		this.estimator.recordResult(permit, this.clock.now(), quotaUse, retryAfterMs);
		if (this.queues.size === 0) return;
		if (deferDispatch) void this.clock.sleep(1).then(() => this.dispatch());
		else this.dispatch();
	}

	private dispatch(): void {
		const now = (this.lastActiveAt = this.clock.now());
		let allowedAt = this.estimator.nextAllowedAt(now);
		while (this.queues.size > 0 && allowedAt <= now) {
			this.takeNext().settle(this.estimator.recordSent(now));
			allowedAt = this.estimator.nextAllowedAt(now);
		}
		// If the time depends on a request in flight, a waiting request stays until its own deadline.
		const notBefore = allowedAt === Infinity ? now + 1 : allowedAt;
		const isTooLate = ({ deadlineMs }: Waiter) => deadlineMs < notBefore;
		const throttled: Failure = { kind: 'throttled', untilPermittedMs: notBefore - now };
		if (this.earliestDeadlineMs < notBefore) this.rejectWaiters(isTooLate, throttled);
		this.wakeAt(Math.min(allowedAt, this.earliestDeadlineMs, now + MAX_SLEEP_MS), now);
	}

	/** Removes the first request of the next queue, and moves that queue to the end. */
	private takeNext(): Waiter {
		const [[queueKey, queue]] = this.queues;
		const [next] = queue;
		queue.delete(next);
		this.queues.delete(queueKey);
		if (queue.size > 0) this.queues.set(queueKey, queue);
		return next;
	}

	private rejectWaiters(predicate: (waiter: Waiter) => boolean, result: Failure): void {
		this.earliestDeadlineMs = Infinity;
		for (const [queueKey, queue] of this.queues) {
			for (const waiter of queue) {
				if (predicate(waiter)) {
					queue.delete(waiter);
					waiter.settle(result);
				} else {
					this.earliestDeadlineMs = Math.min(this.earliestDeadlineMs, waiter.deadlineMs);
				}
			}
			if (queue.size === 0) this.queues.delete(queueKey);
		}
	}

	/** Dispatches again at that time or sooner; never, if no request is waiting. */
	private wakeAt(time: number, now: number): void {
		const isWaiting = this.queues.size > 0;
		if (isWaiting && this.sleep && this.sleep.until <= time) return;
		this.sleep?.controller.abort();
		this.sleep = undefined;
		if (!isWaiting) return;
		const sleep = (this.sleep = { until: time, controller: new AbortController() });
		void this.clock.sleep(time - now, sleep.controller.signal).then(() => {
			if (this.sleep !== sleep) return;
			this.sleep = undefined;
			this.dispatch();
		});
	}
}
