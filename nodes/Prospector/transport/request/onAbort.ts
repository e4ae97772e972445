interface SharedListener {
	callbacks: Set<() => void>;
	listener: () => void;
}

const sharedListeners = new WeakMap<AbortSignal, SharedListener>();

/**
 * Calls back when a signal is aborted. All callbacks of a signal share one event listener, because Node.js warns about
 * more than ten.
 *
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const shared = sharedListeners.get(signal) ?? listenTo(signal);
	shared.callbacks.add(callback);
	return () => {
		shared.callbacks.delete(callback);
		if (shared.callbacks.size > 0 || sharedListeners.get(signal) !== shared) return;
		sharedListeners.delete(signal);
		signal.removeEventListener('abort', shared.listener);
	};
}

function listenTo(signal: AbortSignal): SharedListener {
	const callbacks = new Set<() => void>();
	const listener = () => callbacks.forEach((callback) => callback());
	signal.addEventListener('abort', listener, { once: true });
	const shared = { callbacks, listener };
	sharedListeners.set(signal, shared);
	return shared;
}
