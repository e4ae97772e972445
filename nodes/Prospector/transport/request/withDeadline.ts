import { onAbort } from '../../utils';
import type { Failure } from '../../api/failure/failure';

/** A request budget may leave no time at all. A service nearby responds within this time. */
const MIN_TIMEOUT_MS = 100;

/**
 * Runs a task that ends at its deadline at the latest, even if the task itself never settles. The task must close what
 * it opened when its signal is aborted.
 *
 * @param maxDurationMs milliseconds, at least {@link MIN_TIMEOUT_MS}
 * @returns the task's result, or why it ended early
 */
export async function withDeadline<Result>(
	maxDurationMs: number,
	cancelSignal: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Failure> {
	if (cancelSignal?.aborted) return { kind: 'canceled' };
	const controller = new AbortController();
	const timeoutMs = Math.max(Math.ceil(maxDurationMs), MIN_TIMEOUT_MS);
	const earlyFailure = new Promise<Failure>((resolve) => {
		controller.signal.addEventListener('abort', () =>
			resolve(cancelSignal?.aborted ? { kind: 'canceled' } : { kind: 'timeout', timeoutMs }),
		);
	});
	const abortTask = () => controller.abort();
	const stopTimer = onAbort(AbortSignal.timeout(timeoutMs), abortTask);
	const stopListening = cancelSignal && onAbort(cancelSignal, abortTask);
	try {
		return await Promise.race([earlyFailure, task(controller.signal)]);
	} finally {
		stopTimer();
		stopListening?.();
	}
}
