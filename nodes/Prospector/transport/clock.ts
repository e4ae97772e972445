// Time as a dependency. Used by everything that waits, so that tests run on a clock of their own.
import { sleep } from 'n8n-workflow';

export interface Clock {
	/** Milliseconds since a fixed time. */
	now(): number;
	/** Waits. Returns true after that time, or false within 100 ms after the signal is aborted. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<boolean>;
}

/** No sleep with a signal exists in all n8n versions (n8n-behaviour.md#stop), so the signal is checked this often. */
const ABORT_CHECK_INTERVAL_MS = 100;

export const monotonicClock: Clock = {
	now: () => performance.now(),
	async sleep(milliseconds, signal) {
		const endMs = monotonicClock.now() + milliseconds;
		for (let leftMs = milliseconds; leftMs > 0; leftMs = endMs - monotonicClock.now()) {
			if (signal?.aborted) return false;
			await sleep(Math.min(leftMs, ABORT_CHECK_INTERVAL_MS));
		}
		return !signal?.aborted;
	},
};
