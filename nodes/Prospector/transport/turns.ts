// Divides long work into turns, between which n8n's event loop does other work (n8n-behaviour.md#nodes). Used by
// everything that loops over data from outside.
import { sleep } from 'n8n-workflow';
import type { Clock } from './clock';

/** Work on data from outside continues in another turn of n8n's event loop after this time (decisions/0008). */
const MAX_TURN_MS = 8;
/** Sorting this many items takes less than 1 ms. */
const MAX_ITEMS_TO_SORT_AT_ONCE = 1000;

/** All work of the process shares one instance, because several executions can work in the same turn. */
export class Turns {
	/** On the clock; undefined until work begins in the current turn. */
	private startedAtMs?: number;
	private lastTurn: Promise<void> = Promise.resolve();

	constructor(private readonly clock: Pick<Clock, 'now'>) {}

	/** Whether work should continue in the {@link next} turn. */
	isOver(): boolean {
		return this.clock.now() - this.begin() > MAX_TURN_MS;
	}

	/** Waits for a turn of one's own: callers that wait at the same time continue in different turns. */
	async next(): Promise<void> {
		this.lastTurn = this.lastTurn.then(async () => await sleep(0));
		await this.lastTurn;
		this.begin();
	}

	/** Returns when the first work of the current turn began. */
	private begin(): number {
		if (this.startedAtMs === undefined) {
			this.startedAtMs = this.clock.now();
			void sleep(0).then(() => (this.startedAtMs = undefined));
		}
		return this.startedAtMs;
	}

	/** Like Array.map. */
	async map<Item, Result>(
		items: Iterable<Item>,
		toResult: (item: Item, index: number) => Result,
	): Promise<Result[]> {
		const results: Result[] = [];
		for (const item of items) {
			if (this.isOver()) await this.next();
			results.push(toResult(item, results.length));
		}
		return results;
	}

	/** Returns the items in order, like Array.toSorted: equal ones keep theirs. */
	async sort<Item>(items: Item[], compare: (one: Item, other: Item) => number): Promise<Item[]> {
		if (items.length <= MAX_ITEMS_TO_SORT_AT_ONCE) return [...items].sort(compare);
		const middle = Math.ceil(items.length / 2);
		const first = await this.sort(items.slice(0, middle), compare);
		const second = await this.sort(items.slice(middle), compare);
		let takenFromFirst = 0;
		return await this.map(items, (_, index) => {
			const other = second[index - takenFromFirst];
			const isFirst =
				takenFromFirst < first.length &&
				(index - takenFromFirst === second.length || compare(first[takenFromFirst], other) <= 0);
			return isFirst ? first[takenFromFirst++] : other;
		});
	}
}
