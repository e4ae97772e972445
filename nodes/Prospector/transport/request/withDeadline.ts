import { onAbort } from '../../utils';
import { callAt } from '../retry/clock';

/** Why a task ended early: its time was over, or the execution was canceled. */
export type EarlyEnd = 'timedOut' | 'canceled';

/**
 * Runs a task that ends at its deadline at the latest, even if the task itself never settles.
 *
 * @param timeout milliseconds from now to the deadline
 * @param cancelSignal ends the task before its deadline
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
