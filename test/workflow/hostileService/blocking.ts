import { setImmediate as nextTurn } from 'node:timers/promises';
import { leastOfTen, processorMsSince } from '../../processorTime';

/**
 * Watches the event loop. A gap between two looks counts only as far as this process used the CPU meanwhile: on a busy
 * machine it may have to wait for others.
 *
 * @returns stops watching and returns the longest time, in milliseconds, for which nothing else could happen
 */
export function watchEventLoop(): () => number {
	let longest = 0;
	let last = performance.now();
	let cpu = process.cpuUsage();
	const look = () => {
		const now = performance.now();
		longest = Math.max(longest, Math.min(now - last, processorMsSince(cpu)));
		cpu = process.cpuUsage();
		last = now;
	};
	const timer = setInterval(look, 5);
	return () => {
		look();
		clearInterval(timer);
		return longest;
	};
}

/** Runs something and returns for how long it blocked the event loop at most, in milliseconds. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
	await nextTurn();
	const stop = watchEventLoop();
	await work().catch(() => {});
	await nextTurn();
	return stop();
}

/** Like {@link longestBlock}, but the least of up to ten times. */
export const leastBlock = async (work: () => Promise<unknown>, limitMs: number): Promise<number> =>
	await leastOfTen(async () => await longestBlock(work), limitMs);
