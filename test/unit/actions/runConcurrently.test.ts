import { runConcurrently } from '../../../nodes/Prospector/actions/runConcurrently';
import { flushPromises } from '../helpers/manualTiming';

/** Works that end when they are told to, and how many of them are under way. */
function works() {
	const begun: number[] = [];
	const underWay = new Map<number, (goOn: boolean) => void>();
	let most = 0;
	return {
		begun,
		most: () => most,
		underWay: () => [...underWay.keys()],
		async work(index: number) {
			begun.push(index);
			return await new Promise<boolean>((resolve) => {
				underWay.set(index, resolve);
				most = Math.max(most, underWay.size);
			});
		},
		async end(index: number, goOn = true) {
			underWay.get(index)?.(goOn);
			underWay.delete(index);
			await flushPromises();
		},
	};
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The same, with a note of when all has ended. */
function begin(count: number, atOnce: number) {
	const all = works();
	const state = { ended: false };
	void runConcurrently(count, atOnce, all.work).then(() => (state.ended = true));
	return { ...all, state };
}

describe('things worked on side by side', () => {
	test.each([0, 1, 5])('are none where there are none (%i at once)', async (atOnce) => {
		const { begun, state } = begin(0, atOnce);
		await flushPromises();
		expect(begun).toEqual([]);
		expect(state.ended).toBe(true);
	});

	test.each([
		[1, 1],
		[1, 5],
		[3, 5],
		[5, 5],
		[20, 1],
		[20, 5],
		[20, 100],
	])('are all done (%i things, %i at once), each once and never more at a time', async (count, atOnce) => {
		const { begun, underWay, most, end, state } = begin(count, atOnce);
		await flushPromises();
		while (underWay().length > 0) {
			expect(state.ended).toBe(false);
			// Any but the first: the order in which they end must not matter.
			await end(underWay()[underWay().length >> 1]);
		}
		expect(begun).toEqual(upTo(count));
		expect(most()).toBe(Math.min(count, atOnce));
		expect(state.ended).toBe(true);
	});

	test('one by one begin only when the one before has ended', async () => {
		const { begun, end } = begin(3, 1);
		for (const index of upTo(3)) {
			await flushPromises();
			expect(begun).toEqual(upTo(index + 1));
			await end(index);
		}
	});

	test('begin no others after one that says so, and are waited for', async () => {
		const { begun, end, underWay, state } = begin(20, 3);
		await flushPromises();
		await end(0);
		await end(2, false);
		expect(begun).toEqual([0, 1, 2, 3]);
		await end(1);
		expect(begun).toEqual([0, 1, 2, 3]);
		expect(underWay()).toEqual([3]);
		expect(state.ended).toBe(false);
		await end(3);
		expect(state.ended).toBe(true);
		expect(begun).toEqual([0, 1, 2, 3]);
	});

	test('may be stopped by the first, and by the last', async () => {
		const first = begin(5, 1);
		await first.end(0, false);
		expect([first.begun, first.state.ended]).toEqual([[0], true]);
		const last = begin(2, 2);
		await last.end(0);
		await last.end(1, false);
		expect([last.begun, last.state.ended]).toEqual([[0, 1], true]);
	});
});

describe('10,000 things', () => {
	test('wait for those under way rather than begin', async () => {
		const { begun, underWay } = begin(10_000, 5);
		await flushPromises();
		expect(begun).toEqual(upTo(5));
		expect(underWay()).toHaveLength(5);
	});

	test('go on beside one that never ends', async () => {
		let underWay = 0;
		let most = 0;
		let calls = 0;
		let ended = false;
		const work = async (index: number) => {
			calls++;
			most = Math.max(most, ++underWay);
			await (index === 0 ? new Promise<void>(() => {}) : Promise.resolve());
			underWay--;
			return true;
		};
		void runConcurrently(10_000, 5, work).then(() => (ended = true));
		for (let i = 0; i < 100 && calls < 10_000; i++) await flushPromises();
		await flushPromises();
		expect({ calls, most, underWay, ended }).toEqual({ calls: 10_000, most: 5, underWay: 1, ended: false });
	});

	test('are not begun after the one that says so', async () => {
		let calls = 0;
		await runConcurrently(10_000, 5, async (index) => ++calls > 0 && index !== 999);
		expect(calls).toBeGreaterThanOrEqual(1000);
		expect(calls).toBeLessThanOrEqual(1004);
	});
});
