import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import { RateLimitEstimator } from '../../../../nodes/Prospector/transport/rate/rateLimitEstimator';
import { numbered } from '../../helpers/clientScenario';
import { status } from '../../helpers/everyFailure';
import {
	GOAL,
	GRID,
	type GridRow,
	type Row,
	runGrid,
	SHAPES,
	simulate,
	summarize,
} from '../../helpers/rateGrid';

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

test('an execution finishes 30 requests within 6 s while polls read ten lists, one of which is always rejected', async () => {
	const name = '30 reads beside polls, of which one list is always refused';
	const [{ longestBurstMs }] = await rowsOf(SHAPES.filter((row) => row.name === name));
	expect(longestBurstMs).toBeLessThan(6000);
});

const oneAtOnce = { limitKind: 'bucket', burst: 1 } as const;
const perMinute = (limit: number) => ({ service: [{ limit }] });
const eightProcesses = (startWithinMs: number) => ({
	...{ ...perMinute(60), reads: 240, processes: { count: 8, startWithinMs } },
});
const rising = {
	service: [30, 300].map((limit) => ({ ...oneAtOnce, limit })),
	changeAfterMs: 120_000,
	reads: 660,
};

test.each<[number, string, Omit<Row, 'name'>]>([
	[205, '8 processes with 240 reads start together', eightProcesses(0)],
	[300, '8 processes with 240 reads start within 45 s', eightProcesses(45_000)],
	[126, '150 requests are limited to 60 per rolling minute', { ...perMinute(60), reads: 150, latencyMs: 10 }],
	[320, 'the limit for 660 requests, of one at once, rises from 30 to 300 per minute after 2 min', rising],
	[180, 'half of 150 requests can not connect', { ...perMinute(60), reads: 150, unreachable: 0.5 }],
])('the rate limiter lets all requests succeed within %i s if %s', async (maxSeconds, name, row) => {
	const { durationMs, failed } = await simulate({ name, ...row }, 'limiter', SEED);
	expect(failed).toBe(0);
	expect(durationMs).toBeLessThan(maxSeconds * 1000);
});

test('4 simulated processes finish 240 reads within 10 min on average if they share a token bucket of one that is filled 60 times per minute', async () => {
	const processes = { count: 4, startWithinMs: 0 };
	const row = { name: 'shared', service: [{ ...oneAtOnce, limit: 60 }], reads: 240, processes };
	let totalMs = 0;
	for (const seed of [1, 2, 3, 4, 5]) totalMs += (await simulate(row, 'limiter', seed)).durationMs;
	expect(totalMs / 5).toBeLessThan(600_000);
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
