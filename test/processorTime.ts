/** Returns the milliseconds of processor time that this process has used since a measurement. */
export function processorMsSince(start: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(start);
	return (user + system) / 1000;
}

/** Returns the milliseconds of processor time that this process uses during a task. */
export async function processorTime(task: () => unknown): Promise<number> {
	const start = process.cpuUsage();
	await task();
	return processorMsSince(start);
}

/**
 * Returns the minimum of up to ten measurements, and stops as soon as one is below the limit. Single measurements can
 * include garbage collection or compilation, above all on a busy machine.
 */
export async function leastOfTen(measure: () => Promise<number>, limit: number): Promise<number> {
	let least = Infinity;
	for (let attempt = 0; attempt < 10 && least >= limit; attempt++) {
		least = Math.min(least, await measure());
	}
	return least;
}

/** Like leastOfTen, for the processor time of a task. */
export const leastProcessorTime = async (task: () => unknown, limitMs: number): Promise<number> =>
	await leastOfTen(async () => await processorTime(task), limitMs);
