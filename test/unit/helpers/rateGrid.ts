import { seededRandom } from '../../../sandbox/ids';
import { RateLimits, rateLimitHeaders } from '../../../sandbox/rateLimit';
import { DEFAULT_SETTINGS, type SandboxSettings } from '../../../sandbox/settings';
import type { OperationName } from '../../../sandbox/types';
import { RateLimiterRegistry } from '../../../nodes/Prospector/transport/dependencies';
import { type Endpoint, endpoints } from '../../../nodes/Prospector/api/endpoints';
import { isFailure, parseResponse, type ApiResponse } from '../../../nodes/Prospector/api/response';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import {
	RequestStats,
	withRetries,
	withThrottling,
} from '../../../nodes/Prospector/transport/retry/withRetries';
import { noResponse } from './everyFailure';
import { FakeClock } from './fakeClock';

const MINUTE_MS = 60_000;
/** Requests in flight per execution: the default of the node's option. */
const CONCURRENCY = 5;
const TIMEOUT: Failure = { kind: 'timeout', timeoutMs: 30_000 };
const RETRY_FOR_MS = 5 * MINUTE_MS;

/** A service with a limit, and the work for it. */
export interface Row {
	name: string;
	/** The service's limit, at first and then after each {@link changeAfterMs}. */
	service: Array<Partial<SandboxSettings>>;
	changeAfterMs?: number;
	/** Requests per burst of work. */
	reads: number;
	bursts?: { count: number; everyMs: number };
	/** Time from request to response, plus or minus a tenth. */
	latencyMs?: number;
	/** Share of requests whose response never arrives, and whether the service counts them. */
	hanging?: { share: number; areCounted: boolean };
	/** Share of requests that can't connect to the service. */
	unreachable?: number;
	/** Items, at equal distances, that are always rejected; they do not count. Seconds in their Retry-After. */
	refused?: { count: number; retryAfterS?: number };
	/** Requests to another endpoint at the same time, which do not count, and its own limit if it has another one. */
	beside?: { reads: number; service?: Partial<SandboxSettings>; everyMs?: number; isFirstRefused?: boolean };
	/** Most requests that the service accepts at once. */
	atOnce?: number;
	/** Processes with the same API key, and the time within which they start. */
	processes?: { count: number; startWithinMs: number };
}

/** A request of a row. */
interface Work {
	name: string;
	endpoint: Endpoint;
	isRefused: boolean;
	limited: RateLimits;
	retryForMs?: number;
	hasOneAttempt?: boolean;
}

export interface Outcome {
	/** Duration of the work in all bursts, and in the longest one. */
	durationMs: number;
	longestBurstMs: number;
	failed: number;
	rejectedFirstMinute: number;
	/** Rejected requests per minute after the first one. */
	rejectedLater: number;
}

type Policy = 'limiter' | 'backOff' | 'known';

/** Reads with the package's rate limiter and retries; with exponential back-off only; or as if the limit were known. */
export async function simulate(row: Row, policy: Policy, seed: number): Promise<Outcome> {
	const { service, changeAfterMs = Infinity, reads, latencyMs = 100, hanging, refused, beside } = row;
	const { atOnce = Infinity, unreachable = 0, bursts = { count: 1, everyMs: 0 } } = row;
	const { count: processCount, startWithinMs } = row.processes ?? { count: 1, startWithinMs: 0 };
	const random = seededRandom(seed);
	const clock = new FakeClock({ autoAdvance: true });
	const beginMs = Date.parse('2026-01-01T00:00:00Z') + random() * MINUTE_MS;
	const settings: SandboxSettings = { ...DEFAULT_SETTINGS };
	const limits = new RateLimits(() => beginMs + clock.now(), settings);
	const besideSettings: SandboxSettings = { ...DEFAULT_SETTINGS, ...beside?.service };
	const limitsBeside = beside?.service ? new RateLimits(() => beginMs + clock.now(), besideSettings) : limits;
	let inService = 0;
	const rejectedAtMs: number[] = [];
	let failed = 0;
	let hasEnded = false;
	let longestBurstMs = 0;

	const isRefusedAt = (index: number) =>
		index % Math.floor(reads / refused!.count) === Math.floor(reads / refused!.count / 2);
	const rejection = (rateHeaders: Record<string, string>) => {
		const nowMs = beginMs + clock.now();
		const headers = { ...rateHeaders, date: new Date(nowMs).toUTCString() };
		return parseResponse(endpoints.getRun, { statusCode: 429, headers, body: {} }, '', nowMs) as Failure;
	};

	const send = async ({ name, endpoint, isRefused, limited }: Work): Promise<ApiResponse | Failure> => {
		const operation = endpoint.name as OperationName;
		const hangs = random() < (hanging?.share ?? 0);
		const halfMs = (latencyMs * (0.9 + 0.2 * random())) / 2;
		const restMs = hangs ? 30_000 - halfMs : halfMs;
		await clock.sleep(halfMs);
		if (unreachable > 0 && random() < unreachable) return noResponse.unreachable;
		Object.assign(settings, service[Math.min(service.length - 1, Math.floor(clock.now() / changeAfterMs))]);
		if (hangs && !hanging?.areCounted) {
			await clock.sleep(restMs);
			return TIMEOUT;
		}
		if (isRefused) {
			await clock.sleep(restMs);
			const { retryAfterS } = refused ?? {};
			return rejection(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) });
		}
		while (policy === 'known') {
			const { accepted, resetMs } = limited.check('key', operation);
			if (accepted && inService < atOnce) break;
			await clock.sleep(Math.max(resetMs, 1));
		}
		const isTooMany = inService >= atOnce;
		const result = isTooMany ? undefined : limited.consume('key', operation);
		inService++;
		await clock.sleep(restMs);
		inService--;
		if (hangs) return TIMEOUT;
		if (result?.accepted) return { data: [{ id: name }], requestId: 'req_1' };
		rejectedAtMs.push(clock.now());
		return rejection(result ? rateLimitHeaders(result, settings) : {});
	};

	async function readThrottled(work: Work, limiters: RateLimiterRegistry, queueKey: object) {
		const deadlineMs = clock.now() + (work.retryForMs ?? RETRY_FOR_MS);
		const options = {
			...{ clock, random, queueKey, onRetry: () => {} },
			request: {
				...{ endpoint: work.endpoint, hasOneAttempt: work.hasOneAttempt },
				ids: { run_id: work.name, workflow_id: work.name },
			},
			...{ deadlineMs, inFlightDeadlineMs: deadlineMs },
			stats: new RequestStats(),
			rateLimiter: limiters.get({ baseUrl: '', apiKey: '' }),
		};
		const attempt = async () => await withThrottling(async () => await send(work), options);
		return !isFailure(await withRetries(attempt, options));
	}

	async function readWithBackOff(work: Work): Promise<boolean> {
		const deadlineMs = clock.now() + RETRY_FOR_MS;
		for (let delayMs = 1000; ; delayMs = Math.min(2 * delayMs, 30_000)) {
			const result = await send(work);
			if (!isFailure(result)) return true;
			const pauseMs = Math.max(result.retryAfterMs ?? 0, delayMs * random());
			if (clock.now() + pauseMs > deadlineMs) return false;
			await clock.sleep(pauseMs);
		}
	}

	/** Does some work in turn with {@link CONCURRENCY}. Returns when the last of it that counts has ended. */
	async function execute(works: Work[], limiters: RateLimiterRegistry, concurrency = CONCURRENCY) {
		const queueKey = {};
		let endMs = clock.now();
		const worker = async () => {
			for (let work = works.shift(); work; work = works.shift()) {
				const hasSucceeded =
					policy === 'limiter' ? await readThrottled(work, limiters, queueKey) : await readWithBackOff(work);
				if (work.isRefused) continue;
				if (!hasSucceeded) failed++;
				endMs = Math.max(endMs, clock.now());
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return endMs;
	}

	const worksOf = (count: number, endpoint: Endpoint, limited: RateLimits): Work[] =>
		Array.from({ length: count }, (_, index) => ({
			...{ name: `run_${index}`, endpoint, limited },
			isRefused: refused !== undefined && endpoint === endpoints.getRun && isRefusedAt(index),
		}));

	/** Does the work beside, again and again like a trigger if it has an interval. */
	async function workBeside(limiters: RateLimiterRegistry): Promise<void> {
		const { reads: count, everyMs, isFirstRefused = false } = beside!;
		const works = () => worksOf(count, endpoints.listRuns, limitsBeside);
		if (everyMs === undefined) return void (await execute(works(), limiters));
		for (let isFirst = true; !hasEnded; isFirst = false) {
			const [first, ...others] = works();
			// As a trigger tries a list that has failed.
			const refused = { ...first, isRefused: isFirstRefused, retryForMs: 30_000, hasOneAttempt: !isFirst };
			await execute([refused, ...others], limiters, 1);
			await clock.sleep(everyMs);
		}
	}

	async function runProcess(): Promise<number> {
		const limiters = new RateLimiterRegistry(clock);
		let durationMs = 0;
		if (startWithinMs > 0) await clock.sleep(random() * startWithinMs);
		for (let burst = 0; burst < bursts.count; burst++) {
			await clock.sleep(burst * bursts.everyMs - clock.now());
			const startMs = startWithinMs > 0 ? 0 : clock.now();
			const works = worksOf(reads / processCount, endpoints.getRun, limits);
			const executing = execute(works, limiters);
			if (beside && burst === 0) void workBeside(limiters);
			const burstMs = (await executing) - startMs;
			durationMs += burstMs;
			longestBurstMs = Math.max(longestBurstMs, burstMs);
		}
		return durationMs;
	}

	const durationMs = Math.max(...(await Promise.all(Array.from({ length: processCount }, runProcess))));
	hasEnded = true;
	const later = rejectedAtMs.filter((timeMs) => timeMs > MINUTE_MS).length;
	const laterMs = clock.now() - MINUTE_MS;
	return {
		...{ durationMs, longestBurstMs, failed },
		rejectedFirstMinute: rejectedAtMs.length - later,
		rejectedLater: laterMs > 0 ? (later * MINUTE_MS) / laterMs : 0,
	};
}

function row(name: string, service: Partial<SandboxSettings>, rest: Partial<Row> = {}): Row {
	const { limit = 60, windowMs = MINUTE_MS, limitPerSecond } = service;
	const perMinute = Math.min((limit * MINUTE_MS) / windowMs, (limitPerSecond ?? Infinity) * 60);
	const reads = Math.min(Math.max(4 * perMinute, 4), 4000);
	return { name, service: [{ limit, ...service }], reads, ...rest };
}

/** Returns the numbers of pairs such as `60/30`. */
const pairs = (text: string) => text.split(' ').map((pair) => pair.split('/').map(Number));

const smallBucket = { limitKind: 'bucket', burst: 1 } as const;
const perSecond = { limit: 5, windowMs: 1000 };

/** Limits that the contract permits, and work for them. */
export const GRID: Row[] = [
	...[1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3000, 6000].map((limit) =>
		row(`${limit} per rolling minute`, { limit }, limit > 1000 ? { latencyMs: 30 } : {}),
	),
	...[5, 10, 30, 60, 120, 300, 600, 1200, 6000].map((limit) =>
		row(`${limit} per fixed minute`, { limit, limitKind: 'fixed' }, limit > 1000 ? { latencyMs: 30 } : {}),
	),
	...[10, 30, 60, 120, 600, 3000].map((limit) =>
		row(`${limit} at once, then ${limit} per minute`, { limit, limitKind: 'bucket' }, { latencyMs: 50 }),
	),
	...[30, 60, 120, 300, 600].map((limit) =>
		row(`5 at once, then ${limit} per minute`, { ...smallBucket, limit, burst: 5 }),
	),
	...[10, 30, 60, 120, 300, 600, 1200].map((limit) =>
		row(`1 at once, then ${limit} per minute`, { ...smallBucket, limit }),
	),
	...pairs('60/5 60/2 60/10 120/5 300/10 600/15 600/20 30/1').map(([limit, limitPerSecond]) =>
		row(`${limit} per minute and ${limitPerSecond} per second`, { limit, limitPerSecond }),
	),
	...pairs('60/30 60/45 60/61 60/63 60/70 60/90 10/30 10/90 300/30 300/90 5/1 1/1 10/1 20/10').map(
		([limit, seconds]) => row(`${limit} per ${seconds} s`, { limit, windowMs: seconds * 1000 }),
	),
	...[10, 60, 300].map((limit) =>
		row(`${limit} per minute, rejected ones count`, { limit, countRejected: true }),
	),
	row('60 per fixed minute, rejected ones count', { limitKind: 'fixed', countRejected: true }),
	row('5 at once, then 60 per minute, rejected ones count', {
		...{ ...smallBucket, burst: 5, countRejected: true },
	}),
	...pairs('60/30 30/60 60/10 10/60 600/60 60/600').map(([from, to]) => ({
		...row(`${from} per minute, later ${to}`, {}),
		...{ service: [{ limit: from }, { limit: to }], changeAfterMs: 2 * MINUTE_MS, reads: 2 * from + 4 * to },
	})),
	...[20, 2000, 5000].map((latencyMs) => row(`60 per minute, ${latencyMs} ms`, {}, { latencyMs })),
	row('1 per second, 5,000 ms', { limit: 1, windowMs: 1000 }, { latencyMs: 5000 }),
	row('600 per minute, 1,000 ms', { limit: 600 }, { latencyMs: 1000, reads: 1200 }),
	row('300 per minute, 500 ms', { limit: 300 }, { latencyMs: 500 }),
	row('60 per minute, 2 % hang', {}, { hanging: { share: 0.02, areCounted: true } }),
	row('60 per minute, 2 % are lost', {}, { hanging: { share: 0.02, areCounted: false } }),
	row('600 per minute, 1 % hang', { limit: 600 }, { hanging: { share: 0.01, areCounted: true } }),
	...(
		['retry-after', 'retry-after-date', 'retry-after-zero', 'retry-after-short', 'retry-after-past'] as const
	).map((rateLimitHeaders) => row(`60 per minute, ${rateLimitHeaders}`, { rateLimitHeaders })),
	row('1 at once, then 60 per minute, retry-after', { ...smallBucket, rateLimitHeaders: 'retry-after' }),
	row('5 per second, retry-after', { ...perSecond, rateLimitHeaders: 'retry-after' }),
	row('60 per 63 s, retry-after', { windowMs: 63_000, rateLimitHeaders: 'retry-after' }),
	...(['ratelimit', 'ratelimit-draft', 'x-ratelimit', 'ratelimit-wrong'] as const).map((rateLimitHeaders) =>
		row(`60 per minute, ${rateLimitHeaders}`, { rateLimitHeaders }),
	),
	row('5 per second, ratelimit', { ...perSecond, rateLimitHeaders: 'ratelimit' }),
	...pairs('40/120 100/300 20/30 61/90').map(([reads, seconds]) => {
		const bursts = { count: 6, everyMs: seconds * 1000 };
		return row(`60 per minute, ${reads} every ${seconds} s`, {}, { reads, bursts });
	}),
];

const UNLIMITED = { limit: 1_000_000 };
const refusedRow = (name: string, refused: Row['refused'], rest: Partial<Row> = {}): Row => ({
	...row(name, UNLIMITED, { reads: 300, latencyMs: 250, refused, ...rest }),
});
const POLLS = { reads: 10, everyMs: MINUTE_MS, isFirstRefused: true };

/** Limits of something else than the API key and a minute, and limits that are harder to learn. */
export const SHAPES: Row[] = [
	row(
		'600 per minute beside an endpoint of 10 per minute',
		{ limit: 600 },
		{ reads: 600, beside: { reads: 15, service: { limit: 10 } } },
	),
	row(
		'60 per minute and endpoint, beside another endpoint',
		{ limitPerEndpoint: true },
		{ beside: { reads: 100 } },
	),
	refusedRow('1 of 300 items is always refused', { count: 1 }),
	refusedRow('1 of 300 items is always refused, retry-after 60', { count: 1, retryAfterS: 60 }),
	refusedRow('10 of 300 items are always refused', { count: 10 }),
	row('1 of 150 items is always refused, 60 per minute', {}, { reads: 150, refused: { count: 1 } }),
	row('30 reads beside polls, of which one list is always refused', UNLIMITED, {
		...{ reads: 30, bursts: { count: 13, everyMs: 20_500 }, beside: POLLS },
	}),
	row('1 at once, then 6000 per minute', { ...smallBucket, limit: 6000 }, { latencyMs: 30 }),
	row('5 at once, then 6000 per minute', { ...smallBucket, burst: 5, limit: 6000 }, { latencyMs: 30 }),
	row('1 at once, then 60 per minute, 5,000 ms', smallBucket, { latencyMs: 5000 }),
	row('3 at once', UNLIMITED, { reads: 600, atOnce: 3 }),
];

export interface GridRow extends Outcome {
	name: string;
	/** Whether it counts for the goal, and not only for the comparison with back-off. */
	isOfGrid: boolean;
	/** Duration in relation to the better of back-off and a known limit. */
	ratio: number;
	/** Duration in relation to back-off; 0 if requests fail with it. */
	backOffRatio: number;
}

/** Runs rows of {@link GRID} or {@link SHAPES} with the package's rate limiter. */
export async function runGrid(seed: number, gridRows: Row[]): Promise<GridRow[]> {
	const rows: GridRow[] = [];
	for (const row of gridRows) {
		// Rows with a fixed minute begin at different seconds of it.
		const rowSeed = seed * GRID.length + [...GRID, ...SHAPES].indexOf(row);
		const outcome = await simulate(row, 'limiter', rowSeed);
		const backOff = await simulate(row, 'backOff', rowSeed);
		const known = await simulate(row, 'known', rowSeed);
		const backOffMs = backOff.failed > 0 ? Infinity : backOff.durationMs;
		const ratio = outcome.durationMs / Math.min(known.durationMs, backOffMs);
		const backOffRatio = outcome.durationMs / backOffMs;
		rows.push({ name: row.name, isOfGrid: GRID.includes(row), ...outcome, ratio, backOffRatio });
	}
	return rows;
}

/**
 * Of the rows of {@link GRID}, at least this share must take at most `ratio`, and half of them at most the median. Of all
 * rows, at most `slowRows` may take more than `backOffRatio`, and an average one may have this many rejected requests.
 */
export const GOAL = {
	share: 82 / 99,
	ratio: 1.15,
	median: 1.035,
	slowRows: 3,
	backOffRatio: 1.5,
	rejected: 50,
};

/** Summarizes the ratios of the rows of {@link GRID}, and what was slow, failed or rejected in all rows. */
export function summarize(rows: GridRow[]) {
	const ratios = rows.filter(({ isOfGrid }) => isOfGrid).map(({ ratio }) => ratio);
	return {
		gridRows: ratios.length,
		fastRows: ratios.filter((ratio) => ratio <= GOAL.ratio).length,
		median: ratios.sort((a, b) => a - b)[ratios.length >> 1],
		slow: rows.filter(({ backOffRatio }) => backOffRatio > GOAL.backOffRatio).map(({ name }) => name),
		failed: rows.reduce((sum, { failed }) => sum + failed, 0),
		/** Per row, in the first minute and in an average one after it. */
		rejected: rows.reduce((sum, row) => sum + row.rejectedFirstMinute + row.rejectedLater, 0) / rows.length,
	};
}
