/**
 * Items read in one go. To read each item between two requests takes about twice as long, because by then the
 * processor has evicted code and data from its caches.
 */
const BATCH_SIZE = 50;

/** Reads a value of each item, ahead for the items that follow. */
export class ItemBatch<Value> {
	private firstItem = 0;
	private values: Value[] = [];

	/**
	 * @param itemCount how many items there are
	 * @param read returns an item's value
	 */
	constructor(
		private readonly itemCount: number,
		private readonly read: (itemIndex: number) => Value,
	) {}

	/** @throws what `read` throws for this item */
	get(itemIndex: number): Value {
		const position = itemIndex - this.firstItem;
		if (position >= 0 && position < this.values.length) return this.values[position];
		const value = this.read(itemIndex);
		// Items before the batch are still in progress, and those after them need the batch.
		if (position >= 0) this.startBatch(itemIndex, value);
		return value;
	}

	private startBatch(itemIndex: number, value: Value): void {
		this.firstItem = itemIndex;
		this.values = [value];
		const end = Math.min(itemIndex + BATCH_SIZE, this.itemCount);
		try {
			for (let next = itemIndex + 1; next < end; next++) this.values.push(this.read(next));
		} catch {
			// The item that this is about throws the same in its turn.
		}
	}
}
