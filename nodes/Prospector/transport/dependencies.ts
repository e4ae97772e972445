// What the package takes from its surroundings: clocks, randomness and the rate limiters of the process. Passed down
// from the node classes; tests replace it. Tests: test/unit/transport/rate/rateLimiter.test.ts.
import { type Connection, hashConnection } from '../api/apiRequest';
import { HOUR_MS } from '../utils';
import { type Clock, monotonicClock } from './clock';
import { RateLimiter } from './rate/rateLimiter';
import { Turns } from './turns';

export interface Dependencies {
	clock: Clock;
	/** The time of day, in milliseconds since the epoch. */
	wallClock: { now(): number };
	/** Returns a number from 0 up to 1. */
	random: () => number;
	rateLimiters: RateLimiterRegistry;
	turns: Turns;
	/** Most bytes of a trigger's state in n8n's database, instead of 990,000. */
	maxStateBytes?: number;
}

/** Estimates are kept this long without requests: scheduled workflows come back to them. */
const IDLE_LIMITER_TTL_MS = HOUR_MS;

/** The rate limiters of this process: all requests with one API key of one service share one. */
export class RateLimiterRegistry {
	/** By a digest of the address and the API key. */
	private readonly rateLimiters = new Map<string, RateLimiter>();

	constructor(private readonly clock: Clock) {}

	get(connection: Pick<Connection, 'baseUrl' | 'apiKey'>): RateLimiter {
		const nowMs = this.clock.now();
		for (const [digest, { lastActiveAtMs }] of this.rateLimiters) {
			if (nowMs - lastActiveAtMs > IDLE_LIMITER_TTL_MS) this.rateLimiters.delete(digest);
		}
		const digest = hashConnection(connection);
		const rateLimiter = this.rateLimiters.get(digest) ?? new RateLimiter(this.clock);
		this.rateLimiters.set(digest, rateLimiter);
		rateLimiter.lastActiveAtMs = nowMs;
		return rateLimiter;
	}
}

export const systemDependencies: Dependencies = {
	clock: monotonicClock,
	wallClock: { now: () => Date.now() },
	random: Math.random,
	// Shared by all executions and the editor.
	rateLimiters: new RateLimiterRegistry(monotonicClock),
	turns: new Turns(monotonicClock),
};
