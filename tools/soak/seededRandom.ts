import { seededRandom as randomNumbers, digest } from '../../sandbox/ids';

/** Random choices that are the same for the same seed. */
export interface SeededRandom {
	/** Returns whether an event of this probability happens. */
	chance(probability: number): boolean;
	/** Returns an integer from `min` to `max`, both included. */
	integer(min: number, max: number): number;
	one<T>(list: readonly T[]): T;
	/** Returns a key; its probability is proportional to its weight. */
	weighted<K extends string>(weights: Record<K, number>): K;
}

/** @param seed the purpose of the choices is part of it, so that they do not depend on other choices */
export function seededRandom(...seed: Array<string | number>): SeededRandom {
	const next = randomNumbers(parseInt(digest(JSON.stringify(seed), 8), 16));
	const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
	return {
		chance: (probability) => next() < probability,
		integer,
		one: (list) => list[integer(0, list.length - 1)],
		weighted<K extends string>(weights: Record<K, number>) {
			const entries = Object.entries(weights) as Array<[K, number]>;
			let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
			return (entries.find(([, weight]) => (rest -= weight) < 0) ?? entries[entries.length - 1])[0];
		},
	};
}
