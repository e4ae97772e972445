import { setTimeout as sleep } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published

/** Longer than any test needs; it only ends tests that fail. */
const TIMEOUT_MS = 25_000;

/**
 * Waits until a condition is true.
 *
 * @param description completes "Timed out waiting for …"
 * @throws after 25 seconds
 */
export async function waitFor(
	description: string,
	condition: () => boolean | Promise<boolean>,
): Promise<void> {
	const deadline = Date.now() + TIMEOUT_MS;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(`Timed out waiting for ${description}`);
		await sleep(1);
	}
}
