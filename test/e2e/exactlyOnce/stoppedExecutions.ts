import type { E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { START } from './starts';
import { clickedUnderWay } from './underWay';

/**
 * Tests of executions that are stopped and then retried.
 *
 * @param mode in queue mode, and before 2.14, a stopped execution has no node left to go on with: its retry ends at once
 */
export function stoppedExecutions(e2e: () => E2e, mode: 'regular' | 'queue'): void {
	const goesOn = mode === 'regular' && atLeast('2.14');
	const then = goesOn ? 'then retried, starts one run' : 'has started one run, and a retry does nothing';

	test(`an execution that is stopped while its start is under way, ${then}`, async () => {
		const { starts, executionId } = await clickedUnderWay(e2e());
		await e2e().executions.stop(executionId);
		expect((await e2e().executions.ended(executionId)).status).toBe('canceled');
		const retry = await e2e().executions.retry(executionId);
		expect(retry.status).toBe('success');
		starts.expectOnce(1, goesOn ? 2 : 1);
		expect(jsonOf(retry, START)).toMatchObject(goesOn ? [{ idempotency_key: starts.keys()[0] }] : []);
	});
}
