import { sha256Hex } from '../utils';
import { RateLimiter } from './rate/rateLimiter';
import type { Connection } from '../api/apiRequest';
import type { Clock } from './clock';

/** Estimates are kept this long without requests: scheduled workflows come back to them. */
const IDLE_TTL_MS = 60 * 60_000;

/** The rate limiters of this process: all requests with one API key of one service share one. */
export class RateLimiterRegistry {
	private readonly limiters = new Map<string, RateLimiter>();

	constructor(private readonly clock: Clock) {}

	/** Stores only a digest of the API key. */
	get({ baseUrl, apiKey }: Pick<Connection, 'baseUrl' | 'apiKey'>): RateLimiter {
		const now = this.clock.now();
		for (const [name, { lastActiveAt }] of this.limiters) {
			if (now - lastActiveAt > IDLE_TTL_MS) this.limiters.delete(name);
		}
		const name = sha256Hex(JSON.stringify([baseUrl, apiKey]));
		const limiter = this.limiters.get(name) ?? new RateLimiter(this.clock);
		this.limiters.set(name, limiter);
		limiter.lastActiveAt = now;
		return limiter;
	}

	clear(): void {
		this.limiters.clear();
	}
}
