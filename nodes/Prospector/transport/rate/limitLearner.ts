import type { RateReport } from './rateReport';
import { RollingWindow, WINDOW } from './rollingWindow';
import { isUsualLimit } from './usualLimit';

/** A request under way. */
export interface Ticket {
	sentAt: number;
	/** More than the limit that was learned. */
	isProbe: boolean;
	/** More than what has been seen to fit. */
	isRisky: boolean;
	/** No other may be under way with it. */
	isAlone: boolean;
}

/**
 * What became of a request: `accepted` counts against the limit, whatever the answer; `refused` is a 429; `unsent`
 * never reached the service.
 */
export type Verdict = 'accepted' | 'refused' | 'unsent';

/** Milliseconds for which a slot stays empty after it should be free: the service's clock may differ. */
const MARGIN = { least: 25, most: 1500, growth: 4 };

/** Windows until more than the learned limit is tried, which costs a refused request if the limit still holds. */
const PROBE_AFTER = { undisturbed: 2, others: 2.5, nothing: 1 };

/** Milliseconds: what was sent in one go leaves the window in one go, and its places are then taken again. */
const AFTER_BURST = 5000;

/** Probes accepted in a row after which the learned limit is taken for outdated. */
const OUTDATED = 8;

/** Milliseconds without refusal after which one more risky request may be under way. */
const TRUST = 1500;

/** Requests accepted in a row after which a surprise is over. */
const CALM = 16;

/** Milliseconds after a surprising refusal in which others are taken to use the same key. */
const MEMORY_OF_OTHERS = 10 * WINDOW;

/** What is left of the count of accepted requests, as a limit, after that many surprising refusals in a row. */
const CUT = [1, 0.9, 0.25];

/**
 * Learns a rolling limit from what was accepted and what was refused: the contract shows neither its number nor any
 * header (section 8). What was accepted within a window is known to fit; beyond it, few requests are under way at a
 * time, so that few are refused when the limit is met.
 */
export class LimitLearner {
	private readonly window = new RollingWindow();
	private readonly underWay = new Set<Ticket>();
	/** As learned; Infinity before the first refusal. */
	private limit = Infinity;
	/** So many were accepted within one window. */
	private proven = 0;
	private margin = MARGIN.least;
	private marginSince = -Infinity;
	/** A refusal in spite of a free slot is put down to the service's clock, unless that was tried in vain before. */
	private blamesClockFrom = -Infinity;
	private pausedUntil = -Infinity;
	/** When more than the learned limit is tried. */
	private nextProbe = -Infinity;
	/** When the window began to fill. */
	private emptyAt = -Infinity;
	/** What was sent with the key before is unknown. */
	private watchedFrom = Infinity;
	private refusedAt = -Infinity;
	/** Refusals although there should have been room, without {@link CALM} since. */
	private surprises = 0;
	private surprisedAt = -Infinity;
	private isCautious = false;
	/** The first request that was accepted since the last refusal. */
	private trustedSince = Infinity;
	private acceptedInARow = 0;
	private probesInARow = 0;
	private believesReports = true;
	/** When the service last named a time that was news. */
	private wasToldAt = -Infinity;

	constructor(private readonly random: () => number = Math.random) {}

	/** When nothing is known any more that could hold a request back. */
	idleFrom(now: number): number {
		if (this.underWay.size > 0) return Infinity;
		return this.held(now) > 0 ? now + WINDOW + this.margin : Math.max(this.pausedUntil, now);
	}

	/**
	 * When the next request may be sent.
	 *
	 * @returns `now` or a later time; Infinity where that depends on a request under way
	 */
	opensAt(now: number): number {
		if (now < this.pausedUntil) return this.pausedUntil;
		if (this.some('isAlone')) return Infinity;
		const held = this.held(now);
		if (held >= this.limit && now < this.nextProbe) {
			return Math.min(this.window.nextLeaves(now, this.margin), this.nextProbe);
		}
		return this.mayGo(held, now) ? now : Infinity;
	}

	/** Notes that a request is on its way. */
	sent(now: number): Ticket {
		const held = this.held(now);
		if (held === 0) this.emptyAt = now;
		this.watchedFrom = Math.min(this.watchedFrom, now);
		const isRisky = this.isRisky(held);
		const isAlone = isRisky && this.isThreshold(held, now);
		const ticket = { sentAt: now, isProbe: held >= this.limit, isRisky, isAlone };
		this.underWay.add(ticket);
		return ticket;
	}

	/** Notes what became of it, and what the service told of its limit. */
	answered(ticket: Ticket, now: number, verdict: Verdict, report: RateReport = {}): void {
		this.underWay.delete(ticket);
		if (verdict === 'accepted') this.onAccepted(ticket, now);
		if (verdict === 'refused') this.onRefused(ticket, now, report);
		this.obey(now, report);
	}

	/** Requests that take a place: a probe does so only when it was accepted. */
	private held(now: number): number {
		let held = this.window.count(now, this.margin);
		for (const { isProbe } of this.underWay) if (!isProbe) held++;
		return held;
	}

	private some(what: 'isAlone' | 'isProbe'): boolean {
		for (const ticket of this.underWay) if (ticket[what]) return true;
		return false;
	}

	private isRisky(held: number): boolean {
		return this.isCautious || held >= this.proven;
	}

	private mayGo(held: number, now: number): boolean {
		if (!this.isRisky(held)) return true;
		if (this.isThreshold(held, now)) return this.underWay.size === 0;
		if (held >= this.limit) return !this.some('isProbe');
		const lanes = 1 + Math.floor(Math.max(0, now - this.trustedSince) / TRUST);
		let risky = 0;
		for (const { isRisky } of this.underWay) if (isRisky) risky++;
		return risky < lanes;
	}

	/** Whether one more would pass a usual limit, while the window still fills: then one refusal is enough to know. */
	private isThreshold(held: number, now: number): boolean {
		const fills = now - this.emptyAt < WINDOW;
		// With slow answers, waiting for each of them would cost more than a few refusals.
		return fills && this.window.roundTrip < 1000 && isUsualLimit(held);
	}

	private onAccepted({ sentAt, isProbe, isRisky }: Ticket, now: number): void {
		this.window.add(sentAt, now);
		this.trustedSince = Math.min(this.trustedSince, now);
		const fits = this.window.count(now);
		this.proven = Math.max(this.proven, fits);
		this.limit = Math.max(this.limit, fits);
		if (isRisky) this.acceptedInARow++;
		if (this.acceptedInARow >= Math.min(CALM, this.limit)) {
			this.isCautious = false;
			this.surprises = 0;
		}
		if (isProbe && ++this.probesInARow === OUTDATED) {
			this.limit = Infinity;
			this.startOver();
		}
		if (now - this.marginSince > 5 * WINDOW) this.setMargin(this.margin / 2, now);
	}

	private onRefused({ sentAt, isProbe }: Ticket, now: number, { remaining }: RateReport): void {
		this.startOver();
		// Sent before an earlier refusal was known: it tells nothing new.
		if (sentAt < this.refusedAt) return;
		this.refusedAt = now;
		if (remaining !== 0) this.believesReports = false;
		const fits = this.window.count(now);
		if (isProbe || this.limit === Infinity) return this.learn(Math.min(fits, this.limit), now);

		// There should have been room: a clock differs, others use the same key, or the limit was lowered.
		this.isCautious = true;
		this.surprisedAt = now;
		const isEarly = sentAt - this.window.lastLeft(sentAt, this.margin) < MARGIN.most;
		if (isEarly && now >= this.blamesClockFrom && this.margin < MARGIN.most) {
			this.setMargin(this.margin * MARGIN.growth, now);
			this.pausedUntil = Math.max(this.pausedUntil, now + this.margin);
			this.nextProbe = Math.max(this.nextProbe, now + WINDOW);
			return;
		}
		if (isEarly && this.margin === MARGIN.most) {
			// It was not the clock.
			this.setMargin(MARGIN.least, now);
			this.blamesClockFrom = now + MEMORY_OF_OTHERS;
		}
		this.surprises++;
		this.learn(Math.floor(fits * (CUT[this.surprises - 1] ?? CUT[CUT.length - 1])), now);
		// What was perhaps cut too far is mended at once.
		const over = this.window.count(now, this.margin) - this.limit;
		if (this.surprises >= CUT.length)
			this.nextProbe = over > 0 ? this.window.nextLeaves(now, this.margin, over) : now;
	}

	private learn(limit: number, now: number): void {
		this.limit = limit;
		this.proven = Math.min(this.proven, limit);
		const { nothing, others, undisturbed } = PROBE_AFTER;
		const disturbed = now - this.surprisedAt < MEMORY_OF_OTHERS;
		const windows = limit === 0 ? nothing : disturbed ? others : undisturbed;
		// Spread, so that several processes do not try in the same moment.
		this.nextProbe = now + windows * WINDOW * (0.9 + 0.2 * this.random());
		// What others had sent before this process began has left the window by the time that all of it was watched.
		const watched = this.watchedFrom + WINDOW + AFTER_BURST;
		if (now < watched) this.nextProbe = Math.min(this.nextProbe, watched);
	}

	/** What the service tells counts for more than what was learned, until a refusal shows that it means something else. */
	private obey(now: number, { retryAfter, limit = Infinity, remaining, reset }: RateReport): void {
		if (retryAfter !== undefined) {
			this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
			// Sooner than what was sent from here leaves the window: others had filled it, and only the service knows.
			const isNews = this.window.nextLeaves(now, this.margin) - this.pausedUntil > MARGIN.most;
			if (isNews && now - this.wasToldAt > WINDOW / 2) {
				this.wasToldAt = now;
				this.nextProbe = Math.min(this.nextProbe, this.pausedUntil);
			}
		}
		if (remaining === undefined || !this.believesReports) return;
		const held = this.held(now);
		this.limit = Math.min(limit, held + remaining);
		this.proven = this.limit;
		this.nextProbe = now + PROBE_AFTER.undisturbed * WINDOW;
		// Others took the rest: when that is free again cannot be seen from here.
		if (remaining === 0 && held < limit && reset !== undefined) {
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(reset, WINDOW));
			this.nextProbe = this.pausedUntil;
		}
	}

	private startOver(): void {
		this.acceptedInARow = 0;
		this.probesInARow = 0;
		this.trustedSince = Infinity;
	}

	private setMargin(margin: number, now: number): void {
		this.margin = Math.min(Math.max(margin, MARGIN.least), MARGIN.most);
		this.marginSince = now;
	}
}
