/** Milliseconds; the limit is "rolling per-minute" (contract, section 8). */
export const WINDOW = 60_000;

/** Within so many windows the fastest answer is looked for. */
const MEMORY = 5;

/**
 * The requests that count against a rolling limit, as seen from outside. When the service counted a request lies
 * somewhere between sending and answer; taken is the latest moment at which that can have been, by the fastest answer of
 * late. All times are milliseconds of one clock.
 */
export class RollingWindow {
	/** When they were answered, in this order. */
	private readonly answered: number[] = [];
	private readonly fastest = new RecentLeast();

	/** Milliseconds of the fastest answer of late; Infinity before the first. */
	get roundTrip(): number {
		return this.fastest.value;
	}

	/** Adds a request that was answered now. */
	add(sentAt: number, now: number): void {
		this.fastest.add(now - sentAt, now);
		this.answered.push(now);
		this.forget(now - 2 * WINDOW);
	}

	/**
	 * @param margin milliseconds by which the service may count longer than it should
	 * @returns how many requests count now
	 */
	count(now: number, margin = 0): number {
		const age = this.age(margin);
		// Sorted, and asked for at every turn: halved rather than walked.
		let [low, high] = [0, this.answered.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.answered[middle] + age <= now) low = middle + 1;
			else high = middle;
		}
		return this.answered.length - low;
	}

	/** When the next of them counts no more, or the next so many; Infinity where fewer count. */
	nextLeaves(now: number, margin: number, many = 1): number {
		const last = this.answered[this.answered.length - this.count(now, margin) + many - 1];
		return last === undefined ? Infinity : last + this.age(margin);
	}

	/** When the last of those that count no more did so; -Infinity where there is none. */
	lastLeft(now: number, margin: number): number {
		const last = this.answered[this.answered.length - this.count(now, margin) - 1];
		return last === undefined ? -Infinity : last + this.age(margin);
	}

	/** How long ago a request was answered that counts no more. */
	private age(margin: number): number {
		// Whatever an answer took longer than the fastest one may have passed on the way there, or on the way back.
		return WINDOW + margin - (this.answered.length > 0 ? this.fastest.value : 0);
	}

	private forget(before: number): void {
		let gone = 0;
		while (this.answered[gone] < before) gone++;
		if (gone > 0) this.answered.splice(0, gone);
	}
}

/** The least value of the last few windows. */
class RecentLeast {
	private earlier = Infinity;
	private current = Infinity;
	private since = -Infinity;

	get value(): number {
		return Math.min(this.earlier, this.current);
	}

	add(value: number, now: number): void {
		if (now - this.since > MEMORY * WINDOW) {
			this.earlier = this.current;
			this.current = Infinity;
			this.since = now;
		}
		this.current = Math.min(this.current, value);
	}
}
