/** The processor time, in milliseconds, that this process uses while something runs. */
export async function processorTime(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/**
 * Repeats something until it is fast enough, at most ten times: garbage collection or compilation may fall into some
 * of them, the more on a busy machine.
 *
 * @returns the least processor time in milliseconds
 */
export async function leastProcessorTime(work: () => unknown, enoughMs: number): Promise<number> {
	let least = Infinity;
	for (let attempt = 0; attempt < 10 && least > enoughMs; attempt++) {
		least = Math.min(least, await processorTime(work));
	}
	return least;
}
