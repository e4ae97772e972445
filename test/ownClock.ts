import type { NodeTypes } from '../scripts/engine';
import type { Clock } from '../nodes/Prospector/transport/clock';
import { Prospector, ProspectorTrigger, RateLimiterRegistry, Turns } from './built';
import { PROSPECTOR } from './nodes';

/**
 * Makes the nodes of the package use a clock and rate limiters of the test's own.
 *
 * @param time returns milliseconds since the epoch
 * @returns a function that forgets what the rate limiters have learned
 */
export function useOwnClock(nodeTypes: NodeTypes, clock: Clock, time: () => number) {
	const rateLimiters = new RateLimiterRegistry(clock);
	const turns = new Turns({ now: () => 0 });
	const dependencies = { clock, wallClock: { now: time }, random: Math.random, rateLimiters, turns };
	nodeTypes.add(PROSPECTOR, new Prospector(dependencies));
	nodeTypes.add(`${PROSPECTOR}Trigger`, new ProspectorTrigger(dependencies));
	return () => void (dependencies.rateLimiters = new RateLimiterRegistry(clock));
}
