import { ItemBatch } from '../../../nodes/Prospector/parameters/itemBatch';

function batchOf(
	itemCount: number,
	read: (itemIndex: number) => unknown = (itemIndex) => `value ${itemIndex}`,
) {
	const reads: number[] = [];
	const batch = new ItemBatch(itemCount, (itemIndex) => {
		reads.push(itemIndex);
		return read(itemIndex);
	});
	return { batch, reads };
}
const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, i) => start + i);

test('each item gets its own value, and none is read twice', () => {
	const { batch, reads } = batchOf(120);
	expect(upTo(120).map((itemIndex) => batch.get(itemIndex))).toEqual(upTo(120).map((n) => `value ${n}`));
	expect(reads).toEqual(upTo(120));
});

test('fifty items are read at the first one', () => {
	const { batch, reads } = batchOf(1000);
	batch.get(0);
	expect(reads).toEqual(upTo(50));
	batch.get(49);
	expect(reads).toEqual(upTo(50));
	batch.get(50);
	expect(reads).toEqual(upTo(100));
});

test('items that start in another order get their own values', () => {
	const { batch } = batchOf(120);
	const order = [0, 51, 48, 50, 119, 52, 1, 118];
	expect(order.map((itemIndex) => batch.get(itemIndex))).toEqual(order.map((n) => `value ${n}`));
});

test('nothing is read beyond the last item', () => {
	const { batch, reads } = batchOf(3);
	batch.get(0);
	expect(reads).toEqual([0, 1, 2]);
});

test('an exception is thrown for its own item only', () => {
	const { batch } = batchOf(10, (itemIndex) => {
		if (itemIndex === 4) throw new Error('not this one');
		return itemIndex;
	});
	expect(upTo(4).map((itemIndex) => batch.get(itemIndex))).toEqual(upTo(4));
	expect(() => batch.get(4)).toThrow('not this one');
	expect(() => batch.get(4)).toThrow('not this one');
	expect(upTo(10, 5).map((itemIndex) => batch.get(itemIndex))).toEqual(upTo(10, 5));
});
