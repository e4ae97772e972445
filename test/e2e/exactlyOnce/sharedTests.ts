import type { INode } from 'n8n-workflow';
import type { Environment } from '../environment';
import { failureOf, itemsOf, jsonOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { inputItems, manualWorkflow } from '../n8n/workflows';
import { CUSTOM_KEY, prepareRunStarts, START, startManually } from './runStarts';

const LOST = 'The connection ';
const NOTHING_TO_RETRY = 'was aborted before starting, so it cannot be retried';

/**
 * Tests of lost responses, retried and stopped executions.
 *
 * @param mode in queue mode, and before 2.14, n8n can forget which node was running when it stops an execution
 */
export function testExactlyOnce(e2e: Environment, mode: 'regular' | 'queue'): void {
	/** Executes a node that fails because the response to it is lost. */
	async function failedExecution(work: INode) {
		const execution = await e2e.workflows.execute(manualWorkflow(work));
		expect(execution.status).toBe('error');
		expect(failureOf(execution)).toContain(LOST);
		return execution;
	}

	test.each([
		{ which: 'original', loadWorkflow: false },
		{ which: 'currently saved', loadWorkflow: true },
	])(
		'a failed execution starts no second run when it is retried with the $which n8n workflow',
		async ({ loadWorkflow }) => {
			const starts = await prepareRunStarts(e2e);
			starts.loseResponses();
			const execution = await failedExecution(starts.node());
			const { id, versionId } = await e2e.workflows.get(execution.workflowId);
			const edited = manualWorkflow(starts.node(), ...inputItems('Added', [{ added: true }]));
			await e2e.workflows.save({ id, versionId, ...edited });

			const retry = await e2e.executions.retry(execution.id, { loadWorkflow });
			expect(retry).toMatchObject({ status: 'success', mode: 'retry', retryOf: execution.id });
			expect(jsonOf(retry, START)).toMatchObject([{ idempotency_key: starts.keys()[0] }]);
			expect(itemsOf(retry, 'Added')).toHaveLength(loadWorkflow ? 1 : 0);
			starts.expectStarted(1, 2);
		},
	);

	test('a failed execution and its failed retry start no second run when both are retried', async () => {
		const starts = await prepareRunStarts(e2e);
		starts.loseResponses({ times: 2 });
		const execution = await failedExecution(starts.node());
		const failedRetry = await e2e.executions.retry(execution.id);
		expect(failureOf(failedRetry)).toContain(LOST);
		const second = await e2e.executions.retry(failedRetry.id);
		const third = await e2e.executions.retry(execution.id);
		expect([second.status, third.status]).toEqual(['success', 'success']);
		expect(jsonOf(third, START)[0].id).toBe(jsonOf(second, START)[0].id);
		starts.expectStarted(1, 4);
	});

	const hasTokens = atLeast('2.14');
	const withKey = hasTokens ? '' : ' with a custom idempotency key';

	test(`an execution${withKey} starts one run when it is stopped during the start and then retried`, async () => {
		const { starts, executionId } = await startManually(e2e, hasTokens ? {} : CUSTOM_KEY);
		await e2e.executions.stop(executionId);
		expect((await e2e.executions.ended(executionId)).status).toBe('canceled');
		const mustContinue = mode === 'regular' && hasTokens;
		const retry = await e2e.executions.retry(executionId).catch((error: Error) => {
			if (mustContinue || !error.message.includes(NOTHING_TO_RETRY)) throw error;
		});
		if (retry) expect(retry.status).toBe('success');
		const continues = mustContinue || starts.keys().length > 1;
		starts.expectStarted(1, continues ? 2 : 1);
		expect(retry ? jsonOf(retry, START) : []).toMatchObject(
			continues ? [{ idempotency_key: starts.keys()[0] }] : [],
		);
	});
}
