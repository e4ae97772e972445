import { seededRandom } from '../../../sandbox/ids';
import { RateLimits, rateLimitHeaders } from '../../../sandbox/rateLimit';
import { DEFAULT_SETTINGS, type SandboxSettings } from '../../../sandbox/settings';
import { RateLimiterRegistry } from '../../../nodes/Prospector/transport/dependencies';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { isFailure, parseResponse, type ApiResponse } from '../../../nodes/Prospector/api/response';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import { RequestStats } from '../../../nodes/Prospector/transport/retry/requestStats';
import { retryAfterMsOf } from '../../../nodes/Prospector/api/failure/evidence';
import { withRetries } from '../../../nodes/Prospector/transport/retry/withRetries';
import { withThrottling } from '../../../nodes/Prospector/transport/retry/withThrottling';
import { FakeClock } from './fakeClock';

const MINUTE_MS = 60_000;
/** Requests in flight per execution: the default of the node's option. */
const CONCURRENCY = 5;
const TIMEOUT: Failure = { kind: 'timeout', timeoutMs: 30_000 };
const RETRY_FOR_MS = 5 * MINUTE_MS;
const read = { endpoint: endpoints.getRun, ids: { run_id: 'run_1' } };

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
	/** Processes with the same API key, and the time within which they start. */
	processes?: { count: number; startWithinMs: number };
}

export interface Outcome {
	/** Duration of the work in all bursts. */
	durationMs: number;
	failed: number;
	rejectedFirstMinute: number;
	/** Rejected requests per minute after the first one. */
	rejectedLater: number;
}

type Policy = 'limiter' | 'backOff' | 'known';

/** Reads with the package's rate limiter and retries; with exponential back-off only; or as if the limit were known. */
export async function simulate(row: Row, policy: Policy, seed: number): Promise<Outcome> {
	const { service, changeAfterMs = Infinity, reads, bursts, latencyMs = 100, hanging } = row;
	const { count: processCount, startWithinMs } = row.processes ?? { count: 1, startWithinMs: 0 };
	const random = seededRandom(seed);
	const clock = new FakeClock({ autoAdvance: true });
	const beginMs = Date.parse('2026-01-01T00:00:00Z') + random() * MINUTE_MS;
	const settings: SandboxSettings = { ...DEFAULT_SETTINGS };
	const limits = new RateLimits(() => beginMs + clock.now(), settings);
	const rejectedAtMs: number[] = [];
	let failed = 0;

	const send = async (): Promise<ApiResponse | Failure> => {
		const hangs = random() < (hanging?.share ?? 0);
		const halfMs = (latencyMs * (0.9 + 0.2 * random())) / 2;
		const restMs = hangs ? 30_000 - halfMs : halfMs;
		await clock.sleep(halfMs);
		Object.assign(settings, service[Math.min(service.length - 1, Math.floor(clock.now() / changeAfterMs))]);
		if (hangs && !hanging?.areCounted) {
			await clock.sleep(restMs);
			return TIMEOUT;
		}
		while (policy === 'known') {
			const { accepted, resetMs } = limits.check('key');
			if (accepted) break;
			await clock.sleep(Math.max(resetMs, 1));
		}
		const result = limits.consume('key');
		await clock.sleep(restMs);
		if (hangs) return TIMEOUT;
		if (result.accepted) return { data: [{ id: 'run_1' }], requestId: 'req_1' };
		rejectedAtMs.push(clock.now());
		const date = new Date(beginMs + clock.now()).toUTCString();
		const headers = { ...rateLimitHeaders(result, settings), date };
		return parseResponse(
			endpoints.getRun,
			{ statusCode: 429, headers, body: {} },
			'',
			beginMs + clock.now(),
		) as Failure;
	};

	async function readThrottled(limiters: RateLimiterRegistry, queueKey: object): Promise<boolean> {
		const rateLimiter = limiters.get({ baseUrl: '', apiKey: '' });
		const shared = { clock, deadlineMs: clock.now() + RETRY_FOR_MS, stats: new RequestStats() };
		const attempt = async () => await withThrottling(send, { ...shared, rateLimiter, queueKey });
		const options = { ...shared, request: read, random, onRetry: () => {} };
		return !isFailure(await withRetries(attempt, options));
	}

	async function readWithBackOff(): Promise<boolean> {
		const deadlineMs = clock.now() + RETRY_FOR_MS;
		for (let delayMs = 1000; ; delayMs = Math.min(2 * delayMs, 30_000)) {
			const result = await send();
			if (!isFailure(result)) return true;
			const pauseMs = Math.max(retryAfterMsOf(result) ?? 0, delayMs * random());
			if (clock.now() + pauseMs > deadlineMs) return false;
			await clock.sleep(pauseMs);
		}
	}

	async function execute(limiters: RateLimiterRegistry) {
		let left = reads / processCount;
		const queueKey = {};
		const readOnce = policy === 'limiter' ? readThrottled : readWithBackOff;
		const worker = async () => {
			while (left-- > 0) if (!(await readOnce(limiters, queueKey))) failed++;
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, worker));
	}

	async function runProcess(): Promise<number> {
		const limiters = new RateLimiterRegistry(clock);
		let durationMs = 0;
		if (startWithinMs > 0) await clock.sleep(random() * startWithinMs);
		for (let burst = 0; burst < (bursts?.count ?? 1); burst++) {
			await clock.sleep(burst * (bursts?.everyMs ?? 0) - clock.now());
			const startMs = startWithinMs > 0 ? 0 : clock.now();
			await execute(limiters);
			durationMs += clock.now() - startMs;
		}
		return durationMs;
	}

	const durationMs = Math.max(...(await Promise.all(Array.from({ length: processCount }, runProcess))));
	const later = rejectedAtMs.filter((timeMs) => timeMs > MINUTE_MS).length;
	const laterMs = clock.now() - MINUTE_MS;
	const rejectedLater = laterMs > 0 ? (later * MINUTE_MS) / laterMs : 0;
	return { durationMs, failed, rejectedFirstMinute: rejectedAtMs.length - later, rejectedLater };
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

export interface GridRow extends Outcome {
	name: string;
	/** Duration in relation to the better of back-off and a known limit. */
	ratio: number;
}

/** Runs rows of {@link GRID} with the package's rate limiter. */
export async function runGrid(seed: number, gridRows = GRID): Promise<GridRow[]> {
	const rows: GridRow[] = [];
	for (const row of gridRows) {
		// Rows with a fixed minute begin at different seconds of it.
		const rowSeed = seed * GRID.length + GRID.indexOf(row);
		const outcome = await simulate(row, 'limiter', rowSeed);
		const backOff = await simulate(row, 'backOff', rowSeed);
		const known = await simulate(row, 'known', rowSeed);
		const possibleMs = Math.min(known.durationMs, backOff.failed > 0 ? Infinity : backOff.durationMs);
		rows.push({ name: row.name, ...outcome, ratio: outcome.durationMs / possibleMs });
	}
	return rows;
}

/** At least as many of all rows must take at most this ratio, and half of them at most the median. */
export const GOAL = { rows: 81, ratio: 1.15, median: 1.02 };

export const medianRatio = (rows: GridRow[]): number =>
	rows.map(({ ratio }) => ratio).sort((a, b) => a - b)[rows.length >> 1];
