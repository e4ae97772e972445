import type { RateLimitHeaders, SandboxSettings } from './settings';
import type { Clock } from './types';

export interface LimitVerdict {
	accepted: boolean;
	limit: number;
	remaining: number;
	/** ms until the oldest counted request leaves the window; 0 when none is counted. */
	resetMs: number;
	now: number;
}

/** A rolling window per key record (contract 8). Only accepted requests count. */
export class RollingLimit {
	private readonly accepted = new Map<string, number[]>();

	constructor(
		private readonly clock: Clock,
		private readonly settings: SandboxSettings,
	) {}

	/** Judges one request of a key, and counts it when accepted. */
	take(keyId: string): LimitVerdict {
		const now = this.clock();
		const { limit, windowMs } = this.settings;
		const times = (this.accepted.get(keyId) ?? []).filter((time) => time > now - windowMs);
		const accepted = times.length < limit;
		if (accepted) times.push(now);
		this.accepted.set(keyId, times);
		// A lowered limit can leave more in the window than it allows: room comes when the surplus has left.
		const leaving = times[Math.max(0, times.length - limit)];
		const resetMs = leaving === undefined ? 0 : leaving + windowMs - now;
		return { accepted, limit, remaining: Math.max(0, limit - times.length), resetMs, now };
	}
}

/** The headers that tell of a verdict; which ones the service sends is not shown (contract 8). */
export function rateLimitHeaders(verdict: LimitVerdict, settings: SandboxSettings): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const kind of [settings.rateLimitHeaders].flat()) Object.assign(headers, WRITERS[kind](verdict));
	return headers;
}

const WRITERS: Record<RateLimitHeaders, (verdict: LimitVerdict) => Record<string, string>> = {
	none: () => ({}),
	'retry-after': (verdict) => retryAfter(verdict, String(Math.ceil(verdict.resetMs / 1000))),
	'retry-after-date': (verdict) => retryAfter(verdict, new Date(1000 * resetSecond(verdict)).toUTCString()),
	ratelimit: (verdict) => ({
		'ratelimit-limit': String(verdict.limit),
		'ratelimit-remaining': String(verdict.remaining),
		'ratelimit-reset': String(Math.ceil(verdict.resetMs / 1000)),
	}),
	'x-ratelimit': (verdict) => ({
		'x-ratelimit-limit': String(verdict.limit),
		'x-ratelimit-remaining': String(verdict.remaining),
		'x-ratelimit-reset': String(resetSecond(verdict)),
	}),
};

function retryAfter(verdict: LimitVerdict, value: string): Record<string, string> {
	return verdict.accepted ? {} : { 'retry-after': value };
}

// Rounded up: whoever comes back at that second is not early.
function resetSecond(verdict: LimitVerdict): number {
	return Math.ceil((verdict.now + verdict.resetMs) / 1000);
}
