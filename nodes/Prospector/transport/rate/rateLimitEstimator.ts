// Estimates the service's rate limit from what it accepts and rejects (docs/decisions/0001-rate-limiter.md). Used by
// the rate limiter; it has no side effects besides its own state.
import { isStatus, wasNotSent } from '../../api/failure/evidence';
import type { Failure } from '../../api/failure/failure';
import type { NoFailure } from '../../api/response';

/** The limit is "rolling per-minute" (contract, section 8). The margin is for requests that take different times. */
const WINDOW_MS = 60_500;
/** Requests in flight: three at first, a fourth after three responses; each for `timeoutMs` at most (decisions/0001). */
export const IN_FLIGHT = { first: 2.9, growth: 0.05, timeoutMs: 10_000 };
/**
 * The gap between a rejection and the next trial is at first `perRequestMs` per request of the limit, at most `maxFirstMs`.
 * It becomes longer by `growth` steps, or shorter by one. The step is a share of the gap: 1 until it was made shorter.
 */
const TRIAL_GAP = { perRequestMs: 500, maxFirstMs: 31_000, maxStep: 1 / 2, growth: 3.5 };
/**
 * If at most `maxTrials` are accepted before one is rejected, the limit is a pace: the time per request. Each accepted one
 * makes it shorter by a step, an unexpected rejection longer by `growth` steps. The step, a share of the pace, doubles
 * after `successes` accepted requests in a row, and halves at an unexpected rejection (decisions/0001).
 */
const PACE = { maxTrials: 5, minMs: 5, successes: 8, growth: 8, minStep: 1 / 64, maxStep: 1 / 2 };
/**
 * Pauses after unexpected rejections double. Without success for `longMs` or four times the pace, what was accepted in
 * the last minute becomes the limit. One request every `testMs` tests whether a pause is needed (decisions/0001).
 */
const BACK_OFF = { minMs: 50, maxFirstMs: 250, maxMs: 10_000, longMs: 5000, testMs: 60_000 };

/** Requests that were accepted this shortly before a rejected one was sent show that the API key was below its limit. */
const MIN_RECENT_MS = 2000;
const MAX_SCOPES = 1000;

/** A request that may be sent. The estimator forgets it once it has been rejected, or was not sent. */
export interface Permit extends NoFailure {
	readonly sentAtMs: number;
	/** What a rejection can be about instead of the API key: its endpoint, and its path. */
	readonly scopes: readonly string[];
	/** Exceeds the estimated limit, so that a rejection is expected. */
	readonly isTrial: boolean;
}

/**
 * Tells a rejection of the API key from one of a path or an endpoint, which are the scopes of a request. A rejection concerns
 * only a scope if that was rejected before, and requests of other scopes were accepted since then, and recently.
 */
class RejectionScopes {
	private acceptedCount = 0;
	private acceptedSentAtMs = -Infinity;
	private rejectedSentAtMs = -Infinity;
	/** By scope: {@link acceptedCount} when it was rejected first. A scope is forgotten when a request of it is accepted. */
	readonly countWhenRejected = new Map<string, number>();

	/** @returns whether the request was sent after all rejected ones, so that the API key has room */
	recordAccepted(scopes: readonly string[], sentAtMs: number): boolean {
		this.acceptedSentAtMs = Math.max(this.acceptedSentAtMs, sentAtMs);
		if (sentAtMs <= this.rejectedSentAtMs) return false;
		this.acceptedCount++;
		for (const scope of scopes) this.countWhenRejected.delete(scope);
		return true;
	}

	/** @returns whether the rejection concerns only the path or the endpoint of the request */
	recordRejected({ scopes, sentAtMs }: Permit, recentMs: number): boolean {
		const hadRoom = this.acceptedSentAtMs > sentAtMs - Math.max(recentMs, MIN_RECENT_MS);
		const counts = this.countWhenRejected;
		const isScoped = hadRoom && scopes.some((scope) => (counts.get(scope) ?? Infinity) < this.acceptedCount);
		for (const scope of scopes) if (!counts.has(scope)) counts.set(scope, this.acceptedCount);
		const [oldestScope] = counts.keys();
		if (counts.size > MAX_SCOPES) counts.delete(oldestScope);
		this.rejectedSentAtMs = Math.max(this.rejectedSentAtMs, sentAtMs);
		return isScoped;
	}
}

/**
 * Estimates a limit of any shape: the contract names neither the limit nor any header (section 8). The first rejection shows
 * a limit per minute: what was accepted in the last one. Now and then, a trial exceeds the limit. If a trial is rejected
 * after only a few accepted ones, a pace replaces the limit: the time per request, which shrinks with each accepted request
 * and grows faster at a rejection. An unexpected rejection sets a pace beside the limit, too, and growing pauses begin.
 */
export class RateLimitEstimator {
	/** Accepted requests and those in flight, of 1.5 minutes: a result can be about the minute before an earlier request. */
	private sentPermits: Permit[] = [];
	/** Without any, no response can make the time of {@link nextAllowedAtMs} earlier. */
	readonly inFlight = new Set<Permit>();
	private maxInFlight = IN_FLIGHT.first;
	/** Requests per minute. */
	private limit = Infinity;
	/** A request beyond the limit is due `gapMs` after a rejected one. The gap changes by the share `step`. */
	private readonly trial = { dueAtMs: Infinity, gapMs: 0, step: 1, acceptedCount: 0 };
	/** Time between requests, which changes by the share `step`. Accepted requests count since the last rejection. */
	private readonly pace = { ms: 0, step: PACE.maxStep, acceptedCount: 0 };
	/** Pauses of `ms`, from an unexpected rejection until a later request is accepted. */
	private readonly backOff = { isActive: false, sinceMs: 0, ms: 0 };
	/** The end of a pause after a rejection, or of one for which Retry-After has asked. */
	private pausedUntilMs = -Infinity;
	/** When a request tests whether the pause is needed. */
	private testDueAtMs = -Infinity;
	private rejectionReceivedAtMs = -Infinity;
	private readonly rejectionScopes = new RejectionScopes();

	/** Time between requests that the estimated limit permits; 0 without one. An unexpected rejection sets a pace, too. */
	msPerRequest = () => Math.max(WINDOW_MS / this.limit, this.pace.ms);

	/** The lowest is sent first. For a trial, the scopes should have no rejection, so that one would be about the API key. */
	rankOf = (scopes: readonly string[], nowMs: number) =>
		this.isTrial(nowMs) ? scopes.filter((one) => this.rejectionScopes.countWhenRejected.has(one)).length : 0;

	/** @returns when the next request may be sent: `nowMs` or later, or Infinity if it depends on a request in flight */
	nextAllowedAtMs(nowMs: number): number {
		// Checks a pause first, then the requests in flight, the pace, the limit per minute, and whether a trial is due.
		const mustTest = this.inFlight.size === 0 && nowMs > this.testDueAtMs;
		if (nowMs < this.pausedUntilMs && !mustTest) return this.pausedUntilMs;
		const isRecent = ({ sentAtMs }: Permit) => nowMs - sentAtMs < IN_FLIGHT.timeoutMs;
		const inFlightCount = [...this.inFlight].filter(isRecent).length;
		if (inFlightCount >= (this.backOff.isActive ? 1 : this.maxInFlight)) return Infinity;
		const pacedAtMs = Math.max(nowMs, (this.sentPermits.at(-1)?.sentAtMs ?? -Infinity) + this.pace.ms);
		const freeAtMs = this.findFreeAtMs();
		if (freeAtMs <= pacedAtMs) return pacedAtMs;
		if (this.trial.dueAtMs > nowMs) return Math.min(freeAtMs, this.trial.dueAtMs);
		// A trial tests the pace, too. Requests can arrive in another order, so a rejected neighbour would be mistaken for the
		// trial: trials start alone, and each accepted one doubles how many requests may be in flight.
		return inFlightCount >= 2 ** this.trial.acceptedCount ? Infinity : nowMs;
	}

	recordSent(nowMs: number, scopes: readonly string[]): Permit {
		const permit = { sentAtMs: nowMs, isTrial: this.isTrial(nowMs), scopes };
		while (this.sentPermits[0]?.sentAtMs < nowMs - 1.5 * WINDOW_MS) this.sentPermits.shift();
		this.sentPermits.push(permit);
		this.inFlight.add(permit);
		return permit;
	}

	/** @param failure absent for a success @returns as {@link RejectionScopes.recordRejected} does */
	recordResult(permit: Permit, nowMs: number, failure?: Failure): boolean {
		const isRejected = isStatus(failure, 429);
		const isUnsent = failure !== undefined && wasNotSent(failure);
		this.inFlight.delete(permit);
		// Everything else counts as accepted, even a lost response: it may have used up quota.
		if (isRejected || isUnsent) this.sentPermits = this.sentPermits.filter((entry) => entry !== permit);
		const isScoped = isRejected && this.rejectionScopes.recordRejected(permit, 2 * this.pace.ms);
		if (isScoped) return true;
		if (isUnsent) return false;
		// Retry-After after 503, and after a 429 that is about the API key, delays other requests, too.
		const retryAfterMs = (isStatus(failure, 429, 503) && failure?.retryAfterMs) || 0;
		// A 503 with Retry-After uses up quota, so it counts as accepted. But it does not end a pause.
		if (!isRejected) this.recordAccepted(permit, nowMs, retryAfterMs === 0);
		// One that was sent before the last rejection was known shows nothing new.
		else if (permit.sentAtMs > this.rejectionReceivedAtMs) this.recordRejected(permit, nowMs);
		if (retryAfterMs > 0) {
			this.testDueAtMs = nowMs + BACK_OFF.testMs;
			this.pausedUntilMs = Math.max(this.pausedUntilMs, nowMs + retryAfterMs);
		}
		return false;
	}

	private recordAccepted(permit: Permit, nowMs: number, mayEndPause: boolean): void {
		const { pace, trial, backOff } = this;
		const wasSentAfterRejected = this.rejectionScopes.recordAccepted(permit.scopes, permit.sentAtMs);
		if (wasSentAfterRejected) backOff.isActive = false;
		if (wasSentAfterRejected && mayEndPause) this.pausedUntilMs = nowMs;
		this.maxInFlight += IN_FLIGHT.growth;
		// One that was sent before the last rejection was known says nothing about the pace, but the limit may be higher.
		if (permit.sentAtMs <= this.rejectionReceivedAtMs) {
			if (this.limit < Infinity) this.limit = Math.max(this.limit, this.countAccepted(nowMs));
			if (wasSentAfterRejected) trial.dueAtMs = Math.min(trial.dueAtMs, nowMs);
			return;
		}
		pace.acceptedCount++;
		if (pace.acceptedCount % PACE.successes === 0) pace.step = Math.min(PACE.maxStep, 2 * pace.step);
		if (pace.ms > 0) pace.ms = Math.max(PACE.minMs, pace.ms * (1 - pace.step));
		if (!permit.isTrial) return;
		this.limit = Math.max(this.limit, this.countAccepted(permit.sentAtMs));
		// There may be room for more.
		trial.dueAtMs = nowMs;
		trial.acceptedCount++;
	}

	private recordRejected(permit: Permit, nowMs: number): void {
		const acceptedInMinute = this.countAccepted(nowMs);
		this.rejectionReceivedAtMs = nowMs;
		this.testDueAtMs = nowMs + BACK_OFF.testMs;
		// The limit is what was accepted. If nothing was, other users of the API key have used up the quota.
		if (this.limit === Infinity && this.pace.ms === 0 && acceptedInMinute > 0)
			this.setLimit(acceptedInMinute, nowMs);
		else if (permit.isTrial) this.recordRejectedTrial(nowMs);
		else this.recordUnexpectedRejection(nowMs, acceptedInMinute);
		this.trial.acceptedCount = this.pace.acceptedCount = 0;
	}

	private recordRejectedTrial(nowMs: number): void {
		const { trial, pace } = this;
		this.backOff.isActive = false;
		if (trial.acceptedCount === 0) {
			// The limit is right, so trials become rarer.
			trial.gapMs = Math.min(trial.gapMs * (1 + TRIAL_GAP.growth * trial.step), WINDOW_MS);
			if (trial.step < 1) trial.step /= 2;
		} else if (trial.acceptedCount <= PACE.maxTrials) {
			// It is a pace: the mean time between the trials and the accepted request before them.
			const isAccepted = (permit: Permit) => !this.inFlight.has(permit);
			const accepted = this.sentPermits.filter(isAccepted).slice(-trial.acceptedCount - 1);
			const timeMs = (accepted.at(-1)?.sentAtMs ?? 0) - (accepted[0]?.sentAtMs ?? 0);
			const paceMs = Math.min(timeMs / trial.acceptedCount, WINDOW_MS / this.limit);
			Object.assign(pace, { ms: Math.max(PACE.minMs, paceMs), step: PACE.maxStep });
			this.limit = Infinity;
		} else {
			// The limit was too low, so trials become more frequent.
			trial.step = Math.min(trial.step, TRIAL_GAP.maxStep);
			trial.gapMs *= 1 - trial.step;
		}
		trial.dueAtMs = nowMs + trial.gapMs;
	}

	/** Pauses double, because rejected requests may use up quota, too. */
	private recordUnexpectedRejection(nowMs: number, acceptedInMinute: number): void {
		const { pace, backOff } = this;
		if (backOff.isActive) {
			backOff.ms = Math.min(2 * backOff.ms, BACK_OFF.maxMs);
		} else {
			// An eighth of the limit's time per request; with only a pace, the shortest pause.
			const pauseMs = Math.min(Math.max(BACK_OFF.minMs, WINDOW_MS / this.limit / 8), BACK_OFF.maxFirstMs);
			backOff.ms = this.msPerRequest() > 0 ? pauseMs : BACK_OFF.maxFirstMs;
			pace.step = Math.max(PACE.minStep, pace.step / 2);
			pace.ms = Math.max(PACE.minMs, pace.ms * (1 + Math.min(1, PACE.growth * pace.step)));
			Object.assign(backOff, { isActive: true, sinceMs: nowMs });
		}
		// Without any accepted request, there is no limit to see.
		if (nowMs - backOff.sinceMs > Math.max(BACK_OFF.longMs, 4 * pace.ms) && acceptedInMinute > 0) {
			backOff.isActive = false;
			this.setLimit(acceptedInMinute, nowMs);
		}
		this.pausedUntilMs = Math.max(this.pausedUntilMs, nowMs + backOff.ms);
	}

	private setLimit(limit: number, nowMs: number): void {
		const gapMs = Math.min(TRIAL_GAP.perRequestMs * (limit + 1), TRIAL_GAP.maxFirstMs);
		this.limit = limit;
		Object.assign(this.trial, { gapMs, dueAtMs: nowMs + gapMs, step: 1 });
	}

	/** When the limit per minute has room for a request: a minute after the one that was sent `limit` requests ago, if any. */
	private findFreeAtMs = () => (this.sentPermits.at(-this.limit)?.sentAtMs ?? -Infinity) + WINDOW_MS;
	private isTrial = (nowMs: number) => this.findFreeAtMs() > nowMs;

	/** Number of accepted requests in the minute before that time. Takes linear time: not for every request. */
	private countAccepted = (untilMs: number) =>
		this.sentPermits.filter((entry) => entry.sentAtMs > untilMs - WINDOW_MS && !this.inFlight.has(entry))
			.length;
}
