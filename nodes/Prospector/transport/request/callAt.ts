import { sleep } from 'n8n-workflow';

/** How late a callback may be called. */
const CHECK_INTERVAL_MS = 100;

interface Scheduled {
	time: number;
	callback: () => void;
}

const scheduled = new Set<Scheduled>();
let isRunning = false;

/**
 * Calls back at a time, at most {@link CHECK_INTERVAL_MS} later. One timer serves all requests of the process, because a
 * timer for each can't be stopped in a node and would stay until its time. It ends soon after the last request.
 *
 * @param time on the clock of `performance.now()`
 * @returns a function that removes the callback
 */
export function callAt(time: number, callback: () => void): () => void {
	const entry = { time, callback };
	scheduled.add(entry);
	if (!isRunning) void callUntilEmpty();
	return () => void scheduled.delete(entry);
}

async function callUntilEmpty(): Promise<void> {
	isRunning = true;
	while (scheduled.size > 0) {
		await sleep(CHECK_INTERVAL_MS);
		const now = performance.now();
		for (const entry of scheduled) {
			if (entry.time > now) continue;
			scheduled.delete(entry);
			entry.callback();
		}
	}
	isRunning = false;
}
