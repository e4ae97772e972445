import type { Clock } from '../../../nodes/Prospector/transport/retry/clock';

/** Lets everything happen that waits for nothing but its turn. */
export const flushPromises = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that moves only by {@link pass}: several may sleep on it at the same time, and wake in order. */
export function manualTiming() {
	let now = 0;
	let begun = 0;
	const sleepers = new Set<{ until: number; wake: (whole: boolean) => void }>();
	const timing: Clock = {
		now: () => now,
		async sleep(milliseconds, signal) {
			begun++;
			if (signal?.aborted) return false;
			return await new Promise<boolean>((resolve) => {
				const wake = (whole: boolean) => {
					sleepers.delete(sleeper);
					resolve(whole);
				};
				const sleeper = { until: now + milliseconds, wake };
				sleepers.add(sleeper);
				signal?.addEventListener('abort', () => wake(false), { once: true });
			});
		},
	};
	return {
		timing,
		/** How many sleep now. */
		sleeping: () => sleepers.size,
		/** How many sleeps were begun so far. */
		begun: () => begun,
		async pass(milliseconds: number) {
			const end = now + milliseconds;
			await flushPromises();
			for (;;) {
				const due = [...sleepers].filter(({ until }) => until <= end);
				if (due.length === 0) break;
				const next = due.reduce((a, b) => (b.until < a.until ? b : a));
				now = Math.max(now, next.until);
				next.wake(true);
				await flushPromises();
			}
			now = end;
		},
	};
}
