import { setImmediate as nextTurn } from 'node:timers/promises';

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
		const { user, system } = process.cpuUsage(cpu);
		longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
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

/** The best of ten: garbage collection or compilation may fall into some of them, the more on a busy machine. */
export async function leastBlock(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
	let least = Infinity;
	for (let attempt = 0; attempt < 10 && least > enoughMs; attempt++) {
		least = Math.min(least, await longestBlock(work));
	}
	return least;
}
