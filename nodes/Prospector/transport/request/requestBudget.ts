import { parseTimestamp } from '../../utils';
import type { Dependencies } from '../dependencies';
import type { HttpResponse } from './response';

/** Differences up to this are measuring errors: the Date header has no milliseconds, and responses take time. */
const CLOCK_TOLERANCE_MS = 2000;

/** The requests and the time that a client may use in total, and what the responses show about the service. */
export class RequestBudget {
	hasSucceeded = false;
	private used = 0;
	private readonly deadline: number;
	private isMeasured = false;

	/**
	 * @param timeMs within which every request must end
	 * @param clockOffset the service's clock minus n8n's, in milliseconds, until a `Date` header shows it
	 */
	constructor(
		private readonly dependencies: Pick<Dependencies, 'clock' | 'wallClock'>,
		private readonly maxRequests: number,
		timeMs: number,
		public clockOffset: number,
	) {
		this.deadline = dependencies.clock.now() + timeMs;
	}

	/** Call before each attempt. Returns false if no further one may be sent. */
	takeRequest = (): boolean => this.used < this.maxRequests && ++this.used > 0;

	/** Milliseconds in which every request must end. */
	timeLeft = (): number => Math.max(this.deadline - this.dependencies.clock.now(), 0);

	isUsedUp = (): boolean => this.used >= this.maxRequests || this.timeLeft() === 0;

	/** Returns a function that tells whether another request would exceed half of what is left now. */
	half(): () => boolean {
		const maxUsed = this.used + (this.maxRequests - this.used) / 2;
		const minTimeLeft = this.timeLeft() / 2;
		return () => this.used + 1 > maxUsed || this.timeLeft() <= minTimeLeft;
	}

	onResponse({ statusCode, headers }: HttpResponse): void {
		this.hasSucceeded ||= statusCode >= 200 && statusCode < 300;
		const date = parseTimestamp(headers.date);
		if (this.isMeasured || date === undefined) return;
		this.isMeasured = true;
		// The header is up to a second old. Taking its end never counts an existing resource as new.
		const offset = date + 1000 - this.dependencies.wallClock.now();
		this.clockOffset = Math.abs(offset) <= CLOCK_TOLERANCE_MS ? 0 : offset;
	}

	/** Milliseconds since the epoch, on the service's clock. */
	now = (): number => this.dependencies.wallClock.now() + this.clockOffset;
}
