import { seededRandom } from '../../../sandbox/ids';
import { RateLimits, rateLimitHeaders } from '../../../sandbox/rateLimit';
import { DEFAULT_SETTINGS, type RateLimitHeaders, type SandboxSettings } from '../../../sandbox/settings';
import { RateLimiterRegistry } from '../../../nodes/Prospector/transport/rateLimiterRegistry';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { isFailure, parseResponse, type ApiResponse } from '../../../nodes/Prospector/api/response';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import { RequestStats } from '../../../nodes/Prospector/transport/retry/requestStats';
import { withRetries } from '../../../nodes/Prospector/transport/retry/withRetries';
import { withThrottling } from '../../../nodes/Prospector/transport/retry/withThrottling';
import { FakeClock } from './fakeClock';

const MINUTE = 60_000;

/** A service with a limit, and the work for it. */
export interface Row {
	name: string;
	/** The service's limit, at first and then after each {@link changeAfter}. */
	service: Array<Partial<SandboxSettings>>;
	/** Milliseconds until the limit changes. */
	changeAfter?: number;
	/** Requests per burst of work, and the milliseconds between the beginnings of two bursts. */
	reads: number;
	bursts?: { count: number; every: number };
	/** Milliseconds from request to response, plus or minus a tenth. */
	latency?: number;
	/** Share of requests whose response never arrives, and whether the service counts them. */
	hanging?: { share: number; areCounted: boolean };
	/** Processes with the same API key, and the milliseconds within which they start. */
	processes?: { count: number; startWithin: number };
}

export interface Outcome {
	/** Milliseconds of work in all bursts. */
	duration: number;
	failed: number;
	rejectedFirstMinute: number;
	/** Rejected requests per minute after the first one. */
	rejectedLater: number;
}

type Policy = 'limiter' | 'backOff' | 'known';

/** Requests in flight per execution: the default of the node's option. */
const CONCURRENCY = 5;
const TIMEOUT = 30_000;
const RETRY_FOR = 5 * MINUTE;
const read = { endpoint: endpoints.getRun, ids: { run_id: 'run_1' } };

/** Reads with the package's rate limiter and retries; with exponential back-off only; or as if the limit were known. */
export async function simulate(row: Row, policy: Policy, seed: number): Promise<Outcome> {
	const { service, changeAfter = Infinity, reads, bursts, latency = 100, hanging, processes } = row;
	const random = seededRandom(seed);
	const clock = new FakeClock({ autoAdvance: true });
	const begin = Date.parse('2026-01-01T00:00:00Z') + random() * MINUTE;
	const settings: SandboxSettings = { ...DEFAULT_SETTINGS };
	const limits = new RateLimits(() => begin + clock.now(), settings);
	const rejectedAt: number[] = [];

	const send = async (): Promise<ApiResponse | Failure> => {
		const hangs = random() < (hanging?.share ?? 0);
		const time = latency * (0.9 + 0.2 * random());
		await clock.sleep(time / 2);
		const change = Math.min(service.length - 1, Math.floor(clock.now() / changeAfter));
		Object.assign(settings, service[change]);
		if (hangs && !hanging?.areCounted) {
			await clock.sleep(TIMEOUT - time / 2);
			return { kind: 'timeout', timeoutMs: TIMEOUT };
		}
		while (policy === 'known') {
			const { accepted, resetMs } = limits.check('key');
			if (accepted) break;
			await clock.sleep(Math.max(resetMs, 1));
		}
		const result = limits.consume('key');
		await clock.sleep(hangs ? TIMEOUT - time / 2 : time / 2);
		if (hangs) return { kind: 'timeout', timeoutMs: TIMEOUT };
		if (result.accepted) return { data: [{ id: 'run_1' }], requestId: 'req_1' };
		rejectedAt.push(clock.now());
		const headers = {
			...rateLimitHeaders(result, settings),
			date: new Date(begin + clock.now()).toUTCString(),
		};
		return parseResponse(endpoints.getRun, { statusCode: 429, headers, body: {} }) as Failure;
	};

	async function readOnce(limiters: RateLimiterRegistry, queueKey: object): Promise<boolean> {
		if (policy === 'limiter') {
			const limiter = limiters.get({ baseUrl: '', apiKey: '' });
			const shared = { clock, deadlineMs: clock.now() + RETRY_FOR, recorder: new RequestStats().request() };
			const attempt = async () => await withThrottling(send, { ...shared, limiter, queueKey });
			const options = { ...shared, request: read, random, onRetry: () => {} };
			return !isFailure(await withRetries(attempt, options));
		}
		const start = clock.now();
		for (let delay = 1000; ; delay = Math.min(2 * delay, 30_000)) {
			const result = await send();
			if (!isFailure(result)) return true;
			const retryAfter = ('retryAfter' in result && result.retryAfter) || 0;
			const pause = Math.max(retryAfter * 1000, delay * random());
			if (clock.now() + pause > start + RETRY_FOR) return false;
			await clock.sleep(pause);
		}
	}

	let failed = 0;
	async function execution(limiters: RateLimiterRegistry, count: number) {
		let left = count;
		const queueKey = {};
		const worker = async () => {
			while (left-- > 0) if (!(await readOnce(limiters, queueKey))) failed++;
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, worker));
	}

	async function work(): Promise<number> {
		const { count, startWithin } = processes ?? { count: 1, startWithin: 0 };
		const process = async () => {
			const limiters = new RateLimiterRegistry(clock);
			let duration = 0;
			if (startWithin > 0) await clock.sleep(random() * startWithin);
			for (let burst = 0; burst < (bursts?.count ?? 1); burst++) {
				await clock.sleep(burst * (bursts?.every ?? 0) - clock.now());
				const start = startWithin > 0 ? 0 : clock.now();
				await execution(limiters, reads / count);
				duration += clock.now() - start;
			}
			return duration;
		};
		return Math.max(...(await Promise.all(Array.from({ length: count }, process))));
	}
	const duration = await work();
	const later = rejectedAt.filter((time) => time > MINUTE).length;
	return {
		duration,
		failed,
		rejectedFirstMinute: rejectedAt.length - later,
		rejectedLater: clock.now() > MINUTE ? (later * MINUTE) / (clock.now() - MINUTE) : 0,
	};
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

function row(name: string, service: Partial<SandboxSettings>, rest: Partial<Row> = {}): Row {
	const { limit = 60, windowMs = MINUTE, limitPerSecond } = service;
	const perMinute = Math.min((limit * MINUTE) / windowMs, (limitPerSecond ?? Infinity) * 60);
	return { name, service: [{ limit, ...service }], reads: clamp(4 * perMinute, 4, 4000), ...rest };
}

const rowsOf = <Value>(values: Value[], toRow: (value: Value) => Row) => values.map(toRow);

/** Limits that the contract permits, and work for them. */
export const GRID: Row[] = [
	...rowsOf([1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3000, 6000], (limit) =>
		row(`${limit} per rolling minute`, { limit }, limit > 1000 ? { latency: 30 } : {}),
	),
	...rowsOf([5, 10, 30, 60, 120, 300, 600, 1200, 6000], (limit) =>
		row(`${limit} per fixed minute`, { limit, limitKind: 'fixed' }, limit > 1000 ? { latency: 30 } : {}),
	),
	...rowsOf([10, 30, 60, 120, 600, 3000], (limit) =>
		row(`${limit} at once, then ${limit} per minute`, { limit, limitKind: 'bucket' }, { latency: 50 }),
	),
	...rowsOf([30, 60, 120, 300, 600], (limit) =>
		row(`5 at once, then ${limit} per minute`, { limit, limitKind: 'bucket', burst: 5 }),
	),
	...rowsOf([10, 30, 60, 120, 300, 600, 1200], (limit) =>
		row(`1 at once, then ${limit} per minute`, { limit, limitKind: 'bucket', burst: 1 }),
	),
	...rowsOf(
		[
			[60, 5],
			[60, 2],
			[60, 10],
			[120, 5],
			[300, 10],
			[600, 15],
			[600, 20],
			[30, 1],
		],
		([limit, limitPerSecond]) =>
			row(`${limit} per minute and ${limitPerSecond} per second`, { limit, limitPerSecond }),
	),
	...rowsOf(
		[
			[60, 30],
			[60, 45],
			[60, 61],
			[60, 63],
			[60, 70],
			[60, 90],
			[10, 30],
			[10, 90],
			[300, 30],
			[300, 90],
			[5, 1],
			[1, 1],
			[10, 1],
			[20, 10],
		],
		([limit, seconds]) => row(`${limit} per ${seconds} s`, { limit, windowMs: seconds * 1000 }),
	),
	...rowsOf([10, 60, 300], (limit) =>
		row(`${limit} per minute, rejected ones count`, { limit, countRejected: true }),
	),
	row('60 per fixed minute, rejected ones count', { limitKind: 'fixed', countRejected: true }),
	row('5 at once, then 60 per minute, rejected ones count', {
		...{ limitKind: 'bucket', burst: 5, countRejected: true },
	}),
	...rowsOf(
		[
			[60, 30],
			[30, 60],
			[60, 10],
			[10, 60],
			[600, 60],
			[60, 600],
		],
		([from, to]) => ({
			...row(`${from} per minute, later ${to}`, {}),
			...{ service: [{ limit: from }, { limit: to }], changeAfter: 2 * MINUTE, reads: 2 * from + 4 * to },
		}),
	),
	...rowsOf([20, 2000, 5000], (latency) => row(`60 per minute, ${latency} ms`, {}, { latency })),
	row('1 per second, 5,000 ms', { limit: 1, windowMs: 1000 }, { latency: 5000 }),
	row('600 per minute, 1,000 ms', { limit: 600 }, { latency: 1000, reads: 1200 }),
	row('300 per minute, 500 ms', { limit: 300 }, { latency: 500 }),
	row('60 per minute, 2 % hang', {}, { hanging: { share: 0.02, areCounted: true } }),
	row('60 per minute, 2 % are lost', {}, { hanging: { share: 0.02, areCounted: false } }),
	row('600 per minute, 1 % hang', { limit: 600 }, { hanging: { share: 0.01, areCounted: true } }),
	...rowsOf(
		['retry-after', 'retry-after-date', 'retry-after-zero', 'retry-after-short', 'retry-after-past'],
		(headers: RateLimitHeaders) => row(`60 per minute, ${headers}`, { rateLimitHeaders: headers }),
	),
	row('1 at once, then 60 per minute, retry-after', {
		...{ limitKind: 'bucket', burst: 1, rateLimitHeaders: 'retry-after' },
	}),
	row('5 per second, retry-after', { limit: 5, windowMs: 1000, rateLimitHeaders: 'retry-after' }),
	row('60 per 63 s, retry-after', { windowMs: 63_000, rateLimitHeaders: 'retry-after' }),
	...rowsOf(['ratelimit', 'ratelimit-draft', 'x-ratelimit', 'ratelimit-wrong'], (headers: RateLimitHeaders) =>
		row(`60 per minute, ${headers}`, { rateLimitHeaders: headers }),
	),
	row('5 per second, ratelimit', { limit: 5, windowMs: 1000, rateLimitHeaders: 'ratelimit' }),
	...rowsOf(
		[
			[40, 2 * MINUTE],
			[100, 5 * MINUTE],
			[20, MINUTE / 2],
			[61, 1.5 * MINUTE],
		],
		([reads, every]) =>
			row(`60 per minute, ${reads} every ${every / 1000} s`, {}, { reads, bursts: { count: 6, every } }),
	),
];

export interface GridRow extends Outcome {
	name: string;
	/** Duration in relation to the better of back-off and a known limit. */
	ratio: number;
}

async function possibleDuration(one: Row, seed: number): Promise<number> {
	const [backOff, known] = [await simulate(one, 'backOff', seed), await simulate(one, 'known', seed)];
	return Math.min(known.duration, backOff.failed > 0 ? Infinity : backOff.duration);
}

/** Runs all rows of {@link GRID} with the package's rate limiter. */
export async function runGrid(seed: number): Promise<GridRow[]> {
	const rows: GridRow[] = [];
	for (const [index, one] of GRID.entries()) {
		// Rows with a fixed minute begin at different seconds of it.
		const rowSeed = seed * GRID.length + index;
		const outcome = await simulate(one, 'limiter', rowSeed);
		const ratio = outcome.duration / (await possibleDuration(one, rowSeed));
		rows.push({ name: one.name, ...outcome, ratio });
	}
	return rows;
}

/** At least as many rows must take at most this ratio, and half of them at most the median. */
export const GOAL = { rows: 81, ratio: 1.15, median: 1.02 };

export const medianRatio = (rows: GridRow[]): number =>
	rows.map(({ ratio }) => ratio).sort((a, b) => a - b)[rows.length >> 1];
