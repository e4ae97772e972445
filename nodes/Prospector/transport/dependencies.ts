import type { Connection } from '../api/apiRequest';
import { HOUR_MS, sha256Hex } from '../utils';
import { type Clock, systemClock } from './clock';
import { RateLimiter } from './rate/rateLimiter';

/** What the package takes from its surroundings. Tests replace it. */
export interface Dependencies {
	clock: Clock;
	/** The time of day, in milliseconds since the epoch. */
	wallClock: { now(): number };
	/** Returns a number from 0 up to 1. */
	random: () => number;
	limiters: RateLimiterRegistry;
}

/** Estimates are kept this long without requests: scheduled workflows come back to them. */
const IDLE_TTL_MS = HOUR_MS;

/** The rate limiters of this process: all requests with one API key of one service share one. */
export class RateLimiterRegistry {
	/** By a digest of the address and the API key. */
	private readonly limiters = new Map<string, RateLimiter>();

	constructor(private readonly clock: Clock) {}

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
}

export const systemDependencies: Dependencies = {
	clock: systemClock,
	wallClock: { now: () => Date.now() },
	random: Math.random,
	// Shared by all executions and the editor.
	limiters: new RateLimiterRegistry(systemClock),
};
