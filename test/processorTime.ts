/** Returns the processor time in milliseconds that this process has used since then. */
export function processorMsSince(begin: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(begin);
	return (user + system) / 1000;
}

/** Returns the processor time in milliseconds that this process uses while something runs. */
export async function processorTime(work: () => unknown): Promise<number> {
	const begin = process.cpuUsage();
	await work();
	return processorMsSince(begin);
}

/**
 * Repeats a measurement until it is below a limit, at most ten times: garbage collection or compilation may fall into
 * some of them, the more on a busy machine.
 *
 * @returns the least value
 */
export async function leastOfTen(measure: () => Promise<number>, limit: number): Promise<number> {
	let least = Infinity;
	for (let attempt = 0; attempt < 10 && least >= limit; attempt++) {
		least = Math.min(least, await measure());
	}
	return least;
}

/** Returns the least processor time in milliseconds; see {@link leastOfTen}. */
export const leastProcessorTime = async (work: () => unknown, limitMs: number): Promise<number> =>
	await leastOfTen(async () => await processorTime(work), limitMs);
