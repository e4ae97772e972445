// What the package takes from its surroundings: clocks, randomness and the rate limiters of the process. Passed down
// from the node classes; tests replace it. Tests: test/unit/transport/rate/rateLimiter.test.ts.
import { type Connection, hashConnection } from '../api/apiRequest';
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

/** More API keys than one n8n uses at a time. */
const MAX_RATE_LIMITERS = 1000;

/** The rate limiters of this process: all requests with one API key of one service share one. */
export class RateLimiterRegistry {
	/** By a digest of the address and the API key. The one that was asked for last is at the end. */
	private readonly rateLimiters = new Map<string, RateLimiter>();

	constructor(private readonly clock: Clock) {}

	get(connection: Pick<Connection, 'baseUrl' | 'apiKey'>): RateLimiter {
		const digest = hashConnection(connection);
		const rateLimiter = this.rateLimiters.get(digest) ?? new RateLimiter(this.clock);
		this.rateLimiters.delete(digest);
		this.rateLimiters.set(digest, rateLimiter);
		const [oldestDigest] = this.rateLimiters.keys();
		if (this.rateLimiters.size > MAX_RATE_LIMITERS) this.rateLimiters.delete(oldestDigest);
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
