// The two clocks of a poll: n8n's decides when something is read, the service's what is new. Used by the trigger's
// decisions; limits what a wrong clock can do (docs/trigger.md).
import type { HttpResponse } from '../api/response';
import { type CodecValue, flag, number, objectOf } from '../codec';
import { parseTimestamp } from '../utils';

/** Differences up to this are measuring errors. */
const MEASURING_TOLERANCE_MS = 2000;
/**
 * From when on what is created is new: the same moment on both clocks; 0 if everything is new. `isProvisional`: it was made
 * before any response, so `serviceMs` is on n8n's clock.
 */
export const baselineCodec = objectOf({ serviceMs: number, n8nMs: number }, { isProvisional: flag });

export type Baseline = CodecValue<typeof baselineCodec>;

/** Only durations pass from one clock to the other (decisions/0002). All times are milliseconds since the epoch. */
export class PollClock {
	/** The service's clock minus n8n's: the smallest difference of all `Date` headers, because one can be wrong. */
	private offsetMs?: number;
	private readonly startedAtMs: number;
	private hadResponse = false;

	constructor(private readonly n8nClock: { now(): number }) {
		this.startedAtMs = n8nClock.now();
	}

	now = (): number => this.n8nClock.now();

	/** Without a `Date` header in this poll, the time on n8n's clock. */
	serviceNow = (): number => this.now() + (this.offsetMs ?? 0);

	/** Returns when something happened, on n8n's clock. @param atMs on the service's */
	toN8nTime = (atMs: number): number => this.now() - Math.max(this.serviceNow() - atMs, 0);

	/** Returns the start of this poll. */
	createBaseline = (): Baseline => ({
		...this.toBaseline(this.startedAtMs),
		...(!this.hadResponse && { isProvisional: true }),
	});

	private toBaseline = (n8nMs: number): Baseline => ({ serviceMs: n8nMs + (this.offsetMs ?? 0), n8nMs });

	/**
	 * Returns a baseline as the responses of this poll so far show it:
	 * - A provisional one gets its time on the service's clock from the first response.
	 * - One that is later than both clocks is moved back, to its time on n8n's clock or to the start of this poll: a clock was
	 *   ahead when it was made. If it was made with a `Date` header, this needs another one.
	 * - Any other is unchanged.
	 */
	settleBaseline(baseline: Baseline): Baseline {
		const { serviceMs, n8nMs } = baseline;
		if (baseline.isProvisional) return this.hadResponse ? this.toBaseline(n8nMs) : baseline;
		// Or its clocks were equal, which makes no difference.
		const wasMadeWithoutDate = serviceMs === n8nMs;
		const isClockKnown = this.offsetMs !== undefined || (this.hadResponse && wasMadeWithoutDate);
		if (!isClockKnown || serviceMs <= Math.max(this.now(), this.serviceNow())) return baseline;
		return this.toBaseline(Math.min(n8nMs, this.startedAtMs));
	}

	/** @param sentAtMs when the request was sent, on n8n's clock */
	observeResponse = ({ headers }: Pick<HttpResponse, 'headers'>, sentAtMs: number): void => {
		this.hadResponse = true;
		const dateMs = parseTimestamp(headers.date);
		if (dateMs === undefined) return;
		const receivedAtMs = this.now();
		const areClocksEqual =
			receivedAtMs >= dateMs - MEASURING_TOLERANCE_MS && sentAtMs <= dateMs + 1000 + MEASURING_TOLERANCE_MS;
		// 12:00:05 stands for any time up to 12:00:06. Taking the end never counts an existing resource as new.
		const offsetMs = areClocksEqual ? 0 : dateMs + 1000 - receivedAtMs;
		if (Math.abs(offsetMs) < Math.abs(this.offsetMs ?? Infinity)) this.offsetMs = offsetMs;
	};
}
