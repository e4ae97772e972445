import { GOAL, GRID, medianRatio, runGrid, simulate, type GridRow } from '../../helpers/rateGrid';

/** Replayed always; `npm run campaign` uses others. */
const SEEDS = [1];
const MINUTE = 60_000;

describe.each(SEEDS)('99 limits, seed %i', (seed) => {
	let rows: GridRow[];
	beforeAll(async () => {
		rows = await runGrid(seed);
	}, 300_000);

	test('no request fails', () => {
		expect(GRID).toHaveLength(99);
		expect(rows.filter(({ failed }) => failed > 0)).toEqual([]);
	});

	test('take at most 1.15 times as long as with back-off or a known limit, in at least 81 rows', () => {
		const slow = rows.filter(({ ratio }) => ratio > GOAL.ratio).map(({ name, ratio }) => [name, ratio]);
		expect(slow.length <= GRID.length - GOAL.rows ? [] : slow).toEqual([]);
		expect(medianRatio(rows)).toBeLessThan(GOAL.median + 0.005);
	});

	test('reject few requests if the limit is a rolling minute', () => {
		const rolling = rows.filter(({ name }) => name.endsWith('per rolling minute'));
		expect(rolling.length).toBeGreaterThan(10);
		for (const { name, rejectedFirstMinute, rejectedLater } of rolling) {
			expect([name, rejectedFirstMinute <= 6, rejectedLater <= 1.5]).toEqual([name, true, true]);
		}
	});

	test('of one key that eight processes share are used in full', async () => {
		const processes = { count: 8, startWithin: 0 };
		const row = { name: 'shared', service: [{ limit: 60 }], reads: 240, processes };
		const { duration, failed } = await simulate(row, 'limiter', seed);
		expect([failed, duration < 200_000]).toEqual([0, true]);
	});

	test('of one key that eight processes share are learned also if they start within 45 s', async () => {
		const processes = { count: 8, startWithin: 45_000 };
		const row = { name: 'shared', service: [{ limit: 60 }], reads: 240, processes };
		const { duration, failed } = await simulate(row, 'limiter', seed);
		expect([failed, duration < 300_000]).toEqual([0, true]);
	});

	test('of 60 per rolling minute let 150 reads through in 126 s', async () => {
		const row = { name: 'reads', service: [{ limit: 60 }], reads: 150, latency: 10 };
		expect((await simulate(row, 'limiter', seed)).duration).toBeLessThan(2.1 * MINUTE);
	});
});
