import { GOAL, GRID, medianRatio, runGrid, simulate, type GridRow } from '../../helpers/rateGrid';

/** `npm run campaign` uses other seeds, and all rows. */
const SEED = 1;
const ROWS = GRID.filter((_, index) => index % 2 === 1);

let rows: GridRow[];
beforeAll(async () => {
	rows = await runGrid(SEED, ROWS);
}, 300_000);

test('the rate limiter lets no request fail in 49 simulations of a service with an unknown rate limit', () => {
	expect(ROWS).toHaveLength(49);
	expect(rows.filter(({ failed }) => failed > 0)).toEqual([]);
});

test('the rate limiter is at most 15 % slower than the faster of two reference clients in 82 % of simulations, and 2.5 % in half of them', () => {
	const slow = rows.filter(({ ratio }) => ratio > GOAL.ratio).map(({ name, ratio }) => [name, ratio]);
	expect(slow.length <= ROWS.length * (1 - GOAL.rows / GRID.length) ? [] : slow).toEqual([]);
	expect(medianRatio(rows)).toBeLessThan(GOAL.median + 0.005);
});

test('the rate limiter causes at most 6 rejected requests in the first minute, then 1.5 per minute, if the limit is per rolling minute', () => {
	const rolling = rows.filter(({ name }) => name.endsWith('per rolling minute'));
	expect(rolling).toHaveLength(6);
	const isRejectedOften = (row: GridRow) => row.rejectedFirstMinute > 6 || row.rejectedLater > 1.5;
	expect(rolling.filter(isRejectedOften)).toEqual([]);
});

test.each([
	['8 processes that start together finish 240 reads within 200 s', 240, 0, 200_000],
	['8 processes that start within 45 s finish 240 reads within 300 s', 240, 45_000, 300_000],
])('%s if all processes share a limit of 60 requests per minute', async (_, reads, startWithinMs, maxMs) => {
	const processes = { count: 8, startWithinMs };
	const row = { name: 'shared', service: [{ limit: 60 }], reads, processes };
	const { durationMs, failed } = await simulate(row, 'limiter', SEED);
	expect([failed, durationMs < maxMs]).toEqual([0, true]);
});

test('the rate limiter finishes 150 requests within 126 s if the limit is 60 requests per rolling minute', async () => {
	const row = { name: 'reads', service: [{ limit: 60 }], reads: 150, latencyMs: 10 };
	expect((await simulate(row, 'limiter', SEED)).durationMs).toBeLessThan(126_000);
});
