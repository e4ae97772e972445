import type { Clock } from '../../../nodes/Prospector/transport/clock';

/** A clock that jumps from one event to the next as soon as no code can run: days pass in seconds. */
export class EventClock implements Clock {
	private time = 0;
	/** Descending. */
	private readonly events: Array<{ time: number; act: () => void }> = [];

	now = (): number => this.time;

	sleep = async (milliseconds: number, signal?: AbortSignal): Promise<boolean> => {
		if (signal?.aborted) return false;
		return await new Promise((resolve) => {
			signal?.addEventListener('abort', () => resolve(false), { once: true });
			this.at(this.time + Math.max(0, milliseconds), () => resolve(true));
		});
	};

	/** Runs until the task has ended. */
	async run<Result>(task: Promise<Result>): Promise<Result> {
		let hasEnded = false;
		const end = task.finally(() => (hasEnded = true));
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (hasEnded) return await end;
			const event = this.events.pop();
			if (event === undefined) throw new Error('The task waits for nothing');
			this.time = event.time;
			event.act();
		}
	}

	private at(time: number, act: () => void): void {
		let [low, high] = [0, this.events.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.events[middle].time > time) low = middle + 1;
			else high = middle;
		}
		this.events.splice(low, 0, { time, act });
	}
}
