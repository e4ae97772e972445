import { sleep } from 'n8n-workflow';

/** Time as a dependency, so that tests can use their own. */
export interface Clock {
	/** Milliseconds since a fixed time. */
	now(): number;
	/** Waits. Returns true after that time, or false as soon as the signal is aborted. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<boolean>;
}

/** How late `sleep` notices an abort, because some n8n versions offer no sleep with a signal; and `callAt` a time. */
const CHECK_INTERVAL_MS = 100;

export const systemClock: Clock = {
	// Monotonic, unlike the time of day.
	now: () => performance.now(),
	async sleep(milliseconds, signal) {
		const end = systemClock.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - systemClock.now()) {
			if (signal?.aborted) return false;
			await sleep(Math.min(left, CHECK_INTERVAL_MS));
		}
		return !signal?.aborted;
	},
};

/** The time of day. */
export const wallClock = {
	/** Milliseconds since the epoch. */
	now: () => Date.now(),
};

interface ScheduledCall {
	time: number;
	callback: () => void;
}

const scheduledCalls = new Set<ScheduledCall>();
let isRunning = false;

/**
 * Calls back at a time, at most {@link CHECK_INTERVAL_MS} later. All requests of the process share one timer, because a
 * node can't stop a timer, so that one for each request would stay until its time.
 *
 * @param time on the clock of `performance.now()`
 * @returns a function that removes the callback
 */
export function callAt(time: number, callback: () => void): () => void {
	const call = { time, callback };
	scheduledCalls.add(call);
	if (!isRunning) void callUntilEmpty();
	return () => void scheduledCalls.delete(call);
}

async function callUntilEmpty(): Promise<void> {
	isRunning = true;
	while (scheduledCalls.size > 0) {
		await sleep(CHECK_INTERVAL_MS);
		const now = performance.now();
		for (const call of scheduledCalls) {
			if (call.time > now) continue;
			scheduledCalls.delete(call);
			call.callback();
		}
	}
	isRunning = false;
}
