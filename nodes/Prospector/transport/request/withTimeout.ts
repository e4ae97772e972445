// Ends a task at its deadline, even one that never settles. Called by the client for each attempt.
import type { Failure } from '../../api/failure/failure';

/**
 * @param maxDurationMs milliseconds
 * @param task must close what it opened when its signal is aborted
 * @returns the task's result, or why it ended early
 */
export async function withTimeout<Result>(
	maxDurationMs: number,
	cancelSignal: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Failure> {
	if (cancelSignal?.aborted) return { kind: 'canceled', wasRequestSent: false };
	const timeoutMs = Math.max(Math.ceil(maxDurationMs), 0);
	const timeoutSignal = AbortSignal.timeout(timeoutMs);
	const controller = new AbortController();
	let onTimeout = () => {};
	let onCancel = () => {};
	const earlyFailure = new Promise<Failure>((resolve) => {
		const end = (failure: Failure) => {
			resolve(failure);
			controller.abort();
		};
		onTimeout = () => end({ kind: 'timeout', timeoutMs });
		onCancel = () => end({ kind: 'canceled', wasRequestSent: true });
	});
	timeoutSignal.addEventListener('abort', onTimeout);
	const cancelListeners = cancelSignal && listenersOf(cancelSignal);
	cancelListeners?.add(onCancel);
	try {
		return await Promise.race([earlyFailure, task(controller.signal)]);
	} finally {
		timeoutSignal.removeEventListener('abort', onTimeout);
		cancelListeners?.delete(onCancel);
	}
}

const listenersBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Returns what is called when a signal is aborted. Node.js warns about more than ten listeners of a signal, and a signal of
 * AbortSignal.any for each task would make the abort take milliseconds after thousands of tasks.
 */
function listenersOf(signal: AbortSignal): Set<() => void> {
	const known = listenersBySignal.get(signal);
	if (known !== undefined) return known;
	const listeners = new Set<() => void>();
	listenersBySignal.set(signal, listeners);
	signal.addEventListener('abort', () => listeners.forEach((listener) => listener()), { once: true });
	return listeners;
}
