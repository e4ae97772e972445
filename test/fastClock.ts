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

/** Real milliseconds by which the clock advances at most from one reading to the next. */
const MAX_STEP_MS = 10;

/**
 * Makes a clock. While the process or the machine stalls, it stands still: a stall of a second would be a minute.
 *
 * @param speed seconds that pass on it in one real second
 */
export function fastClock(speed: number): FastClock {
	let time = Date.now();
	let lastReading = performance.now();
	let under = 0;
	let begun = 0;
	let ticker: NodeJS.Timeout | undefined;
	const now = () => {
		const reading = performance.now();
		time += Math.min(reading - lastReading, MAX_STEP_MS) * speed;
		lastReading = reading;
		return time;
	};
	const sleep: Clock['sleep'] = async (milliseconds, signal) => {
		const end = now() + milliseconds;
		under++;
		begun++;
		ticker ??= setInterval(now, MAX_STEP_MS / 2);
		try {
			// The clock may have stood still, and a timer may be early by a fraction of a millisecond.
			while (now() < end) if (!(await pause((end - now()) / speed, signal))) return false;
			return !signal?.aborted;
		} finally {
			under--;
			if (under === 0) {
				clearInterval(ticker);
				ticker = undefined;
			}
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
