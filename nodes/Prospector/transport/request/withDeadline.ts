import { sleep } from 'n8n-workflow';
import { onAbort } from '../../utils';

export type EarlyEnd = 'timedOut' | 'canceled';

/**
 * Runs a task that ends at its deadline at the latest, even if the task itself never settles.
 *
 * @param timeout milliseconds from now to the deadline
 * @param task must close what it opened when the signal it receives is aborted
 * @returns the task's result, or why it ended early
 * @throws what the task throws before that
 */
export async function withDeadline<Result>(
	timeout: number,
	cancelSignal: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | EarlyEnd> {
	if (cancelSignal?.aborted) return 'canceled';
	const controller = new AbortController();
	let endEarly: (reason: EarlyEnd) => void = () => {};
	const earlyEnd = new Promise<EarlyEnd>((resolve) => {
		endEarly = (reason) => {
			resolve(reason);
			controller.abort();
		};
	});
	const cancelCallback = callAt(performance.now() + timeout, () => endEarly('timedOut'));
	const removeListener = cancelSignal && onAbort(cancelSignal, () => endEarly('canceled'));
	try {
		return await Promise.race([earlyEnd, task(controller.signal)]);
	} finally {
		cancelCallback();
		removeListener?.();
	}
}

/** How late {@link callAt} may call back. */
const CHECK_INTERVAL_MS = 100;

interface ScheduledCall {
	time: number;
	callback: () => void;
}

const scheduledCalls = new Set<ScheduledCall>();
let isRunning = false;

/**
 * Calls back at a time, at most {@link CHECK_INTERVAL_MS} later. All requests of the process share one timer, because
 * a node can't stop a timer: a timer for each request would stay until its time.
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
