import type { RateLimitHeaders, SandboxSettings } from './settings';
import type { Clock } from './types';

export interface RateLimitResult {
	accepted: boolean;
	limit: number;
	remaining: number;
	/** Milliseconds until the oldest counted request expires; 0 if none is counted. */
	resetMs: number;
	/** Epoch milliseconds. */
	now: number;
}

/** A rolling window per key record (contract 8). Only accepted requests count. */
export class RollingWindowLimiter {
	private readonly accepted = new Map<string, number[]>();

	constructor(
		private readonly clock: Clock,
		private readonly settings: SandboxSettings,
	) {}

	/** Counts a request of a key if the limit allows it. */
	consume(keyId: string): RateLimitResult {
		const now = this.clock();
		const { limit, windowMs } = this.settings;
		const times = (this.accepted.get(keyId) ?? []).filter((time) => time > now - windowMs);
		const accepted = times.length < limit;
		if (accepted) times.push(now);
		this.accepted.set(keyId, times);
		// After the limit was lowered, the window can hold more requests than it allows.
		const oldest = times[Math.max(0, times.length - limit)];
		const resetMs = oldest === undefined ? 0 : oldest + windowMs - now;
		return { accepted, limit, remaining: Math.max(0, limit - times.length), resetMs, now };
	}
}

/** Returns the rate limit headers that the settings choose; contract 8 does not show any. */
export function rateLimitHeaders(result: RateLimitResult, settings: SandboxSettings): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const kind of [settings.rateLimitHeaders].flat()) Object.assign(headers, WRITERS[kind](result));
	return headers;
}

const WRITERS: Record<RateLimitHeaders, (result: RateLimitResult) => Record<string, string>> = {
	none: () => ({}),
	'retry-after': (result) => retryAfter(result, String(Math.ceil(result.resetMs / 1000))),
	'retry-after-date': (result) => retryAfter(result, new Date(1000 * resetSecond(result)).toUTCString()),
	ratelimit: (result) => ({
		'ratelimit-limit': String(result.limit),
		'ratelimit-remaining': String(result.remaining),
		'ratelimit-reset': String(Math.ceil(result.resetMs / 1000)),
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
