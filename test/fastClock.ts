import type { Clock } from '../nodes/Prospector/transport/clock';

export interface FastClock {
	/** Returns epoch milliseconds on the fast clock, which starts at the real time. */
	now(): number;
	/** The clock in the form that the node uses. */
	timing: Clock;
	/** Returns the number of sleeps in progress. */
	waiting(): number;
	/** Returns the number of all sleeps so far. */
	waits(): number;
}

/** Maximum real milliseconds that the clock counts between two readings. */
const MAX_STEP_MS = 10;

/**
 * Creates a clock that runs faster than the real one. It stops while the process or the machine stalls, because a stall
 * of a second would otherwise count as a minute.
 *
 * @param speed seconds on this clock per real second
 */
export function fastClock(speed: number): FastClock {
	let time = Date.now();
	let lastReading = performance.now();
	let active = 0;
	let total = 0;
	let ticker: NodeJS.Timeout | undefined;
	const now = () => {
		const reading = performance.now();
		time += Math.min(reading - lastReading, MAX_STEP_MS) * speed;
		lastReading = reading;
		return time;
	};
	const sleep: Clock['sleep'] = async (milliseconds, signal) => {
		const end = now() + milliseconds;
		active++;
		total++;
		ticker ??= setInterval(now, MAX_STEP_MS / 2);
		try {
			// The clock can stop, and a timer can fire a fraction of a millisecond early.
			while (now() < end) if (!(await sleepUnlessAborted((end - now()) / speed, signal))) return false;
			return !signal?.aborted;
		} finally {
			active--;
			if (active === 0) {
				clearInterval(ticker);
				ticker = undefined;
			}
		}
	};
	return { now, timing: { now, sleep }, waiting: () => active, waits: () => total };
}

/** Resolves to true after real milliseconds, or to false when aborted. */
async function sleepUnlessAborted(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return false;
	return await new Promise((resolve) => {
		const settle = (completed: boolean) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', stop);
			resolve(completed);
		};
		const stop = () => settle(false);
		const timer = setTimeout(() => settle(true), milliseconds);
		signal?.addEventListener('abort', stop);
	});
}
