import type { E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { CUSTOM, START } from './starts';
import { clickedUnderWay } from './underWay';

/**
 * Tests of executions that are stopped and then retried.
 *
 * @param mode in queue mode, and before 2.14, n8n may forget which node was under way: then a retry does nothing
 */
export function stoppedExecutions(e2e: () => E2e, mode: 'regular' | 'queue'): void {
	const tokens = atLeast('2.14');
	const key = tokens ? '' : ', with a custom key,';

	test(`an execution${key} that is stopped while its start is under way, then retried, starts one run`, async () => {
		const { starts, executionId } = await clickedUnderWay(e2e(), tokens ? {} : CUSTOM);
		await e2e().executions.stop(executionId);
		expect((await e2e().executions.ended(executionId)).status).toBe('canceled');
		const retry = await e2e().executions.retry(executionId);
		expect(retry.status).toBe('success');
		const goesOn = (mode === 'regular' && tokens) || starts.keys().length > 1;
		starts.expectOnce(1, goesOn ? 2 : 1);
		expect(jsonOf(retry, START)).toMatchObject(goesOn ? [{ idempotency_key: starts.keys()[0] }] : []);
	});
}
