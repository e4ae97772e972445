/** The limit is "rolling per-minute" (contract, section 8). With a margin for requests that take different times. */
const ROLLING_MINUTE_MS = 60_500;
const MAX_WINDOW_MS = 100_000;
/** Requests in flight: at first, growth per response, and maximum, also as a share of a minute's requests. */
const IN_FLIGHT = { first: 2.9, growth: { limitUnknown: 0.05, limitKnown: 0.5 }, max: 5, minuteShare: 0.03 };
/** Requests without a response for this long no longer delay others. */
const IN_FLIGHT_TIMEOUT_MS = 10_000;
/** The share by which an estimate changes if nothing better is known, and the largest share for a short window. */
const STEP = { min: 1 / 16, max: 1 / 2 };
/** Pauses after unexpected rejections: bounds, the first as a share of the window, the longest if nothing is accepted. */
const REJECTION_PAUSE_MS = { min: 50, windowShare: 0.1, maxFirst: 500, max: 2000, maxWithoutLimit: 10_000 };
/** Time from a rejection to the next trial: the first one per request that fits, its bounds, and its growth. */
const TRIAL_GAP_MS = { perRequest: 500, maxFirst: 31_000, max: 48_000, growth: { minute: 5, window: 2 } };

/** A request that may be sent. Forgotten once it was rejected, or not sent. */
export interface Permit {
	readonly sentAtMs: number;
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
	private history: Permit[] = [];
	private readonly inFlight = new Set<Permit>();
	private limit = Infinity;
	private windowMs = ROLLING_MINUTE_MS;
	/** The share by which a trial shortens a short window. */
	private stepShare = STEP.min;
	/** Requests that may be in flight; 0 after unexpected rejections: one at a time. */
	private maxInFlight = IN_FLIGHT.first;
	private pausedUntilMs = -Infinity;
	private nextTrialAtMs = Infinity;
	private trialGapMs = 0;
	private lastRejectionAtMs = -Infinity;
	/** The first of the last unexpected rejections, and the requests accepted in the window then. */
	private rejection = { atMs: -Infinity, accepted: 0 };

	/** Whether requests wait for a limit, and not only for responses. */
	hasLimit = () => this.limit < Infinity || this.maxInFlight === 0;

	/** @returns when the next request may be sent: `nowMs` or later, or Infinity if it depends on a request in flight */
	nextAllowedAtMs(nowMs: number): number {
		if (nowMs < this.pausedUntilMs) return this.pausedUntilMs;
		const inFlightCount = [...this.inFlight].filter(
			({ sentAtMs }) => nowMs - sentAtMs < IN_FLIGHT_TIMEOUT_MS,
		).length;
		if (inFlightCount >= Math.max(1, this.maxInFlight)) return Infinity;
		const freeAtMs = this.findFreeAtMs();
		if (freeAtMs <= nowMs) return nowMs;
		const trialDueAtMs = this.findTrialDueAtMs(nowMs, freeAtMs);
		if (nowMs < trialDueAtMs) return Math.min(freeAtMs, trialDueAtMs);
		// The order in which requests arrive is unknown: a trial must not take the place of another request.
		return inFlightCount > 0 ? freeAtMs : nowMs;
	}

	recordSent(nowMs: number): Permit {
		const permit = { sentAtMs: nowMs, isTrial: this.findFreeAtMs() > nowMs };
		// Seldom, because it takes linear time.
		const mustPrune = this.history.length > 0 && nowMs - this.history[0].sentAtMs > 2 * MAX_WINDOW_MS;
		if (mustPrune) this.history = this.history.filter(({ sentAtMs }) => nowMs - sentAtMs <= MAX_WINDOW_MS);
		this.history.push(permit);
		this.inFlight.add(permit);
		return permit;
	}

	/** @param retryAfterMs time during which no request may be sent */
	recordResult(permit: Permit, nowMs: number, quotaUse: QuotaUse, retryAfterMs = 0): void {
		this.inFlight.delete(permit);
		this.pausedUntilMs = Math.max(this.pausedUntilMs, nowMs + retryAfterMs);
		// Requests sent before the last rejection was known say little.
		const wasSentAfterRejection = permit.sentAtMs > this.lastRejectionAtMs;
		if (quotaUse === 'counted') {
			if (wasSentAfterRejection) this.recordAccepted(permit, nowMs);
			else if (!this.isShortWindow())
				this.limit = Math.max(this.limit, this.countAcceptedSince(nowMs - ROLLING_MINUTE_MS));
			return;
		}
		this.history = this.history.filter((entry) => entry !== permit);
		if (quotaUse === 'rejected' && wasSentAfterRejection) this.recordRejected(permit, nowMs);
	}

	private recordAccepted(permit: Permit, nowMs: number): void {
		if (this.maxInFlight === 0) {
			if (this.limit < Infinity) this.correctEstimate(permit);
			this.maxInFlight = 1;
		} else if (this.limit === Infinity) {
			this.maxInFlight += IN_FLIGHT.growth.limitUnknown;
		} else {
			const limitPerMinute = (this.limit * ROLLING_MINUTE_MS) / this.windowMs;
			const inFlightBound = Math.max(IN_FLIGHT.max, IN_FLIGHT.minuteShare * limitPerMinute);
			this.maxInFlight = Math.min(inFlightBound, this.maxInFlight + IN_FLIGHT.growth.limitKnown);
			if (permit.isTrial) this.recordAcceptedTrial(permit, nowMs);
		}
	}

	private recordAcceptedTrial(permit: Permit, nowMs: number): void {
		// There may be room for more.
		this.nextTrialAtMs = nowMs;
		if (this.isShortWindow() || !this.hasMinuteOfHistory(permit.sentAtMs)) {
			this.stepShare = this.isShortWindow() ? Math.min(STEP.max, 2 * this.stepShare) : STEP.max;
			this.windowMs = Math.max(1, Math.min(this.windowMs, this.measureTimeToLimitMs(permit)));
			this.trialGapMs = this.windowMs;
			return;
		}
		const acceptedInMinute = this.countAcceptedSince(permit.sentAtMs - ROLLING_MINUTE_MS);
		if (acceptedInMinute > this.limit) this.setLimit(acceptedInMinute);
	}

	/** Called for the first request that is accepted after unexpected rejections. */
	private correctEstimate(permit: Permit): void {
		const acceptedCount = Math.max(1, this.countAcceptedSince(permit.sentAtMs - this.windowMs));
		const timeToLimitMs = this.measureTimeToLimitMs(permit);
		const factor = Math.max(1, Math.min(timeToLimitMs / this.windowMs, this.isShortWindow() ? 2 : Infinity));
		if (acceptedCount < this.limit && this.limit / acceptedCount < factor) this.limit = acceptedCount;
		else if (timeToLimitMs <= MAX_WINDOW_MS) this.windowMs = Math.min(MAX_WINDOW_MS, this.windowMs * factor);
		else this.limit = Math.max(1, Math.floor(Math.min(this.rejection.accepted, this.limit) * (1 - STEP.min)));
		const acceptedInMinute = this.countAcceptedSince(permit.sentAtMs - ROLLING_MINUTE_MS);
		const isMinuteRateBetter = acceptedInMinute / ROLLING_MINUTE_MS > this.limit / this.windowMs;
		if (this.isShortWindow() && this.hasMinuteOfHistory(permit.sentAtMs) && isMinuteRateBetter) {
			[this.limit, this.windowMs, this.trialGapMs] = [acceptedInMinute, ROLLING_MINUTE_MS, TRIAL_GAP_MS.max];
		}
	}

	private recordRejected(permit: Permit, nowMs: number): void {
		this.lastRejectionAtMs = nowMs;
		const acceptedInMinute = this.countAcceptedSince(nowMs - ROLLING_MINUTE_MS);
		// If nothing was accepted, others use the API key: that says nothing about the limit.
		if (this.limit === Infinity && acceptedInMinute > 0) this.setLimit(acceptedInMinute);
		else if (permit.isTrial) this.recordRejectedTrial();
		else this.recordUnexpectedRejection(permit, nowMs);
		this.nextTrialAtMs = nowMs + this.trialGapMs;
	}

	private recordRejectedTrial(): void {
		if (this.isShortWindow() && this.stepShare > STEP.min) {
			this.stepShare /= 2;
			this.trialGapMs = 0;
			return;
		}
		const { growth, max } = TRIAL_GAP_MS;
		const previousGapMs = this.trialGapMs > 0 ? this.trialGapMs : 2 * this.windowMs;
		this.trialGapMs = Math.min((this.isShortWindow() ? growth.window : growth.minute) * previousGapMs, max);
	}

	/** Pauses double, up to the average time per request, because rejected requests may use up quota, too. */
	private recordUnexpectedRejection(permit: Permit, nowMs: number): void {
		const acceptedCount = this.countAcceptedSince(permit.sentAtMs - this.windowMs);
		if (this.maxInFlight > 0) this.rejection = { atMs: nowMs, accepted: acceptedCount };
		this.maxInFlight = 0;
		const { min, windowShare, maxFirst, max, maxWithoutLimit } = REJECTION_PAUSE_MS;
		const firstPauseMs = Math.min(Math.max(min, windowShare * this.windowMs), maxFirst);
		const maxPauseMs = Math.max(max, this.limit < Infinity ? this.windowMs / this.limit : maxWithoutLimit);
		const pauseMs = Math.max(firstPauseMs, Math.min(nowMs - this.rejection.atMs, maxPauseMs));
		this.pausedUntilMs = Math.max(this.pausedUntilMs, nowMs + pauseMs);
	}

	/** @param freeAtMs when the next request has room without a trial */
	private findTrialDueAtMs(nowMs: number, freeAtMs: number): number {
		// A short window is shortened in steps, because a much earlier request would be rejected.
		if (this.isShortWindow()) return Math.max(this.nextTrialAtMs, freeAtMs - this.stepShare * this.windowMs);
		// Right after a window was used up, there is much to gain: 40 % of the gap is enough.
		const isWindowUsedUp = this.trialGapMs === TRIAL_GAP_MS.max && freeAtMs - nowMs > 0.75 * this.windowMs;
		if (isWindowUsedUp) return this.nextTrialAtMs - 0.6 * this.trialGapMs;
		// Not worth a trial if there is room soon, unless that is always so.
		return freeAtMs - nowMs > this.trialGapMs / 8 ? this.nextTrialAtMs : this.nextTrialAtMs + this.trialGapMs;
	}

	private setLimit(limit: number): void {
		this.limit = limit;
		this.trialGapMs = Math.min(TRIAL_GAP_MS.perRequest * (limit + 1), TRIAL_GAP_MS.maxFirst);
	}

	private isShortWindow = () => this.windowMs < ROLLING_MINUTE_MS;
	private hasMinuteOfHistory = (nowMs: number) =>
		this.history.length > 0 && this.history[0].sentAtMs <= nowMs - ROLLING_MINUTE_MS;

	/** When the next request has room. */
	private findFreeAtMs(): number {
		const limitingRequest = this.history[this.history.length - this.limit];
		return limitingRequest === undefined ? -Infinity : limitingRequest.sentAtMs + this.windowMs;
	}

	/** Time in which the last {@link limit} accepted requests before this one were sent; Infinity if fewer were. */
	private measureTimeToLimitMs(permit: Permit): number {
		let uncounted = this.limit;
		for (let index = this.history.lastIndexOf(permit) - 1; index >= 0; index--) {
			if (!this.inFlight.has(this.history[index]) && --uncounted === 0)
				return permit.sentAtMs - this.history[index].sentAtMs;
		}
		return Infinity;
	}

	/** Number of accepted requests that were sent after that time. Takes linear time: not for every request. */
	private countAcceptedSince = (sinceMs: number) =>
		this.history.filter((entry) => entry.sentAtMs > sinceMs && !this.inFlight.has(entry)).length;
}
