import { sleep } from 'n8n-workflow';

/** Time as a parameter: tests pass a clock of their own. */
export interface Timing {
	/** Milliseconds since any fixed moment. */
	now(): number;
	/**
	 * Waits.
	 *
	 * @param milliseconds how long
	 * @returns true after the whole time, false as soon as the signal was given
	 */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<boolean>;
}

/** n8n offers no sleep that ends with a signal in all its versions, so a wait looks up this often. */
const SLICE = 100;

export const realTiming: Timing = {
	// Never set back or forward, as the time of day may be.
	now: () => performance.now(),
	async sleep(milliseconds, signal) {
		const end = realTiming.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - realTiming.now()) {
			if (signal?.aborted) return false;
			await sleep(Math.min(left, SLICE));
		}
		return !signal?.aborted;
	},
};
