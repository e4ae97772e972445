/** The limit is "rolling per-minute" (contract, section 8). With a margin for requests that take different times. */
const ROLLING_MINUTE_MS = 60_500;
/** The longest window that is estimated. */
const MAX_WINDOW_MS = 100_000;
/** Requests in flight: at first, growth per response, and maximum, also as a share of a minute's requests. */
const IN_FLIGHT = { first: 2.9, growth: { limitUnknown: 0.05, limitKnown: 0.5 }, max: 5, maxShare: 0.03 };
/** Requests without a response for this long no longer delay others. */
const MAX_IN_FLIGHT_MS = 10_000;
/** The share by which an estimate changes if nothing better is known, and the largest share for a short window. */
const STEP = { min: 1 / 16, max: 1 / 2 };
/** Pauses after unexpected rejections: bounds, the first as a share of the window, the longest if nothing is accepted. */
const PAUSE_MS = { min: 50, firstShare: 0.1, maxFirst: 500, max: 2000, nothingAccepted: 10_000 };
/** Time from a rejection to the next trial: the first one per request that fits, its bounds, and its growth. */
const TRIAL_GAP_MS = { perRequest: 500, maxFirst: 31_000, max: 48_000, growth: { minute: 5, window: 2 } };

/** A request that was sent, and not rejected. */
export interface Permit {
	readonly sentAt: number;
	/** Exceeds the estimated limit, so that a rejection is expected. */
	readonly isTrial: boolean;
}

/** Whether a request used up quota: `rejected` means 429, `notSent` that it never reached the service. */
export type QuotaUse = 'counted' | 'rejected' | 'notSent';

/**
 * Estimates a limit of any shape as requests per window: the contract names neither the limit nor any header (section
 * 8). A request may be sent if fewer than {@link limit} requests were sent within the last {@link windowMs}.
 *
 * After the first rejection, the limit is what was accepted in the last minute. Now and then, a trial exceeds the limit.
 * If it is accepted before there is a minute of history, the window is shorter; later on, the limit is higher. After an
 * unexpected rejection, single requests follow pauses until one is accepted. Then the limit was too high or the window
 * too short, whichever takes the smaller change. A short window that fails is given up if the last minute had more room.
 *
 * All times are milliseconds of one clock.
 */
export class RateLimitEstimator {
	/** Accepted requests and those in flight, by the time they were sent. */
	private log: Permit[] = [];
	private readonly inFlight = new Set<Permit>();
	private limit = Infinity;
	private windowMs = ROLLING_MINUTE_MS;
	/** How much a trial shortens a short window. */
	private step = STEP.min;
	/** Requests that may be in flight; 0 after unexpected rejections: one at a time. */
	private maxInFlight = IN_FLIGHT.first;
	private notBefore = -Infinity;
	private trialAt = Infinity;
	private trialGapMs = 0;
	private lastRejectionAt = -Infinity;
	/** The first of the last unexpected rejections, and the requests in the window then. */
	private unexpected = { at: -Infinity, fits: 0 };

	/** Whether requests wait for a limit, and not only for responses. */
	hasLimit = () => this.limit < Infinity || this.maxInFlight === 0;

	/** @returns when the next request may be sent: `now` or later, or Infinity if it depends on a request in flight */
	nextAllowedAt(now: number): number {
		if (now < this.notBefore) return this.notBefore;
		const inFlight = [...this.inFlight].filter(({ sentAt }) => now - sentAt < MAX_IN_FLIGHT_MS).length;
		if (inFlight >= Math.max(1, this.maxInFlight)) return Infinity;
		const freeAt = this.freeAt();
		if (freeAt <= now) return now;
		const trialAt = this.trialDueAt(now, freeAt);
		if (now < trialAt) return Math.min(freeAt, trialAt);
		// The order in which requests arrive is unknown: a trial must not take the place of another request.
		return inFlight > 0 ? freeAt : now;
	}

	recordSent(now: number): Permit {
		const permit = { sentAt: now, isTrial: this.freeAt() > now };
		// Seldom, because it takes linear time.
		const isOutdated = this.log.length > 0 && now - this.log[0].sentAt > 2 * MAX_WINDOW_MS;
		if (isOutdated) this.log = this.log.filter(({ sentAt }) => now - sentAt <= MAX_WINDOW_MS);
		this.log.push(permit);
		this.inFlight.add(permit);
		return permit;
	}

	/** @param retryAfterMs time during which no request may be sent */
	recordResult(permit: Permit, now: number, quotaUse: QuotaUse, retryAfterMs = 0): void {
		this.inFlight.delete(permit);
		this.notBefore = Math.max(this.notBefore, now + retryAfterMs);
		// Requests sent before the last rejection was known say little.
		const isCurrent = permit.sentAt > this.lastRejectionAt;
		if (quotaUse === 'counted') {
			if (isCurrent) this.recordAccepted(permit, now);
			else if (!this.isShort()) this.limit = Math.max(this.limit, this.countSince(now - ROLLING_MINUTE_MS));
			return;
		}
		this.log = this.log.filter((one) => one !== permit);
		if (quotaUse === 'rejected' && isCurrent) this.recordRejected(permit, now);
	}

	private recordAccepted(permit: Permit, now: number): void {
		if (this.maxInFlight === 0) {
			if (this.limit < Infinity) this.correct(permit);
			this.maxInFlight = 1;
		} else if (this.limit === Infinity) {
			this.maxInFlight += IN_FLIGHT.growth.limitUnknown;
		} else {
			const perMinute = (this.limit * ROLLING_MINUTE_MS) / this.windowMs;
			const bound = Math.max(IN_FLIGHT.max, IN_FLIGHT.maxShare * perMinute);
			this.maxInFlight = Math.min(bound, this.maxInFlight + IN_FLIGHT.growth.limitKnown);
			if (permit.isTrial) this.recordAcceptedTrial(permit, now);
		}
	}

	private recordAcceptedTrial(permit: Permit, now: number): void {
		// There may be room for more.
		this.trialAt = now;
		if (this.isShort() || !this.hasMinute(permit.sentAt)) {
			this.step = this.isShort() ? Math.min(STEP.max, 2 * this.step) : STEP.max;
			this.windowMs = Math.max(1, Math.min(this.windowMs, this.ageOfLimit(permit)));
			this.trialGapMs = this.windowMs;
			return;
		}
		const fits = this.countSince(permit.sentAt - ROLLING_MINUTE_MS);
		if (fits > this.limit) this.setLimit(fits);
	}

	/** Called for the first request that is accepted after unexpected rejections. */
	private correct(permit: Permit): void {
		const fits = Math.max(1, this.countSince(permit.sentAt - this.windowMs));
		const age = this.ageOfLimit(permit);
		const stretch = Math.max(1, Math.min(age / this.windowMs, this.isShort() ? 2 : Infinity));
		if (fits < this.limit && this.limit / fits < stretch) this.limit = fits;
		else if (age <= MAX_WINDOW_MS) this.windowMs = Math.min(MAX_WINDOW_MS, this.windowMs * stretch);
		else this.limit = Math.max(1, Math.floor(Math.min(this.unexpected.fits, this.limit) * (1 - STEP.min)));
		const perMinute = this.countSince(permit.sentAt - ROLLING_MINUTE_MS);
		const isMinuteBetter = perMinute / ROLLING_MINUTE_MS > this.limit / this.windowMs;
		if (this.isShort() && this.hasMinute(permit.sentAt) && isMinuteBetter) {
			[this.limit, this.windowMs, this.trialGapMs] = [perMinute, ROLLING_MINUTE_MS, TRIAL_GAP_MS.max];
		}
	}

	private recordRejected(permit: Permit, now: number): void {
		this.lastRejectionAt = now;
		const fits = this.countSince(now - ROLLING_MINUTE_MS);
		// If nothing was accepted, others use the API key: that says nothing about the limit.
		if (this.limit === Infinity && fits > 0) this.setLimit(fits);
		else if (permit.isTrial) this.recordRejectedTrial();
		else this.recordUnexpectedRejection(permit, now);
		this.trialAt = now + this.trialGapMs;
	}

	private recordRejectedTrial(): void {
		if (this.isShort() && this.step > STEP.min) {
			this.step /= 2;
			this.trialGapMs = 0;
			return;
		}
		const { growth, max } = TRIAL_GAP_MS;
		const gap = this.trialGapMs > 0 ? this.trialGapMs : 2 * this.windowMs;
		this.trialGapMs = Math.min((this.isShort() ? growth.window : growth.minute) * gap, max);
	}

	/** Pauses double, up to the average time per request, because rejected requests may use up quota, too. */
	private recordUnexpectedRejection(permit: Permit, now: number): void {
		const fits = this.countSince(permit.sentAt - this.windowMs);
		if (this.maxInFlight > 0) this.unexpected = { at: now, fits };
		this.maxInFlight = 0;
		const { min, firstShare, maxFirst, max, nothingAccepted } = PAUSE_MS;
		const first = Math.min(Math.max(min, firstShare * this.windowMs), maxFirst);
		const longest = Math.max(max, this.limit < Infinity ? this.windowMs / this.limit : nothingAccepted);
		const pause = Math.max(first, Math.min(now - this.unexpected.at, longest));
		this.notBefore = Math.max(this.notBefore, now + pause);
	}

	/** @param freeAt when the next request has room without a trial */
	private trialDueAt(now: number, freeAt: number): number {
		// A short window is shortened in steps, because a much earlier request would be rejected.
		if (this.isShort()) return Math.max(this.trialAt, freeAt - this.step * this.windowMs);
		// Right after a window was used up, there is much to gain: 40 % of the gap is enough.
		const isUsedUp = this.trialGapMs === TRIAL_GAP_MS.max && freeAt - now > 0.75 * this.windowMs;
		if (isUsedUp) return this.trialAt - 0.6 * this.trialGapMs;
		// Not worth a trial if there is room soon, unless that is always so.
		return freeAt - now > this.trialGapMs / 8 ? this.trialAt : this.trialAt + this.trialGapMs;
	}

	private setLimit(limit: number): void {
		this.limit = limit;
		this.trialGapMs = Math.min(TRIAL_GAP_MS.perRequest * (limit + 1), TRIAL_GAP_MS.maxFirst);
	}

	private isShort = () => this.windowMs < ROLLING_MINUTE_MS;
	private hasMinute = (now: number) => this.log.length > 0 && this.log[0].sentAt <= now - ROLLING_MINUTE_MS;

	/** When the next request has room. */
	private freeAt(): number {
		const last = this.log[this.log.length - this.limit];
		return last === undefined ? -Infinity : last.sentAt + this.windowMs;
	}

	/** Time since as many requests as the limit were accepted before this one. */
	private ageOfLimit(permit: Permit): number {
		let left = this.limit;
		for (let i = this.log.lastIndexOf(permit) - 1; i >= 0; i--) {
			if (!this.inFlight.has(this.log[i]) && --left === 0) return permit.sentAt - this.log[i].sentAt;
		}
		return Infinity;
	}

	/** Number of accepted requests that were sent after that time. Takes linear time: not for every request. */
	private countSince = (time: number) =>
		this.log.filter((one) => one.sentAt > time && !this.inFlight.has(one)).length;
}
