import type { LimitKind, RateLimitHeaders, SandboxSettings } from './settings';
import type { Clock, OperationName } from './types';

export interface RateLimitResult {
	accepted: boolean;
	limit: number;
	windowMs: number;
	remaining: number;
	/** Milliseconds until there is room again or, if there is room, until the oldest counted request expires. */
	resetMs: number;
	/** Epoch milliseconds. */
	now: number;
}

/** Counts the requests with one key under one limit. */
interface Counter {
	/** Requests that there is room for. */
	remaining(now: number, limit: number, windowMs: number): number;
	/** Milliseconds, see {@link RateLimitResult}. */
	resetMs(now: number, limit: number, windowMs: number): number;
	count(now: number, windowMs: number): void;
}

interface Limit {
	limit: number;
	windowMs: number;
	counter: Counter;
}

/** The limits of a service (contract, section 8). By default, one per rolling minute; only accepted requests count. */
export class RateLimits {
	private readonly counters = new Map<string, Counter>();

	constructor(
		private readonly clock: Clock,
		private readonly settings: SandboxSettings,
	) {}

	/** Counts a request if all limits allow it. */
	consume(keyId: string, operation?: OperationName): RateLimitResult {
		const now = this.clock();
		const limits = this.limitsOf(keyId, operation);
		const { accepted } = findStrictest(limits, now);
		if (accepted || this.settings.countRejected) {
			for (const { windowMs, counter } of limits) counter.count(now, windowMs);
		}
		return { ...findStrictest(limits, now), accepted };
	}

	/** Like {@link consume}, but counts nothing. */
	check(keyId: string, operation?: OperationName): RateLimitResult {
		return findStrictest(this.limitsOf(keyId, operation), this.clock());
	}

	private limitsOf(keyId: string, operation?: OperationName): Limit[] {
		const { limit, windowMs, limitKind, burst, limitPerSecond, dailyQuota } = this.settings;
		const id = this.settings.limitPerEndpoint ? `${keyId} ${operation}` : keyId;
		const limits = [{ kind: limitKind, limit, windowMs, capacity: burst ?? limit }];
		const rolling = { kind: 'rolling' as const, capacity: 0 };
		if (limitPerSecond !== null) limits.push({ ...rolling, limit: limitPerSecond, windowMs: 1000 });
		if (dailyQuota !== null) limits.push({ ...rolling, limit: dailyQuota, windowMs: 24 * 3_600_000 });
		return limits.map(({ kind, capacity, ...rest }, index) => {
			const name = `${id} ${index} ${kind} ${kind === 'bucket' ? capacity : ''}`;
			const counter = this.counters.get(name) ?? COUNTERS[kind](capacity);
			this.counters.set(name, counter);
			return { ...rest, counter };
		});
	}
}

/** Returns the state of the limit that leaves the least room. */
function findStrictest(limits: Limit[], now: number): RateLimitResult {
	const states = limits.map(({ limit, windowMs, counter }) => ({
		limit,
		windowMs,
		remaining: counter.remaining(now, limit, windowMs),
		resetMs: counter.resetMs(now, limit, windowMs),
	}));
	const [strictest] = states.sort((a, b) => a.remaining - b.remaining || b.resetMs - a.resetMs);
	return { ...strictest, accepted: strictest.remaining >= 1, now };
}

const COUNTERS: Record<LimitKind, (capacity: number) => Counter> = {
	rolling() {
		const times: number[] = [];
		return {
			remaining(now, limit, windowMs) {
				while (times.length > 0 && times[0] <= now - windowMs) times.shift();
				return Math.max(0, limit - times.length);
			},
			// After the limit was lowered, the window can hold more requests than it allows.
			resetMs(now, limit, windowMs) {
				const oldest = times[Math.max(0, times.length - limit)];
				return oldest === undefined ? 0 : oldest + windowMs - now;
			},
			count: (now) => times.push(now),
		};
	},
	/** Windows that start at multiples of their length. */
	fixed() {
		let counted = { window: -1, requests: 0 };
		return {
			remaining(now, limit, windowMs) {
				const window = Math.floor(now / windowMs);
				return window === counted.window ? Math.max(0, limit - counted.requests) : limit;
			},
			resetMs: (now, _limit, windowMs) => windowMs - (now % windowMs),
			count(now, windowMs) {
				const window = Math.floor(now / windowMs);
				counted = { window, requests: window === counted.window ? counted.requests + 1 : 1 };
			},
		};
	},
	/** Tokens that are added continuously, at most as many as the capacity. */
	bucket(capacity) {
		let tokens = capacity;
		let filledAt = -Infinity;
		return {
			remaining(now, limit, windowMs) {
				if (filledAt > -Infinity) {
					tokens = Math.min(capacity, tokens + ((now - filledAt) * limit) / windowMs);
				}
				filledAt = now;
				// Sums of fractions may be a little less than a token.
				return Math.floor(tokens + 1e-6);
			},
			resetMs: (_now, limit, windowMs) => (Math.max(0, 1 - tokens) * windowMs) / limit,
			count: () => (tokens = Math.max(0, tokens - 1)),
		};
	},
};

/** Returns the rate limit headers that the settings choose: none are shown (contract, section 8). */
export function rateLimitHeaders(result: RateLimitResult, settings: SandboxSettings): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const kind of [settings.rateLimitHeaders].flat()) Object.assign(headers, WRITERS[kind](result));
	return headers;
}

const WRITERS: Record<RateLimitHeaders, (result: RateLimitResult) => Record<string, string>> = {
	none: () => ({}),
	'retry-after': (result) => retryAfter(result, String(Math.ceil(result.resetMs / 1000))),
	'retry-after-zero': (result) => retryAfter(result, '0'),
	'retry-after-short': (result) => retryAfter(result, '1'),
	'retry-after-past': (result) => retryAfter(result, new Date(result.now - 60_000).toUTCString()),
	'retry-after-date': (result) => retryAfter(result, new Date(1000 * resetSecond(result)).toUTCString()),
	ratelimit: (result) => ({
		'ratelimit-limit': String(result.limit),
		'ratelimit-remaining': String(result.remaining),
		'ratelimit-reset': String(Math.ceil(result.resetMs / 1000)),
	}),
	'ratelimit-draft': (result) => ({
		'ratelimit-policy': `"default";q=${result.limit};w=${Math.ceil(result.windowMs / 1000)}`,
		ratelimit: `"default";r=${result.remaining};t=${Math.ceil(result.resetMs / 1000)}`,
	}),
	'ratelimit-wrong': () => ({
		'ratelimit-limit': '1',
		'ratelimit-remaining': '0',
		'ratelimit-reset': '3600',
	}),
	'x-ratelimit': (result) => ({
		'x-ratelimit-limit': String(result.limit),
		'x-ratelimit-remaining': String(result.remaining),
		'x-ratelimit-reset': String(resetSecond(result)),
	}),
};

function retryAfter(result: RateLimitResult, value: string): Record<string, string> {
	return result.accepted ? {} : { 'retry-after': value };
}

// Rounded up, so that a retry in that second is not too early.
function resetSecond(result: RateLimitResult): number {
	return Math.ceil((result.now + result.resetMs) / 1000);
}
