/**
 * Starts a task for each value of a list, in order.
 *
 * @param concurrency maximum number of tasks at the same time
 * @throws if a task throws
 */
export async function forEachConcurrently<T>(
	list: readonly T[],
	concurrency: number,
	task: (value: T) => Promise<void>,
): Promise<void> {
	const queue = list.values();
	const worker = async () => {
		for (const value of queue) await task(value);
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
}
