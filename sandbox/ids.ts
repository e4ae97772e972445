import { createHash } from 'node:crypto';

/** Returns a hex digest: IDs look opaque but are the same in every run of the sandbox. */
export function digest(text: string, length = 16): string {
	return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Returns a function that generates the IDs `prefix_…`. */
export function createIdGenerator(prefix: string): () => string {
	let count = 0;
	return () => `${prefix}_${digest(`${prefix}:${++count}`)}`;
}

/** Returns a deterministic replacement for Math.random (mulberry32). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Formats a time in ISO 8601 in UTC with milliseconds (contract, section 2.2). */
export function iso(ms: number): string {
	return new Date(ms).toISOString();
}
