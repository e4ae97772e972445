/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
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
export async function minimumOfTen(measure: () => Promise<number>, limit: number): Promise<number> {
	let least = Infinity;
	for (let attempt = 0; attempt < 10 && least >= limit; attempt++) {
		least = Math.min(least, await measure());
	}
	return least;
}

const REFERENCE = JSON.stringify(
	Array.from({ length: 5000 }, (_, id) => ({ id, name: `A company ${id}`, id_2: id })),
);
/** Time that the reference takes on an idle machine. */
const REFERENCE_MS = 1.5;
/** A single measurement of the reference can be wrong by more. */
const MAX_SLOWDOWN = 2;

/** Returns how many times as long a task takes now as on an idle machine. */
export async function slowdown(): Promise<number> {
	const reference = await processorTime(() => void JSON.parse(REFERENCE));
	return Math.min(Math.max(reference / REFERENCE_MS, 1), MAX_SLOWDOWN);
}

/** Like minimumOfTen, for the processor time that a task takes on an idle machine. */
export const minimumProcessorTime = async (task: () => unknown, limitMs: number): Promise<number> =>
	await minimumOfTen(async () => {
		const ms = await processorTime(task);
		return ms < limitMs ? ms : ms / (await slowdown());
	}, limitMs);
