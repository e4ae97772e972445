import { API, executeNode, type ExecutionOptions } from '../helpers/support';
import { startResponse, statusResponse } from '../helpers/waitScenario';

describe('Workflow › Run', () => {
	const run = async (parameters: object = {}, rest: Partial<ExecutionOptions> = {}) =>
		await executeNode({
			operation: 'workflow.run',
			parameters: { workflowId: 'wf_1', ...parameters },
			answers: [startResponse()],
			...rest,
		});

	test('only starts a run, whatever the parameters of other operations are', async () => {
		for (const parameters of [
			{},
			{ waitForCompletion: true, returnResults: true, waitUpTo: 5, simplify: true },
			{ options: { finishedStatuses: 'queued', returnResults: true, failedStatuses: 'queued', waitUpTo: 1 } },
		]) {
			const { items, urls, hints, log } = await run(parameters);
			expect(items).toEqual([
				{
					id: 'run_1',
					status: 'queued',
					idempotency_key: expect.stringMatching(/^n8n-[0-9a-f]{32}$/),
					request_id: 'req_0',
				},
			]);
			expect({ urls, hints, log }).toEqual({ urls: [`${API}/workflows/wf_1/run`], hints: [], log: [] });
		}
	});

	test('returns a run that has failed at once', async () => {
		const { items, message } = await run({}, { answers: [statusResponse('failed', 0)] });
		expect(message).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	test('returns null for the idempotency key if duplicates are not prevented', async () => {
		const { items } = await run({ options: { preventDuplicates: 'off' } });
		expect(items).toMatchObject([{ idempotency_key: null }]);
	});
});
