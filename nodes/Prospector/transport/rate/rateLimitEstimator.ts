/** The limit is "rolling per-minute" (contract, section 8). With a margin for requests that take different times. */
const MINUTE_MS = 60_500;
/** A slot in a service's minute, without the margin. */
const SERVICE_MINUTE_MS = 60_000;
/** Bounds of the estimated window. */
const MAX_WINDOW_MS = 100_000;
const MIN_WINDOW_MS = 10;
/** Requests that may be in flight: at first, after that, and as a share of the requests of a minute. */
const IN_FLIGHT = { initial: 5, usual: 5, share: 0.03 };
/** Requests without a response for this long no longer delay others. */
const MAX_IN_FLIGHT_MS = 10_000;
/** The change of the estimate when nothing better is known, and the first change of a window that is too long. */
const STEP = { min: 1 / 16, first: 1 / 2 };
/** The pause after an unexpected rejection, also as a share of the window; it doubles at the next rejection. */
const PAUSE_MS = { min: 50, first: 1000, max: 7000, shareOfWindow: 0.2 };
/** Milliseconds from a rejection to the next trial: per request that fits at first, and bounds. */
const TRIAL_GAP_MS = { perRequest: 500, maxFirst: 30_000, max: 48_000, growth: { minute: 8, window: 2 } };
/** Right after a window was used up, a trial may be sent when 40 % of the time has passed. */
const EARLY_TRIAL = { windowLeft: 0.75, gapLeft: 0.6 };

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
 * 8). A request may be sent if fewer than {@link limit} requests were sent within the last {@link window}.
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
	private readonly log: Permit[] = [];
	private readonly inFlight = new Set<Permit>();
	private limit = Infinity;
	private window = MINUTE_MS;
	/** How much a trial shortens a short window. */
	private step = STEP.min;
	/** Requests that may be in flight. 0 or less after unexpected rejections: one at a time. */
	private trust = IN_FLIGHT.initial;
	private notBefore = -Infinity;
	private trialAt = Infinity;
	private trialGap = 0;
	private lastRejectionAt = -Infinity;
	/** Requests in the window at the last unexpected rejection. */
	private fitted = 0;

	/** @returns when the next request may be sent: `now` or later, or Infinity if it depends on a request in flight */
	nextAllowedAt(now: number): number {
		if (now < this.notBefore) return this.notBefore;
		const inFlight = [...this.inFlight].filter(({ sentAt }) => now - sentAt < MAX_IN_FLIGHT_MS);
		if (inFlight.length >= Math.max(1, this.trust)) return Infinity;
		const freeAt = this.freeAt();
		if (freeAt <= now) return now;
		const trialAt = this.trialDueAt(now, freeAt);
		if (now < trialAt) return Math.min(freeAt, trialAt);
		// The order in which requests arrive is unknown: a trial must not take the place of another request.
		return inFlight.length > 0 ? freeAt : now;
	}

	recordSent(now: number): Permit {
		const permit = { sentAt: now, isTrial: this.freeAt() > now };
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
			const outdated = this.indexAfter(now - 2 * MAX_WINDOW_MS);
			if (outdated > this.log.length / 2) this.log.splice(0, outdated);
			return;
		}
		this.log.splice(this.log.lastIndexOf(permit), 1);
		if (quotaUse === 'rejected' && isCurrent) this.recordRejected(permit, now);
	}

	private recordAccepted(permit: Permit, now: number): void {
		if (this.trust < 1) {
			if (this.limit < Infinity) this.correct(permit);
			this.trust = 1;
			return;
		}
		const maxTrust = Math.max(IN_FLIGHT.usual, IN_FLIGHT.share * this.countSince(now - MINUTE_MS));
		this.trust = Math.min(maxTrust, this.trust + (this.trust < IN_FLIGHT.usual ? 0.5 : 0.1));
		if (permit.isTrial) this.recordAcceptedTrial(permit, now);
	}

	private recordAcceptedTrial(permit: Permit, now: number): void {
		// There may be room for more.
		this.trialAt = now;
		if (this.isShort() || !this.hasMinute(permit.sentAt)) {
			if (!this.isShort()) this.step = STEP.first;
			this.window = Math.max(MIN_WINDOW_MS, Math.min(this.window, this.ageOfLimit(permit)));
			this.trialGap = this.window;
			return;
		}
		const fits = this.countSince(permit.sentAt - SERVICE_MINUTE_MS);
		if (fits <= this.limit) return;
		this.limit = fits;
		this.trialGap = this.firstTrialGap();
	}

	/** Called for the first request that is accepted after unexpected rejections. */
	private correct(permit: Permit): void {
		const fits = Math.max(1, this.countSince(permit.sentAt - this.window));
		const age = this.ageOfLimit(permit);
		const stretch = Math.max(1, Math.min(age / this.window, this.isShort() ? 2 : Infinity));
		if (fits < this.limit && this.limit / fits < stretch) this.limit = fits;
		else if (age <= MAX_WINDOW_MS) this.window = Math.min(MAX_WINDOW_MS, this.window * stretch);
		else this.limit = Math.max(1, Math.floor(Math.min(this.fitted, this.limit) * (1 - STEP.min)));
		const perMinute = this.countSince(permit.sentAt - MINUTE_MS);
		const isMinuteBetter = perMinute / MINUTE_MS > this.limit / this.window;
		if (!this.isShort() || !this.hasMinute(permit.sentAt) || !isMinuteBetter) return;
		this.limit = perMinute;
		this.window = MINUTE_MS;
		this.trialGap = TRIAL_GAP_MS.max;
	}

	private recordRejected(permit: Permit, now: number): void {
		this.lastRejectionAt = now;
		const fits = this.countSince(now - MINUTE_MS);
		// If nothing was accepted, others use the API key: that says nothing about the limit.
		if (this.limit === Infinity && fits > 0) {
			this.limit = fits;
			this.trialGap = this.firstTrialGap();
		} else if (permit.isTrial) {
			this.recordRejectedTrial();
		} else {
			if (this.trust >= 1) this.fitted = this.countSince(permit.sentAt - this.window);
			this.trust = Math.min(this.trust, 1) - 1;
			const first = Math.max(PAUSE_MS.min, this.window * PAUSE_MS.shareOfWindow);
			const pause = Math.min(Math.min(first, PAUSE_MS.first) * 2 ** -this.trust, PAUSE_MS.max);
			this.notBefore = Math.max(this.notBefore, now + pause);
			this.trialGap = Math.max(this.trialGap, 4 * Math.min(this.window, 5000));
		}
		this.trialAt = now + this.trialGap;
	}

	private recordRejectedTrial(): void {
		if (this.isShort() && this.step > STEP.min) {
			this.step /= 2;
			this.trialGap = 0;
			return;
		}
		const { growth, max } = TRIAL_GAP_MS;
		const gap = this.trialGap > 0 ? this.trialGap : 2 * this.window;
		this.trialGap = Math.min((this.isShort() ? growth.window : growth.minute) * gap, max);
	}

	/** @param freeAt when the next request has room without a trial */
	private trialDueAt(now: number, freeAt: number): number {
		// A short window is shortened in steps, because a much earlier request would be rejected.
		if (this.isShort()) return Math.max(this.trialAt, freeAt - this.step * this.window);
		if (this.trialGap === TRIAL_GAP_MS.max && freeAt - now > EARLY_TRIAL.windowLeft * this.window) {
			return this.trialAt - EARLY_TRIAL.gapLeft * this.trialGap;
		}
		// Not worth a trial if there is room soon, unless that is always so.
		return freeAt - now > this.trialGap / 8 ? this.trialAt : this.trialAt + this.trialGap;
	}

	private firstTrialGap = () => Math.min(TRIAL_GAP_MS.perRequest * this.limit, TRIAL_GAP_MS.maxFirst);

	private isShort = () => this.window < MINUTE_MS;

	private hasMinute = (now: number) => this.log.length > 0 && this.log[0].sentAt <= now - MINUTE_MS;

	/** When the next request has room. */
	private freeAt(): number {
		const last = this.log[this.log.length - this.limit];
		return last === undefined ? -Infinity : last.sentAt + this.window;
	}

	/** Time since as many requests as the limit were accepted before this one. */
	private ageOfLimit(permit: Permit): number {
		let left = this.limit;
		for (let i = this.log.lastIndexOf(permit) - 1; i >= 0; i--) {
			if (!this.inFlight.has(this.log[i]) && --left === 0) return permit.sentAt - this.log[i].sentAt;
		}
		return Infinity;
	}

	/** Number of accepted requests that were sent after that time. */
	private countSince(time: number): number {
		const inFlight = [...this.inFlight].filter(({ sentAt }) => sentAt > time);
		return this.log.length - this.indexAfter(time) - inFlight.length;
	}

	/** Returns the index of the first request that was sent after that time. */
	private indexAfter(time: number): number {
		let [low, high] = [0, this.log.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.log[middle].sentAt <= time) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
