import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published

/** A wait is at most this much too long. */
const LONGEST_PAUSE_MS = 500;
const SHORTEST_PAUSE_MS = 20;

/**
 * Calls a function repeatedly until it returns a value, and less often the longer that takes: an answer of n8n can cost
 * much processor time.
 *
 * @param what completes "Timed out waiting for …"
 * @throws Error after the timeout
 */
export async function eventually<T>(
	what: string,
	read: () => Promise<T | undefined | false> | T | undefined | false,
	timeoutMs = 60_000,
): Promise<T> {
	const startedAt = Date.now();
	for (;;) {
		const value = await read();
		if (value !== undefined && value !== false) return value;
		const waitedMs = Date.now() - startedAt;
		if (waitedMs > timeoutMs) throw new Error(`Timed out waiting for ${what}`);
		await pause(Math.min(Math.max(SHORTEST_PAUSE_MS, waitedMs / 10), LONGEST_PAUSE_MS));
	}
}
