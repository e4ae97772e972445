// Bounds the requests and the time of one poll. The trigger's client asks it before each attempt.
import type { Clock } from '../transport/clock';

/** A poll may send up to this many times its requests to read a list to its end (decisions/0002). */
const EXTRA_REQUESTS_FACTOR = 10;

/** What a poll sends beyond the maximum is its overdraft, which the next polls repay: the average stays at the maximum. */
export class RequestBudget {
	private usedRequestCount = 0;
	private readonly extendedLimit: number;
	/** Without extra requests. */
	private readonly usualLimit: number;
	private requestLimit: number;
	private readonly overdraft: number;
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
		this.extendedLimit = EXTRA_REQUESTS_FACTOR * maxRequests;
		// If the maximum is lowered, the overdraft of the higher one would keep long lists waiting for hours.
		this.overdraft = Math.min(overdraft, this.extendedLimit);
		this.usualLimit = Math.max(Math.ceil(maxRequests / 2), maxRequests - this.overdraft);
		this.requestLimit = this.usualLimit;
		this.deadlineMs = clock.now() + maxMs;
	}

	/** Call before each attempt. Returns false if no further one may be sent. */
	takeRequest = (): boolean => {
		if (this.usedRequestCount >= this.requestLimit) return false;
		this.usedRequestCount++;
		return true;
	};

	/** Permits some requests even if the budget is used up. */
	allowRequests(count: number): void {
		this.requestLimit = Math.max(this.requestLimit, this.usedRequestCount + count);
	}

	timeLeftMs = (): number => Math.max(this.deadlineMs - this.clock.now(), 0);

	isUsedUp = (): boolean => this.usedRequestCount >= this.requestLimit || this.timeLeftMs() === 0;

	/** Whether the extra requests of earlier polls are repaid. */
	mayUseExtraRequests = (): boolean => this.overdraft === 0;

	/** Runs a task with extra requests, if it may use any. */
	async withExtraRequests<T>(task: () => Promise<T>): Promise<T> {
		const { requestLimit } = this;
		if (this.mayUseExtraRequests()) this.requestLimit = this.extendedLimit;
		try {
			return await task();
		} finally {
			this.requestLimit = requestLimit;
		}
	}

	hasUsedExtraRequests = (): boolean => this.usedRequestCount > this.usualLimit;

	/** Returns the requests beyond the maximum that later polls must save. */
	computeOverdraft = (): number => Math.max(this.overdraft + this.usedRequestCount - this.maxRequests, 0);
}
