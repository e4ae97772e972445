import { setTimeout as pause } from 'node:timers/promises';

/** Far beyond what any test needs: it only keeps a test that must fail from never ending. */
const PATIENCE = 25_000;

/**
 * Waits for something to come true.
 *
 * @param what completes "Waited in vain for …"
 * @throws Error when it stays false
 */
export async function waitFor(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
	const end = Date.now() + PATIENCE;
	while (!(await condition())) {
		if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
		await pause(1);
	}
}
