import { DAY_MS, MINUTE_MS, parseTimestamp } from '../../utils';

/** Differences up to this are measuring errors. */
const TOLERANCE_MS = 2000;
/** Two measurements with a smaller difference agree. */
const AGREEMENT_MS = MINUTE_MS;
/** A larger difference between two clocks is a defect of one. */
const MAX_OFFSET_MS = DAY_MS;

/** What the last poll knew about the clocks. */
export interface ClockReading {
	/** The service's clock minus n8n's. */
	clockOffsetMs: number;
	/** Another difference, which only the last poll has seen. */
	shownOffsetMs?: number;
	/** When the last poll took place, on the service's clock. */
	polledAtMs: number;
}

/**
 * The service's clock, as its `Date` headers show it. One header changes nothing: a difference counts when a second poll
 * has seen it, or a second response in the first poll. Until then, the time that is nearer to the last poll's is taken,
 * because n8n's clock may have jumped.
 */
export class ServiceClock {
	/** For the next poll. */
	readonly reading: Omit<ClockReading, 'polledAtMs'>;
	/** Whether two polls have seen the same change. */
	hasChanged = false;
	/** The service's clock minus n8n's, for this poll. */
	offsetMs: number;
	private isMeasured = false;
	private readonly createdAtMs: number;
	private notBeforeMs: number;

	/** @param last undefined for the first poll */
	constructor(
		private readonly wallClock: { now(): number },
		private readonly last?: ClockReading,
	) {
		this.createdAtMs = wallClock.now();
		this.notBeforeMs = last?.polledAtMs ?? -Infinity;
		this.offsetMs = last?.clockOffsetMs ?? 0;
		this.reading = { clockOffsetMs: this.offsetMs };
	}

	/** Milliseconds since the epoch; not before the last poll, unless two polls have seen that the clock was ahead. */
	now = (): number => Math.max(this.wallClock.now() + this.offsetMs, this.notBeforeMs);

	/** The later of the times that the two clocks show: what is later is in the future on both. */
	latest = (): number =>
		Math.max(this.now(), this.wallClock.now() + (this.reading.shownOffsetMs ?? this.offsetMs));

	/** Milliseconds since the epoch at which this poll started. */
	startedAtMs = (): number => this.createdAtMs + this.offsetMs;

	/** Whether the first poll needs another response, because the first one shows another time than n8n's clock. */
	needsConfirmation = (): boolean => !this.isMeasured && this.reading.shownOffsetMs !== undefined;

	/** Call with each response. @param sentAtMs when the request was sent, on n8n's clock */
	observe(dateHeader: unknown, sentAtMs: number): void {
		const dateMs = parseTimestamp(dateHeader);
		if (this.isMeasured || dateMs === undefined) return;
		const receivedAtMs = this.wallClock.now();
		const isConfirmed =
			this.offsetMs >= dateMs - receivedAtMs - TOLERANCE_MS &&
			this.offsetMs <= dateMs + 1000 - sentAtMs + TOLERANCE_MS;
		// The header has no milliseconds. Taking the end of its second never counts an existing resource as new.
		const shownMs = dateMs + 1000 - receivedAtMs;
		const before = this.last ? this.last.shownOffsetMs : this.reading.shownOffsetMs;
		const isRepeated = before !== undefined && Math.abs(shownMs - before) <= AGREEMENT_MS;
		this.isMeasured = isConfirmed || this.last !== undefined || before !== undefined;
		this.reading.shownOffsetMs = isConfirmed ? undefined : shownMs;
		if (isConfirmed) return;
		if (isRepeated && Math.abs(shownMs) <= MAX_OFFSET_MS) {
			this.hasChanged = this.last !== undefined;
			this.notBeforeMs = -Infinity;
			this.offsetMs = this.reading.clockOffsetMs = shownMs;
			this.reading.shownOffsetMs = undefined;
			return;
		}
		const distanceMs = (offsetMs: number) =>
			Math.abs(receivedAtMs + offsetMs - (this.last?.polledAtMs ?? receivedAtMs));
		if (distanceMs(shownMs) < distanceMs(this.offsetMs)) this.offsetMs = shownMs;
	}
}
