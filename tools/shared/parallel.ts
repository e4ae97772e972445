/** Calls a function with each item, in order, with at most this many calls at the same time. */
export async function inParallel<T>(items: Iterable<T>, calls: number, act: (item: T) => Promise<void>) {
	// All workers take from one iterator.
	const remaining = [...items].values();
	const work = async () => {
		for (const item of remaining) await act(item);
	};
	await Promise.all(Array.from({ length: calls }, work));
}
