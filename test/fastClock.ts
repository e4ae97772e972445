import type { Clock } from '../nodes/Prospector/transport/retry/clock';

/** A clock that runs faster than the real one, and all that waits on it. */
export interface FastClock {
	/** Milliseconds on the fast clock, beginning with the present date. */
	now(): number;
	/** The same as what the node waits with: milliseconds of the fast clock. */
	timing: Clock;
	/** Waits under way. */
	waiting(): number;
	/** Waits that were ever begun. */
	waits(): number;
}

/**
 * Makes a clock.
 *
 * @param speed seconds that pass on it in one real second
 */
export function fastClock(speed: number): FastClock {
	const begin = performance.now();
	const date = Date.now();
	let under = 0;
	let begun = 0;
	const now = () => date + (performance.now() - begin) * speed;
	const sleep: Clock['sleep'] = async (milliseconds, signal) => {
		under++;
		begun++;
		try {
			const end = now() + milliseconds;
			// A timer may be early by a fraction of a millisecond, which is much on a fast clock.
			while (now() < end) if (!(await pause((end - now()) / speed, signal))) return false;
			return !signal?.aborted;
		} finally {
			under--;
		}
	};
	return { now, timing: { now, sleep }, waiting: () => under, waits: () => begun };
}

/** @returns false as soon as the signal is given, true after the real milliseconds */
async function pause(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return false;
	return await new Promise((resolve) => {
		const end = (whole: boolean) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', stop);
			resolve(whole);
		};
		const stop = () => end(false);
		const timer = setTimeout(() => end(true), milliseconds);
		signal?.addEventListener('abort', stop);
	});
}

/**
 * Lets everything that waits with an object wait on another clock.
 *
 * @returns puts back what was there
 */
export function replaceTiming(target: Clock, by: Clock): () => void {
	const { now, sleep } = target;
	Object.assign(target, { now: by.now, sleep: by.sleep });
	return () => void Object.assign(target, { now, sleep });
}
