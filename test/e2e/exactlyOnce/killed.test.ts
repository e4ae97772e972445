import { useEnvironment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { countDistinct, START, STARTED_BY, startPending, type Pending, type PendingStart } from './runStarts';

/** Before 2.14, n8n gives a node nothing that survives its process, unless the node had finished once. */
const hasTokens = atLeast('2.14');
const then = hasTokens ? 'starts only one run' : 'starts a second run with another idempotency key';

describe('Starts of runs when n8n is killed during a start and the execution is retried', () => {
	const e2e = useEnvironment({ ownN8n: {} });
	let pending: Pending;

	beforeAll(async () => {
		pending = await startPending(e2e);
		await e2e.n8n.kill();
		await e2e.n8n.start();
	});

	async function retryCrashed({ executionId }: PendingStart) {
		expect((await e2e.executions.ended(executionId)).status).toBe('crashed');
		const retry = await e2e.executions.retry(executionId);
		expect(retry).toMatchObject({ status: 'success', mode: 'retry', retryOf: executionId });
		return retry;
	}

	test.each(STARTED_BY)(`%s ${then} when it is retried after n8n was killed`, async (_, key) => {
		const { starts, executionId } = pending[key];
		const retry = await retryCrashed(pending[key]);
		expect(jsonOf(retry, START)).toMatchObject([{ idempotency_key: starts.keys()[1] }]);
		const runs = hasTokens ? 1 : 2;
		expect([countDistinct(starts.keys()), starts.keys().length, starts.runCount()]).toEqual([runs, 2, runs]);

		const later = await e2e.executions.retry(executionId);
		expect(later.status).toBe('success');
		expect(starts.runCount() - runs).toBe(hasTokens ? 0 : 1);
	});

	// The first round was saved, so n8n 1 knows the key too.
	test('a loop starts one run for each of its three rounds when n8n is killed in the second round and the execution is retried', async () => {
		const { loop } = pending;
		const retry = await retryCrashed(loop);
		loop.starts.expectStarted(3, 4);
		const [first, second, repeated, third] = loop.starts.keys();
		expect(repeated).toBe(second);
		expect(jsonOf(retry, 'Loop').map((item) => item.idempotency_key)).toEqual([first, second, third]);
	});
});
