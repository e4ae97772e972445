import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns text and numbers as text, and nothing for other values: String() throws on some objects. */
export function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns milliseconds since the epoch; undefined if the text is no timestamp. */
export function parseTimestamp(timestamp: unknown): number | undefined {
	const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

export const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns eight characters for a text of any length. Among 10,000 IDs, two share theirs once in five million times. */
export const shortHash = (text: string): string =>
	Buffer.from(sha256Hex(text).slice(0, 12), 'hex').toString('base64url');

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
