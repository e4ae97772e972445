import { GOAL, GRID, type GridRow, runGrid, SHAPES, simulate, summarize } from '../../helpers/rateGrid';

/** `npm run tool -- campaign` uses other seeds, and all rows. */
const SEED = 1;
const ROWS = [...GRID, ...SHAPES].filter(({ reads }) => reads <= 2400);
const isRolling = ({ name }: { name: string }) => name.endsWith('per rolling minute');

test('the rate limiter causes at most 6 rejected requests in the first minute, then 1.5 per minute, if the limit is per rolling minute', async () => {
	const rows = await runGrid(SEED, ROWS.filter(isRolling));
	expect(rows.length).toBeGreaterThan(5);
	const isRejectedOften = (row: GridRow) => row.rejectedFirstMinute > 6 || row.rejectedLater > 1.5;
	expect(rows.filter(isRejectedOften)).toEqual([]);
}, 10_000);

test.each(SHAPES.filter(({ refused }) => refused))(
	'the rate limiter is at most 15 %% slower than back-off if $name',
	async (row) => {
		const [{ backOffRatio }] = await runGrid(SEED, [row]);
		expect(backOffRatio).toBeLessThanOrEqual(1.15);
	},
	10_000,
);

test('an execution finishes 30 requests within 6 s beside polls, of which one list is always refused', async () => {
	const row = SHAPES.find(
		({ name }) => name === '30 reads beside polls, of which one list is always refused',
	)!;
	const { longestBurstMs } = await simulate(row, 'limiter', SEED);
	expect(longestBurstMs).toBeLessThan(6000);
});

test.each([
	['8 processes that start together finish 240 reads within 205 s', 240, 0, 205_000],
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

test('the rate limiter does not count requests that could not connect to the service', async () => {
	const row = { name: 'unreachable', service: [{ limit: 60 }], reads: 150, unreachable: 0.5 };
	const { durationMs, failed } = await simulate(row, 'limiter', SEED);
	expect([failed, durationMs < 180_000]).toEqual([0, true]);
});

test('the rate limiter lets 97 of 100 requests fail within a second if a quota of three per day is used up', async () => {
	const service = { limit: 1_000_000, dailyQuota: 3, rateLimitHeaders: 'retry-after' as const };
	const row = { name: 'quota', service: [service], reads: 100 };
	const { durationMs, failed, rejectedFirstMinute } = await simulate(row, 'limiter', SEED);
	expect([failed, durationMs < 1000, rejectedFirstMinute <= 4]).toEqual([97, true, true]);
});

// One test, because the simulations take most of its time.
test('the rate limiter lets no request fail in simulations of services with 100 unknown rate limits, and is about as fast as a client that knows them', async () => {
	const rows = await runGrid(SEED, ROWS);
	const { failed, rejected, gridRows, fastRows, median, slow } = summarize(rows);
	expect(gridRows).toBeGreaterThan(50);
	expect(failed).toBe(0);
	expect(rejected / rows.length).toBeLessThanOrEqual(GOAL.rejected);
	expect(fastRows).toBeGreaterThanOrEqual(Math.floor(GOAL.share * gridRows));
	expect(median).toBeLessThanOrEqual(GOAL.median);
	expect(slow.length <= GOAL.slowRows ? [] : slow).toEqual([]);
}, 300_000);
