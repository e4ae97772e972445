import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import { RateLimitEstimator } from '../../../../nodes/Prospector/transport/rate/rateLimitEstimator';
import { numbered } from '../../helpers/clientScenario';
import { status } from '../../helpers/everyFailure';
import { GOAL, GRID, type GridRow, runGrid, SHAPES, simulate, summarize } from '../../helpers/rateGrid';

/** `npm run tool -- campaign` uses other seeds, and all rows. */
const SEED = 1;
const ROWS = [...GRID, ...SHAPES].filter(({ reads }) => reads <= 2400);

/**
 * Results by the name of the row, which tests share. They are computed within the tests, so that a mutation test knows
 * which tests execute a line.
 */
const results = new Map<string, GridRow>();
async function rowsOf(wanted: typeof ROWS): Promise<GridRow[]> {
	const missing = wanted.filter(({ name }) => !results.has(name));
	for (const row of await runGrid(SEED, missing)) results.set(row.name, row);
	return wanted.map(({ name }) => results.get(name)!);
}

test('the rate limiter causes at most 6 rejected requests in the first minute, then 1.5 per minute, if the limit is per rolling minute', async () => {
	const rows = await rowsOf(ROWS.filter(({ name }) => name.endsWith('per rolling minute')));
	expect(rows).toHaveLength(10);
	const isRejectedOften = (row: GridRow) => row.rejectedFirstMinute > 6 || row.rejectedLater > 1.5;
	expect(rows.filter(isRejectedOften)).toEqual([]);
}, 10_000);

test.each(SHAPES.filter(({ refused }) => refused))(
	'the rate limiter is at most 15 %% slower than back-off if $name',
	async (row) => {
		const [{ backOffRatio }] = await rowsOf([row]);
		expect(backOffRatio).toBeLessThanOrEqual(1.15);
	},
	10_000,
);

test('an execution finishes 30 requests within 6 s beside polls, of which one list is always refused', async () => {
	const name = '30 reads beside polls, of which one list is always refused';
	const [{ longestBurstMs }] = await rowsOf(SHAPES.filter((row) => row.name === name));
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

const oneAtOnce = { limitKind: 'bucket', burst: 1 } as const;

test('the rate limiter finishes 660 requests within 320 s if the limit of one at once rises from 30 to 300 per minute after 2 min', async () => {
	const service = [30, 300].map((limit) => ({ ...oneAtOnce, limit }));
	const row = { name: 'rising', service, changeAfterMs: 120_000, reads: 660 };
	expect((await simulate(row, 'limiter', SEED)).durationMs).toBeLessThan(320_000);
});

test('4 processes finish 240 reads within 10 min on average if they share a limit of one at once and 60 per minute', async () => {
	const processes = { count: 4, startWithinMs: 0 };
	const row = { name: 'shared', service: [{ ...oneAtOnce, limit: 60 }], reads: 240, processes };
	let totalMs = 0;
	for (const seed of [1, 2, 3, 4, 5]) totalMs += (await simulate(row, 'limiter', seed)).durationMs;
	expect(totalMs / 5).toBeLessThan(600_000);
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

test('the rate limiter remembers only the last 1,000 paths that the service has rejected', () => {
	const estimator = new RateLimitEstimator();
	const send = (path: string, failure?: Failure) =>
		estimator.recordResult(estimator.recordSent(0, [path]), 0, failure);
	send('accepted');
	for (const path of numbered('path', 1001)) send(path, status(429));
	expect(['path0', 'path1'].map((path) => estimator.rankOf([path], 0))).toEqual([0, 1]);
});

// One test, because the simulations take most of its time.
test('the rate limiter lets no request fail in simulations of services with 100 unknown rate limits, and is about as fast as a client that knows them', async () => {
	const rows = await rowsOf(ROWS);
	const { rejected, gridRows, fastRows, median, slow } = summarize(rows);
	expect(rows).toHaveLength(100);
	expect(rows.filter(({ failed }) => failed > 0)).toEqual([]);
	expect(rejected).toBeLessThanOrEqual(GOAL.rejected);
	expect(fastRows).toBeGreaterThanOrEqual(Math.floor(GOAL.share * gridRows));
	expect(median).toBeLessThanOrEqual(GOAL.median);
	expect(slow.length <= GOAL.slowRows ? [] : slow).toEqual([]);
}, 300_000);
