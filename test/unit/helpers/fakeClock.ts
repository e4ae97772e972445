import { RateLimiterRegistry } from '../../../nodes/Prospector/transport/rateLimiterRegistry';
import type { Dependencies } from '../../../nodes/Prospector/transport/dependencies';
import type { Clock } from '../../../nodes/Prospector/transport/clock';

/** Resolves when all code that waits only for promises has run. */
export const flushPromises = async () => await new Promise<void>((resolve) => setImmediate(resolve));

interface Sleeper {
	until: number;
	wake: (isOver: boolean) => void;
}

/** A clock that tests move. It starts at 0, which is the beginning of 2026 on the wall clock. */
export class FakeClock implements Clock {
	/** Durations of all sleeps so far, in the order in which they started; milliseconds. */
	readonly sleeps: number[] = [];
	/** Milliseconds by which the wall clock is ahead. */
	wallClockOffset = 0;
	readonly wallClock = {
		now: () => Date.parse('2026-01-01T00:00:00Z') + this.time + this.wallClockOffset,
	};

	private time = 0;
	private isAdvanceScheduled = false;
	private readonly sleepers = new Set<Sleeper>();

	/** @param options.autoAdvance moves on to the end of the next sleep as soon as no other code can run */
	constructor(private readonly options: { autoAdvance?: boolean } = {}) {}

	now = (): number => this.time;

	sleep = async (milliseconds: number, signal?: AbortSignal): Promise<boolean> => {
		this.sleeps.push(milliseconds);
		if (signal?.aborted) return false;
		return await new Promise<boolean>((resolve) => {
			const cancel = () => sleeper.wake(false);
			const sleeper: Sleeper = {
				until: this.time + Math.max(milliseconds, 0),
				wake: (isOver) => {
					this.sleepers.delete(sleeper);
					signal?.removeEventListener('abort', cancel);
					resolve(isOver);
				},
			};
			this.sleepers.add(sleeper);
			signal?.addEventListener('abort', cancel);
			if (this.options.autoAdvance) this.scheduleAdvance();
		});
	};

	/** Number of sleeps that have not ended. */
	sleeping = (): number => this.sleepers.size;

	/** Moves the time, and wakes sleepers in the order of their times. */
	async advance(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		await flushPromises();
		while (this.wakeNext(end)) await flushPromises();
		this.skip(end - this.time);
	}

	/** Moves the time at once; sleepers wake later. */
	skip(milliseconds: number): void {
		this.time += Math.max(milliseconds, 0);
	}

	/** @returns false if no sleep ends until `end` */
	private wakeNext(end = Infinity): boolean {
		const next = [...this.sleepers].reduce<Sleeper | undefined>(
			(a, b) => (a !== undefined && a.until <= b.until ? a : b),
			undefined,
		);
		if (next === undefined || next.until > end) return false;
		this.skip(next.until - this.time);
		next.wake(true);
		return true;
	}

	private scheduleAdvance(): void {
		if (this.isAdvanceScheduled) return;
		this.isAdvanceScheduled = true;
		setImmediate(() => {
			this.isAdvanceScheduled = false;
			this.wakeNext();
			if (this.sleepers.size > 0) this.scheduleAdvance();
		});
	}
}

/** The package's dependencies on this clock, with new rate limiters. */
export const fakeDependencies = (
	clock = new FakeClock({ autoAdvance: true }),
	random = () => 0.5,
): Dependencies => ({
	clock,
	wallClock: clock.wallClock,
	random,
	limiters: new RateLimiterRegistry(clock),
});
