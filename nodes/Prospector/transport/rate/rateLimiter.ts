// Delays the requests with one API key until the estimated rate limit permits them. All clients of a process share it;
// no request waits beyond its deadline.
import type { Failure } from '../../api/failure/failure';
import type { Clock } from '../clock';
import { type Permit, RateLimitEstimator } from './rateLimitEstimator';

/** Times are on the limiter's clock. A request is throttled once the estimate does not permit it before its deadline. */
export interface RequestToSend {
	/** The queue in which it waits, e.g. of a node execution. */
	queueKey: object;
	/** What a rejection can be about instead of the API key. */
	scopes: readonly string[];
	deadlineMs: number;
	/** Its deadline while only the number of requests in flight delays it. */
	inFlightDeadlineMs: number;
	signal?: AbortSignal;
}

interface WaitingRequest extends RequestToSend {
	/** The earliest round is served first. Each queue has one request in it. */
	round: number;
	settle(result: Permit | Failure): void;
}

const CANCELED_FAILURE: Failure = { kind: 'canceled', wasRequestSent: false };

/** The estimate is checked at least this often while requests wait, whatever happens to those in flight. */
const CHECK_INTERVAL_MS = 1000;

/** Queues take turns, so that an execution with many items doesn't block one with a single item. */
export class RateLimiter {
	/** In the order in which they arrived. */
	private readonly waiting = new Set<WaitingRequest>();
	/** The latest round of a request that was sent. */
	private round = 0;
	private wakeUp?: AbortController;
	readonly estimator = new RateLimitEstimator();

	constructor(private readonly clock: Clock) {}

	/** Waits for a permit to {@link release} after the request. Returns `throttled` or `canceled` if it may not be sent. */
	async acquire(request: RequestToSend): Promise<Permit | Failure> {
		const { queueKey, signal } = request;
		if (signal?.aborted) return CANCELED_FAILURE;
		// The same listener for all requests of a signal, because Node.js warns about more than ten.
		signal?.addEventListener('abort', this.rejectCanceledRequests, { once: true });
		return await new Promise((settle) => {
			const queue = [...this.waiting].filter((one) => one.queueKey === queueKey);
			const round = Math.max(this.round, queue.at(-1)?.round ?? 0) + 1;
			this.waiting.add({ ...request, round, settle });
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
		if (failure && this.waiting.size > 0) void this.clock.sleep(1).then(() => this.dispatch());
		else this.dispatch();
		return isScoped;
	}

	private dispatch(): void {
		const nowMs = this.clock.now();
		let allowedAtMs = this.estimator.nextAllowedAtMs(nowMs);
		while (this.waiting.size > 0 && allowedAtMs <= nowMs) {
			const { settle, scopes } = this.takeNextRequest(nowMs);
			settle(this.estimator.recordSent(nowMs, scopes));
			allowedAtMs = this.estimator.nextAllowedAtMs(nowMs);
		}
		const awaitsResponse = allowedAtMs === Infinity;
		const retryAfterMs = awaitsResponse ? undefined : allowedAtMs - nowMs;
		const deadlineOf = (one: WaitingRequest) => (awaitsResponse ? one.inFlightDeadlineMs : one.deadlineMs);
		// The response to a request in flight can make the time earlier.
		const isTimeCertain = this.estimator.inFlight.size === 0;
		const isLate = (deadlineMs: number) => (isTimeCertain ? deadlineMs < allowedAtMs : deadlineMs <= nowMs);
		this.rejectRequests((one) => isLate(deadlineOf(one)), { kind: 'throttled', retryAfterMs });
		this.wakeUp?.abort();
		if (this.waiting.size === 0) return;
		let wakeUpAtMs = Math.min(allowedAtMs, nowMs + CHECK_INTERVAL_MS);
		for (const one of this.waiting) wakeUpAtMs = Math.min(wakeUpAtMs, deadlineOf(one));
		const { signal } = (this.wakeUp = new AbortController());
		void this.clock.sleep(wakeUpAtMs - nowMs, signal).then(() => signal.aborted || this.dispatch());
	}

	/** Removes the request of the earliest round or, for a trial (see the estimator), the one with the lowest rank. */
	private takeNextRequest(nowMs: number): WaitingRequest {
		const rankOf = ({ scopes }: WaitingRequest) => this.estimator.rankOf(scopes, nowMs);
		let [next] = this.waiting;
		for (const one of this.waiting)
			if ((rankOf(one) - rankOf(next) || one.round - next.round) < 0) next = one;
		this.waiting.delete(next);
		this.round = Math.max(this.round, next.round);
		return next;
	}

	private rejectRequests(mustReject: (waitingRequest: WaitingRequest) => boolean, failure: Failure): void {
		for (const waitingRequest of this.waiting)
			if (mustReject(waitingRequest) && this.waiting.delete(waitingRequest)) waitingRequest.settle(failure);
	}
}
