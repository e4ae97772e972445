import type { Clock } from '../clock';

/** A poll may send up to this many times its requests to read a list that it can't continue later. */
const EXTRA_REQUESTS_FACTOR = 10;

/**
 * The requests and the time that a client may use in total. What a poll sends beyond its maximum is its overdraft, which
 * the next polls repay, so that the average stays at the maximum.
 */
export class RequestBudget {
	/** Whether a response had a 2xx status. Set by the poll. */
	hadSuccessResponse = false;
	private usedRequestCount = 0;
	private requestLimit: number;
	private readonly deadlineMs: number;

	/**
	 * @param options.maxRequests average number of requests
	 * @param options.overdraft requests that earlier polls sent beyond the maximum; at least half of it remains
	 * @param options.maxMs within which every request must end
	 */
	constructor(
		private readonly clock: Clock,
		private readonly options: { maxRequests: number; overdraft?: number; maxMs: number },
	) {
		const { maxRequests, overdraft = 0, maxMs } = options;
		this.requestLimit = Math.max(Math.ceil(maxRequests / 2), maxRequests - overdraft);
		this.deadlineMs = clock.now() + maxMs;
	}

	/** Call before each attempt. Returns false if no further one may be sent. */
	takeRequest = (): boolean => {
		if (this.usedRequestCount >= this.requestLimit) return false;
		this.usedRequestCount++;
		return true;
	};

	/** Permits some requests even if the budget is used up; the next polls repay them. */
	allowRequests(count: number): void {
		this.requestLimit = Math.max(this.requestLimit, this.usedRequestCount + count);
	}

	/** Milliseconds in which every request must end. */
	timeLeftMs = (): number => Math.max(this.deadlineMs - this.clock.now(), 0);

	isUsedUp = (): boolean => this.usedRequestCount >= this.requestLimit || this.timeLeftMs() === 0;

	/** Returns a function that tells whether another request would exceed half of what is left now. */
	createHalfUsedCheck(): () => boolean {
		const maxUsedRequestCount = this.usedRequestCount + (this.requestLimit - this.usedRequestCount) / 2;
		const minTimeLeftMs = this.timeLeftMs() / 2;
		return () => this.usedRequestCount + 1 > maxUsedRequestCount || this.timeLeftMs() <= minTimeLeftMs;
	}

	/** Runs a task that may send up to ten times the maximum, unless earlier polls did that and have not repaid it. */
	async withExtraRequests<T>(task: (hasExtraRequests: boolean) => Promise<T>): Promise<T> {
		const { requestLimit } = this;
		const { maxRequests, overdraft } = this.options;
		if (!overdraft) this.requestLimit = EXTRA_REQUESTS_FACTOR * maxRequests;
		try {
			return await task(!overdraft);
		} finally {
			this.requestLimit = requestLimit;
		}
	}

	/** Requests beyond the maximum that later polls must save. */
	computeOverdraft(): number {
		const { maxRequests, overdraft = 0 } = this.options;
		return Math.max(overdraft + this.usedRequestCount - maxRequests, 0);
	}
}
