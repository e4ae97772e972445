// Ends a task at its deadline, even one that never settles. Called by the client for each attempt.
import type { Failure } from '../../api/failure/failure';

/** Applies if a request budget has no time left. A service nearby responds within this time. */
const MIN_TIMEOUT_MS = 100;

/**
 * @param maxDurationMs milliseconds, at least {@link MIN_TIMEOUT_MS}
 * @param task must close what it opened when its signal is aborted
 * @returns the task's result, or why it ended early
 */
export async function withTimeout<Result>(
	maxDurationMs: number,
	cancelSignal: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Failure> {
	if (cancelSignal?.aborted) return { kind: 'canceled', wasRequestSent: false };
	const timeoutMs = Math.max(Math.ceil(maxDurationMs), MIN_TIMEOUT_MS);
	const timeoutSignal = AbortSignal.timeout(timeoutMs);
	// Not a listener per task on the same signal: Node.js warns about more than ten.
	const signal = AbortSignal.any(cancelSignal ? [cancelSignal, timeoutSignal] : [timeoutSignal]);
	let onAbort = () => {};
	const earlyFailure = new Promise<Failure>((resolve) => {
		const timeout: Failure = { kind: 'timeout', timeoutMs };
		onAbort = () => resolve(timeoutSignal.aborted ? timeout : { kind: 'canceled', wasRequestSent: true });
	});
	signal.addEventListener('abort', onAbort);
	try {
		return await Promise.race([earlyFailure, task(signal)]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
