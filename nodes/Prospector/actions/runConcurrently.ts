/**
 * Works on a number of things, some of them at the same time, begun in their order. However many there are, no more is
 * held for them than for those under way.
 *
 * @param count how many things there are
 * @param atOnce how many may be under way
 * @param work one thing's work, by its index; must not reject
 * @returns when everything that was begun has ended; after a work that says false nothing is begun
 */
export async function runConcurrently(
	count: number,
	atOnce: number,
	work: (index: number) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) {
			if (!(await work(next++))) next = count;
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}
