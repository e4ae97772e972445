import { onAbort } from '../../utils';
import type { Failure } from '../failure/failure';
import { systemClock } from '../retry/clock';

/** A request budget may leave no time at all. A service nearby responds within this time. */
const MIN_TIMEOUT_MS = 100;

/**
 * Runs a task that ends at its deadline at the latest, even if the task itself never settles.
 *
 * @param timeout milliseconds from now to the deadline, at least {@link MIN_TIMEOUT_MS}
 * @param task must close what it opened when the signal it receives is aborted
 * @returns the task's result, or why it ended early
 * @throws what the task throws before that
 */
export async function withDeadline<Result>(
	timeout: number,
	cancelSignal: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Failure> {
	if (cancelSignal?.aborted) return { kind: 'canceled' };
	const controller = new AbortController();
	const { signal } = controller;
	const earlyEnd = new Promise<Failure>((resolve) => {
		signal.addEventListener('abort', () => resolve({ kind: cancelSignal?.aborted ? 'canceled' : 'timeout' }));
	});
	const timer = new AbortController();
	void systemClock.sleep(Math.max(timeout, MIN_TIMEOUT_MS), timer.signal).then((isOver) => {
		if (isOver) controller.abort();
	});
	const removeListener = cancelSignal && onAbort(cancelSignal, () => controller.abort());
	try {
		return await Promise.race([earlyEnd, task(signal)]);
	} finally {
		timer.abort();
		removeListener?.();
	}
}
