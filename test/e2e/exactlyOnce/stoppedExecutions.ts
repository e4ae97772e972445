import type { E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { CUSTOM, START } from './starts';
import { clickedUnderWay } from './underWay';

/** n8n's words where it does not know how far an execution was. */
const NOTHING_LEFT = 'was aborted before starting, so it cannot be retried';

/**
 * Tests of executions that are stopped and then retried.
 *
 * @param mode in queue mode, and before 2.14, n8n may forget which node was under way: then a retry does nothing or is refused
 */
export function stoppedExecutions(e2e: () => E2e, mode: 'regular' | 'queue'): void {
	const tokens = atLeast('2.14');
	const key = tokens ? '' : ', with a custom key,';

	test(`an execution${key} that is stopped while its start is under way, then retried, starts one run`, async () => {
		const { starts, executionId } = await clickedUnderWay(e2e(), tokens ? {} : CUSTOM);
		await e2e().executions.stop(executionId);
		expect((await e2e().executions.ended(executionId)).status).toBe('canceled');
		const goesOnForSure = mode === 'regular' && tokens;
		const retry = await e2e()
			.executions.retry(executionId)
			.catch((error: Error) => {
				if (goesOnForSure || !error.message.includes(NOTHING_LEFT)) throw error;
			});
		if (retry) expect(retry.status).toBe('success');
		const goesOn = goesOnForSure || starts.keys().length > 1;
		starts.expectOnce(1, goesOn ? 2 : 1);
		expect(retry ? jsonOf(retry, START) : []).toMatchObject(
			goesOn ? [{ idempotency_key: starts.keys()[0] }] : [],
		);
	});
}
