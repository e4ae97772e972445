import type { Clock } from '../clock';

/** A poll may send up to this many times its requests to read a list that it can't continue later. */
const MAX_EXTENSION = 10;

/**
 * The requests and the time that a client may use in total. What a poll sends beyond its maximum is its overdraft, which
 * the next polls repay, so that the average stays at the maximum.
 */
export class RequestBudget {
	/** Whether the service has accepted a request. */
	hasSucceeded = false;
	private used = 0;
	private limit: number;
	private readonly deadlineMs: number;

	/**
	 * @param options.maxRequests average number of requests
	 * @param options.overdraft requests that earlier polls sent beyond the maximum; at least half of it remains
	 * @param options.timeMs within which every request must end
	 */
	constructor(
		private readonly clock: Clock,
		private readonly options: { maxRequests: number; overdraft?: number; timeMs: number },
	) {
		const { maxRequests, overdraft = 0, timeMs } = options;
		this.limit = Math.max(Math.ceil(maxRequests / 2), maxRequests - overdraft);
		this.deadlineMs = clock.now() + timeMs;
	}

	/** Call before each attempt. Returns false if no further one may be sent. */
	takeRequest = (): boolean => this.used < this.limit && ++this.used > 0;

	/** Milliseconds in which every request must end. */
	timeLeftMs = (): number => Math.max(this.deadlineMs - this.clock.now(), 0);

	isUsedUp = (): boolean => this.used >= this.limit || this.timeLeftMs() === 0;

	/** Returns a function that tells whether another request would exceed half of what is left now. */
	half(): () => boolean {
		const maxUsed = this.used + (this.limit - this.used) / 2;
		const minTimeLeft = this.timeLeftMs() / 2;
		return () => this.used + 1 > maxUsed || this.timeLeftMs() <= minTimeLeft;
	}

	/** Runs a task that may send up to ten times the maximum, unless earlier polls did that and have not repaid it. */
	async extend<T>(task: (isExtended: boolean) => Promise<T>): Promise<T> {
		const { limit } = this;
		const { maxRequests, overdraft } = this.options;
		if (!overdraft) this.limit = MAX_EXTENSION * maxRequests;
		try {
			return await task(!overdraft);
		} finally {
			this.limit = limit;
		}
	}

	/** Requests beyond the maximum that later polls must save. */
	overdraft(): number {
		const { maxRequests, overdraft = 0 } = this.options;
		return Math.max(overdraft + this.used - maxRequests, 0);
	}
}
