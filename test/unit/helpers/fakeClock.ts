/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { setMaxListeners } from 'node:events';
import { RateLimiterRegistry } from '../../../nodes/Prospector/transport/dependencies';
import type { Dependencies } from '../../../nodes/Prospector/transport/dependencies';
import type { Clock } from '../../../nodes/Prospector/transport/clock';
import { Turns } from '../../../nodes/Prospector/transport/turns';

/** Resolves when all code that waits only for promises has run. */
export const flushPromises = async () => await new Promise<void>((resolve) => setImmediate(resolve));

interface Sleeper {
	untilMs: number;
	wake: (isOver: boolean) => void;
}

/** A clock that tests advance. It starts at 0, which is the beginning of 2026 on the wall clock. */
export class FakeClock implements Clock {
	/** Durations of all sleeps so far in milliseconds, in the order in which they started. */
	readonly sleeps: number[] = [];
	readonly wallClock = { now: () => Date.parse('2026-01-01T00:00:00Z') + this.timeMs };
	private timeMs = 0;
	private isAdvanceScheduled = false;
	private readonly sleepers = new Set<Sleeper>();

	/** @param options.autoAdvance continues at the end of the next sleep as soon as no other code can run */
	constructor(private readonly options: { autoAdvance?: boolean } = {}) {}

	now = (): number => this.timeMs;

	sleep = async (milliseconds: number, signal?: AbortSignal): Promise<boolean> => {
		this.sleeps.push(milliseconds);
		if (signal?.aborted) return false;
		// Not more listeners than the clock of the package has, which has none.
		if (signal) setMaxListeners(0, signal);
		return await new Promise<boolean>((resolve) => {
			const sleeper = {
				untilMs: this.timeMs + Math.max(milliseconds, 0),
				wake: (isOver: boolean) => {
					this.sleepers.delete(sleeper);
					signal?.removeEventListener('abort', cancel);
					resolve(isOver);
				},
			};
			const cancel = () => sleeper.wake(false);
			this.sleepers.add(sleeper);
			signal?.addEventListener('abort', cancel);
			if (this.options.autoAdvance) this.scheduleAdvance();
		});
	};

	/** Returns the number of sleeps that have not ended. */
	sleeping = (): number => this.sleepers.size;

	/** Advances the time, and wakes sleepers in the order of their times. */
	async advance(milliseconds: number): Promise<void> {
		const endMs = this.timeMs + milliseconds;
		await flushPromises();
		while (this.wakeNext(endMs)) await flushPromises();
		this.skip(endMs - this.timeMs);
	}

	/** Advances the time at once; sleepers wake later. */
	skip(milliseconds: number): void {
		this.timeMs += Math.max(milliseconds, 0);
	}

	/** Returns false if no sleep ends until that time. */
	private wakeNext(endMs = Infinity): boolean {
		let next: Sleeper | undefined;
		for (const one of this.sleepers) if (next === undefined || one.untilMs < next.untilMs) next = one;
		if (next === undefined || next.untilMs > endMs) return false;
		this.skip(next.untilMs - this.timeMs);
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

/** Returns the package's dependencies with this clock and new rate limiters. */
export const fakeDependencies = (
	clock = new FakeClock({ autoAdvance: true }),
	random = () => 0.5,
): Dependencies => ({
	clock,
	wallClock: clock.wallClock,
	random,
	rateLimiters: new RateLimiterRegistry(clock),
	turns: new Turns({ now: () => 0 }),
});
