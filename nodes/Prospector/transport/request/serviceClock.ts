import { DAY_MS, MINUTE_MS, parseTimestamp } from '../../utils';

/** Differences up to this are measuring errors. */
const MEASURING_TOLERANCE_MS = 2000;
/** Two measurements with a smaller difference agree. */
const MAX_OFFSET_DIFFERENCE_MS = MINUTE_MS;
/** A larger difference between two clocks is a defect of one. */
const MAX_CLOCK_OFFSET_MS = DAY_MS;

/** What the last poll knew about the clocks. */
export interface ClockState {
	/** The service's clock minus n8n's. */
	clockOffsetMs: number;
	/** Another difference, which only the last poll has seen. */
	unconfirmedOffsetMs?: number;
	/** When the last poll took place, on the service's clock. */
	lastPollAtMs: number;
}

/**
 * The service's clock, as its `Date` headers show it. One header changes nothing: a difference counts when a second poll
 * has seen it, or a second response in the first poll. Until then, the time that is nearer to the last poll's is taken,
 * because n8n's clock may have jumped.
 */
export class ServiceClock {
	readonly nextState: Omit<ClockState, 'lastPollAtMs'>;
	/** Whether two polls have seen the same change. */
	hasOffsetChanged = false;
	/** The service's clock minus n8n's, for this poll. */
	offsetMs: number;
	private isOffsetFinal = false;
	private readonly pollStartedAtWallClockMs: number;
	private earliestNowMs: number;

	/** @param lastState undefined for the first poll */
	constructor(
		private readonly wallClock: { now(): number },
		private readonly lastState?: ClockState,
	) {
		this.pollStartedAtWallClockMs = wallClock.now();
		this.earliestNowMs = lastState?.lastPollAtMs ?? -Infinity;
		this.offsetMs = lastState?.clockOffsetMs ?? 0;
		this.nextState = { clockOffsetMs: this.offsetMs };
	}

	/** Milliseconds since the epoch; not before the last poll, unless two polls have seen that the clock was ahead. */
	now = (): number => Math.max(this.wallClock.now() + this.offsetMs, this.earliestNowMs);

	/** The later of the times that the two clocks show: what is later is in the future on both. */
	latestNow = (): number =>
		Math.max(this.now(), this.wallClock.now() + (this.nextState.unconfirmedOffsetMs ?? this.offsetMs));

	pollStartedAtMs = (): number => this.pollStartedAtWallClockMs + this.offsetMs;

	/** Whether the first poll needs another response, because the first one shows another time than n8n's clock. */
	needsConfirmation = (): boolean => !this.isOffsetFinal && this.nextState.unconfirmedOffsetMs !== undefined;

	/** Call with each response. @param sentAtMs when the request was sent, on n8n's clock */
	observeDateHeader(dateHeader: unknown, sentAtMs: number): void {
		const dateMs = parseTimestamp(dateHeader);
		if (this.isOffsetFinal || dateMs === undefined) return;
		const receivedAtMs = this.wallClock.now();
		const isOffsetConfirmed =
			this.offsetMs >= dateMs - receivedAtMs - MEASURING_TOLERANCE_MS &&
			this.offsetMs <= dateMs + 1000 - sentAtMs + MEASURING_TOLERANCE_MS;
		// The header has no milliseconds. Taking the end of its second never counts an existing resource as new.
		const dateHeaderOffsetMs = dateMs + 1000 - receivedAtMs;
		const { unconfirmedOffsetMs: earlierOffsetMs } = this.lastState ?? this.nextState;
		const isOffsetRepeated =
			earlierOffsetMs !== undefined &&
			Math.abs(dateHeaderOffsetMs - earlierOffsetMs) <= MAX_OFFSET_DIFFERENCE_MS;
		this.isOffsetFinal = isOffsetConfirmed || this.lastState !== undefined || earlierOffsetMs !== undefined;
		this.nextState.unconfirmedOffsetMs = isOffsetConfirmed ? undefined : dateHeaderOffsetMs;
		if (isOffsetConfirmed) return;
		if (isOffsetRepeated && Math.abs(dateHeaderOffsetMs) <= MAX_CLOCK_OFFSET_MS) {
			this.hasOffsetChanged = this.lastState !== undefined;
			this.earliestNowMs = -Infinity;
			this.offsetMs = this.nextState.clockOffsetMs = dateHeaderOffsetMs;
			this.nextState.unconfirmedOffsetMs = undefined;
			return;
		}
		const gapToLastPollMs = (offsetMs: number) =>
			Math.abs(receivedAtMs + offsetMs - (this.lastState?.lastPollAtMs ?? receivedAtMs));
		if (gapToLastPollMs(dateHeaderOffsetMs) < gapToLastPollMs(this.offsetMs))
			this.offsetMs = dateHeaderOffsetMs;
	}
}
