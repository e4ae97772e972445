// Bounds the requests and the time of one poll. The trigger's client asks it before each attempt.
import type { Clock } from '../transport/clock';
import { MIN_ATTEMPT_MS } from '../transport/request/client';

/** A poll may send up to this many times its requests to read a list to its end (decisions/0002). */
const EXTRA_REQUESTS_FACTOR = 10;

/** What a poll sends beyond the maximum is its overdraft, which the next polls repay: the average stays at the maximum. */
export class RequestBudget {
	private usedRequestCount = 0;
	/** What earlier polls sent beyond the maximum. */
	readonly overdraft: number;
	private readonly usualLimit: number;
	private readonly requestLimit: number;
	private readonly deadlineMs: number;

	/**
	 * @param maxRequests average number of requests
	 * @param overdraft requests that earlier polls sent beyond the maximum; half of `maxRequests` always remains
	 * @param maxMs within which every request must end
	 */
	constructor(
		private readonly clock: Clock,
		private readonly maxRequests: number,
		overdraft: number,
		maxMs: number,
	) {
		const extendedLimit = EXTRA_REQUESTS_FACTOR * maxRequests;
		// If the maximum is lowered, the overdraft of the higher one would keep long lists waiting for hours.
		this.overdraft = Math.min(overdraft, extendedLimit);
		this.usualLimit = Math.max(Math.ceil(maxRequests / 2), maxRequests - this.overdraft);
		// Extra requests are permitted only once those of earlier polls were repaid.
		this.requestLimit = this.overdraft === 0 ? extendedLimit : this.usualLimit;
		this.deadlineMs = clock.now() + maxMs;
	}

	/** Call before each attempt. Returns false if no further one may be sent. */
	takeRequest = (): boolean => {
		if (this.usedRequestCount >= this.requestLimit) return false;
		this.usedRequestCount++;
		return true;
	};

	timeLeftMs = (): number => Math.max(this.deadlineMs - this.clock.now(), 0);

	/** Whether no request has enough time to be sent. */
	isOutOfTime = (): boolean => this.timeLeftMs() < MIN_ATTEMPT_MS;

	/** Whether no request may be sent. */
	isUsedUp = (): boolean => this.usedRequestCount >= this.requestLimit || this.isOutOfTime();

	/** Whether a further task may begin. One that has begun may send extra requests. */
	mayBeginTask = (): boolean => this.usedRequestCount < this.usualLimit && !this.isOutOfTime();

	hasUsedExtraRequests = (): boolean => this.usedRequestCount > this.usualLimit;

	/** Returns the requests beyond the maximum that later polls must save. */
	computeOverdraft = (): number => Math.max(this.overdraft + this.usedRequestCount - this.maxRequests, 0);
}
