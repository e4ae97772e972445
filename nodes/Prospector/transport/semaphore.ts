// Bounds how many tasks are in progress. Used by the client for the requests of one node execution. Tests:
// test/unit/transport/request/client.test.ts.

/** The others wait in their order. */
export class Semaphore {
	private readonly waiting = new Set<() => void>();

	constructor(private freeCount: number) {}

	/** Waits for a place. Returns a function that frees it, to be called once. */
	async acquire(): Promise<() => void> {
		if (this.freeCount > 0) this.freeCount--;
		else await new Promise<void>((resolve) => this.waiting.add(resolve));
		return () => {
			const [next] = this.waiting;
			if (next === undefined) this.freeCount++;
			else this.waiting.delete(next);
			next?.();
		};
	}
}
