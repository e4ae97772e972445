import { digest, seededRandom as dice } from '../../sandbox/ids';

/** Choices that come out the same for the same seed. */
export interface Choices {
	/** @returns whether something of this probability happens */
	chance(probability: number): boolean;
	/** @returns a whole number, both ends included */
	whole(low: number, high: number): number;
	one<T>(list: readonly T[]): T;
	/** @returns a key, as often as its weight says */
	weighted<K extends string>(weights: Record<K, number>): K;
}

/** @param parts what the choices are for: other parts, other choices */
export function choices(...parts: Array<string | number>): Choices {
	const roll = dice(parseInt(digest(JSON.stringify(parts), 8), 16));
	const whole = (low: number, high: number) => low + Math.floor(roll() * (high - low + 1));
	return {
		chance: (probability) => roll() < probability,
		whole,
		one: (list) => list[whole(0, list.length - 1)],
		weighted<K extends string>(weights: Record<K, number>) {
			const entries = Object.entries(weights) as Array<[K, number]>;
			let left = roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
			for (const [key, weight] of entries) if ((left -= weight) < 0) return key;
			return entries[entries.length - 1][0];
		},
	};
}

/** 64 hexadecimal digits, as n8n's resume tokens have, that follow from the parts. */
export const seededToken = (...parts: Array<string | number>) => digest(JSON.stringify(parts), 64);
