import type { E2e } from '../bench';
import { failureOf, itemsOf, jsonOf } from '../n8n/executions';
import { clicked, items } from '../n8n/workflows';
import { START, startsIn, type Starts } from './starts';

const LOST = 'The connection ended before the service answered';

/** Tests of failed executions that are retried from the list of executions. */
export function retriedExecutions(e2e: () => E2e): void {
	/** An execution that failed since the reply to its start was lost. */
	async function failed(starts: Starts, times = 1) {
		starts.loseReplies({ times });
		const execution = await e2e().workflows.execute(clicked(starts.node()));
		expect(execution.status).toBe('error');
		expect(failureOf(execution)).toContain(LOST);
		expect(starts.started()).toBe(1);
		return execution;
	}

	test.each([
		{ which: 'original', loadWorkflow: false },
		{ which: 'currently saved', loadWorkflow: true },
	])('a failed execution retried with the $which n8n workflow starts one run', async ({ loadWorkflow }) => {
		const one = await startsIn(e2e());
		const execution = await failed(one);
		// Somebody has edited the n8n workflow meanwhile.
		const { id, versionId } = await e2e().workflows.get(execution.workflowId);
		const edited = clicked(one.node(), items('Added', [{ added: true }]));
		await e2e().workflows.save({ id, versionId, ...edited });

		const retry = await e2e().executions.retry(execution.id, { loadWorkflow });
		expect(retry).toMatchObject({ status: 'success', mode: 'retry', retryOf: execution.id });
		expect(jsonOf(retry, START)).toMatchObject([{ idempotency_key: one.keys()[0] }]);
		expect(itemsOf(retry, 'Added')).toHaveLength(loadWorkflow ? 1 : 0);
		one.expectOnce(1, 2);
	});

	test('a retry that fails too, retried again, starts one run, and so does the first one retried again', async () => {
		const one = await startsIn(e2e());
		const execution = await failed(one, 2);
		const again = await e2e().executions.retry(execution.id);
		expect(again.status).toBe('error');
		expect(failureOf(again)).toContain(LOST);
		const last = await e2e().executions.retry(again.id);
		expect(last.status).toBe('success');
		const impatient = await e2e().executions.retry(execution.id);
		expect(impatient.status).toBe('success');
		expect(jsonOf(impatient, START)[0].id).toBe(jsonOf(last, START)[0].id);
		one.expectOnce(1, 4);
	});

	test('a failed creation that is retried creates one Prospector workflow', async () => {
		const { control, workflows, executions, prospector, requests } = e2e();
		const created = () => control.state().counts.workflowsCreated;
		const before = created();
		const earlier = requests('createWorkflow').length;
		control.addFault({ match: { operation: 'createWorkflow' }, kind: 'drop', when: 'after' });
		const create = prospector('Create', {
			resource: 'workflow',
			operation: 'create',
			specifyBody: 'json',
			jsonBody: '{"name": "Dentists"}',
			options: { maxWait: 0 },
		});
		const execution = await workflows.execute(clicked(create));
		expect(failureOf(execution)).toContain(LOST);
		const retry = await executions.retry(execution.id);
		expect(retry.status).toBe('success');
		const [first, second, ...more] = requests('createWorkflow')
			.slice(earlier)
			.map(({ idempotencyKey }) => idempotencyKey);
		expect(more).toEqual([]);
		expect(second).toBe(first);
		expect(jsonOf(retry, 'Create')).toMatchObject([{ name: 'Dentists', idempotency_key: first }]);
		expect(created() - before).toBe(1);
	});
}
