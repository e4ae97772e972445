import { createHash } from 'node:crypto';

/** Hex of a digest: ids that look opaque and yet come out the same in every run of the sandbox. */
export function digest(text: string, length = 16): string {
	return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Gives `prefix_…` for 1, 2, 3 …; every counter starts anew with the workspace it belongs to. */
export function idMaker(prefix: string): () => string {
	let count = 0;
	return () => `${prefix}_${digest(`${prefix}:${++count}`)}`;
}

/** A seeded source of numbers in [0, 1) (mulberry32). */
export function dice(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** ISO 8601 in UTC with milliseconds (contract 2.2). */
export function iso(ms: number): string {
	return new Date(ms).toISOString();
}
