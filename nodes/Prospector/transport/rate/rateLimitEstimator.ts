import type { RateLimitHeaders } from './rateLimitHeaders';

/** The limit is "rolling per-minute" (contract, section 8). */
const WINDOW_MS = 60_000;
/** A slot is used again after a window and this margin: the service's minute may be longer, or requests may be slow. */
const SLOT_MS = WINDOW_MS + 1000;
/** The service counts a request at most this long after it was sent, even if the response takes longer. */
const MAX_ARRIVAL_MS = 1000;
/** Requests without a response for this long no longer delay others. */
const MAX_IN_FLIGHT_MS = 10_000;

/** Trust at first. It grows in small steps, up to a share of the limit, so that few requests exceed the limit. */
const TRUST = { initial: 5, step: 0.1, maxShare: 0.03 };
/** Share of the limit that is left to other processes after the first rejection, and the most requests. */
const FIRST_YIELD = { share: 0.3, max: 20 };
/** If less than 90 % of what fitted before fits, others seem to use the API key, and 3 % are left to them. */
const SHARED = { belowShare: 0.9, keptShare: 0.97 };
/** Time after a rejection until the limit is probed, and how much more at random, so that processes differ. */
const PROBE_MS = {
	nothingFits: [60_000, 600],
	stillNothingFits: [48_000, 24_000],
	first: [61_000, 4000],
	later: [86_000, 50_000],
};
/** Accepted probes follow each other at six times the rate of the limit, and this many requests per window. */
const PROBE_RATE = 30;
/** Probes follow Retry-After only if there was no other rejection for this long. */
const RETRY_AFTER_TTL_WINDOWS = 10;
/** The pause after an unexpected rejection; it doubles if the next request is rejected, too. */
const PAUSE_MS = { min: 1000, max: 15_000 };

/** A request in flight. */
export interface Permit {
	sentAt: number;
	/** Exceeds the estimated limit, so that a rejection is expected. */
	isProbe: boolean;
}

/** Whether a request used up quota: `rejected` means 429, `notSent` that it never reached the service. */
export type QuotaUse = 'counted' | 'rejected' | 'notSent';

/**
 * Estimates a rolling rate limit from accepted and rejected requests: the contract names no limit and no headers
 * (section 8). All times are milliseconds of one clock.
 */
export class RateLimitEstimator {
	/** When the service counted the accepted requests, ascending. */
	private readonly countedAt: number[] = [];
	private readonly inFlight = new Set<Permit>();
	/** Requests per window known to fit, and how many fitted at the last rejection. */
	private limit = 0;
	private lastFits = 0;
	/** Unproven requests that may be in flight. 0 or less after unexpected rejections: one request at a time. */
	private trust = TRUST.initial;
	private nextProbeAt = -Infinity;
	private pausedUntil = -Infinity;
	private lastRejectionAt = -Infinity;

	constructor(private readonly random: () => number = Math.random) {}

	/** @returns when the next request may be sent: `now` or later, or Infinity if it depends on a request in flight */
	nextAllowedAt(now: number): number {
		if (now < this.pausedUntil) return this.pausedUntil;
		const isCurrent = ({ sentAt }: Permit) => sentAt > this.lastRejectionAt;
		if (this.trust <= 0 && this.countInFlight(now, isCurrent) > 0) return Infinity;
		const excess = this.slotsInUse(now) - this.limit;
		if (excess < 0) return now;
		if (now < this.nextProbeAt) {
			const expiring = this.countedAt[this.firstWithin(now, SLOT_MS) + excess] ?? Infinity;
			return Math.min(this.nextProbeAt, expiring + SLOT_MS);
		}
		return this.countInFlight(now, ({ isProbe }) => isProbe) < Math.max(1, this.trust) ? now : Infinity;
	}

	recordSent(now: number): Permit {
		const permit = { sentAt: now, isProbe: this.slotsInUse(now) >= this.limit };
		this.inFlight.add(permit);
		return permit;
	}

	recordResult(permit: Permit, now: number, quotaUse: QuotaUse, headers: RateLimitHeaders = {}): void {
		this.inFlight.delete(permit);
		// Requests sent before the last rejection was known say nothing new.
		const isCurrent = permit.sentAt > this.lastRejectionAt;
		if (quotaUse === 'counted') this.recordCounted(permit, now, isCurrent);
		if (quotaUse === 'rejected' && isCurrent) this.recordRejected(permit, now, headers);
		this.applyHeaders(now, headers);
	}

	private recordCounted({ sentAt, isProbe }: Permit, now: number, isCurrent: boolean): void {
		const time = Math.min(now, sentAt + MAX_ARRIVAL_MS);
		let index = this.countedAt.length;
		while (index > 0 && this.countedAt[index - 1] > time) index--;
		this.countedAt.splice(index, 0, time);
		const fits = index + 1 - this.firstWithin(time, WINDOW_MS);
		const known = Math.max(this.limit, this.lastFits);
		const isProof = fits > known && this.trust < Math.max(TRUST.initial, fits * TRUST.maxShare);
		if (isCurrent) this.trust = Math.max(this.trust, 1) + (isProof ? TRUST.step : 0);
		if (isCurrent && isProbe) {
			this.limit = Math.min(this.limit + 1, Math.max(fits, known));
			// Step by step, so that processes that find room at the same time share it.
			const step = (WINDOW_MS / (6 * known + PROBE_RATE)) * (0.5 + this.random());
			if (this.lastRejectionAt > -Infinity) this.nextProbeAt = Math.max(this.nextProbeAt, now + step);
		}
		const outdated = this.firstWithin(now, 2 * WINDOW_MS);
		if (outdated > this.countedAt.length / 2) this.countedAt.splice(0, outdated);
	}

	private recordRejected({ isProbe }: Permit, now: number, headers: RateLimitHeaders): void {
		const { retryAfter = Infinity } = headers;
		const windowsSinceLast = (now - this.lastRejectionAt) / WINDOW_MS;
		this.lastRejectionAt = now;
		this.trust = Math.min(this.trust, 1);
		const fits = isProbe ? this.limit : this.countedAt.length - this.firstWithin(now, WINDOW_MS);
		if (!isProbe) {
			this.trust--;
			const pause = Math.min(PAUSE_MS.min * 2 ** -this.trust, PAUSE_MS.max);
			this.pausedUntil = Math.max(this.pausedUntil, now + pause);
		}
		const isFirst = windowsSinceLast === Infinity;
		// Others use the API key, too, or the limit was lowered.
		const isShared = !isFirst && (!isProbe || fits < this.lastFits * SHARED.belowShare);
		if (isFirst) this.limit = fits - Math.min(Math.floor(fits * FIRST_YIELD.share), FIRST_YIELD.max);
		else this.limit = isShared ? Math.max(Math.min(fits, 1), Math.floor(fits * SHARED.keptShare)) : fits;
		this.lastFits = fits;
		const nothing = windowsSinceLast > 1.2 ? 'nothingFits' : 'stillNothingFits';
		const [least, spread] = PROBE_MS[this.limit === 0 ? nothing : isFirst ? 'first' : 'later'];
		this.nextProbeAt = now + least + spread * this.random();
		// If the service has room well before one of our slots is free, others have used up the limit.
		const oldest = this.countedAt[this.firstWithin(now, WINDOW_MS)] ?? Infinity;
		const isSooner = retryAfter < oldest - now + WINDOW_MS - 1000;
		if (isSooner && windowsSinceLast >= RETRY_AFTER_TTL_WINDOWS)
			this.nextProbeAt = now + retryAfter + PROBE_MS.nothingFits[1] * this.random();
	}

	private applyHeaders(now: number, headers: RateLimitHeaders): void {
		const { retryAfter = 0, limit = Infinity, remaining, reset } = headers;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
		if (remaining === undefined) return;
		const stated = Math.min(limit, this.slotsInUse(now) + remaining);
		// Headers that a rejection has contradicted may mean something else.
		const isContradicted = this.lastRejectionAt > -Infinity;
		this.limit = isContradicted ? Math.min(this.limit, stated) : stated;
		if (isContradicted) return;
		const isUsedByOthers = remaining === 0 && stated < limit && reset !== undefined;
		this.nextProbeAt = now + (isUsedByOthers ? Math.min(reset, WINDOW_MS) : 2 * WINDOW_MS);
	}

	/** Requests that the service counts at present, or may count. */
	private slotsInUse(now: number): number {
		return this.countedAt.length - this.firstWithin(now, SLOT_MS) + this.countInFlight(now);
	}

	private countInFlight(now: number, isRelevant: (permit: Permit) => boolean = () => true): number {
		const isCounted = (permit: Permit) => now - permit.sentAt < MAX_IN_FLIGHT_MS && isRelevant(permit);
		return [...this.inFlight].filter(isCounted).length;
	}

	/** Returns the index of the first counted request that is younger than `age`. */
	private firstWithin(now: number, age: number): number {
		let [low, high] = [0, this.countedAt.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.countedAt[middle] + age <= now) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
