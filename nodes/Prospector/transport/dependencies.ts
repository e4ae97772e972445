import { RateLimiterRegistry } from './rateLimiterRegistry';
import { type Clock, systemClock } from './clock';

/** What the package takes from its surroundings. Tests replace it. */
export interface Dependencies {
	clock: Clock;
	/** The time of day, in milliseconds since the epoch. */
	wallClock: { now(): number };
	/** Returns a number from 0 up to 1. */
	random: () => number;
	limiters: RateLimiterRegistry;
}

export const systemDependencies: Dependencies = {
	clock: systemClock,
	wallClock: { now: () => Date.now() },
	random: Math.random,
	// Shared by all executions and the editor.
	limiters: new RateLimiterRegistry(systemClock),
};
