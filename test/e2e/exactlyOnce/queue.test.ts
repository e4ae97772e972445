import type { Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { atLeast, readTarget } from '../n8n/target';
import { startQueueMode, type QueueMode } from './queueMode';
import { START, startByWebhook, startLoop, startManually, type PendingStart } from './runStarts';
import { testExactlyOnce } from './sharedTests';

const { redis } = readTarget();

(redis ? describe : describe.skip)('Exactly one run in queue mode with two workers', () => {
	let queue: QueueMode;
	let e2e: Environment;
	beforeAll(async () => {
		queue = await startQueueMode(redis as string);
		e2e = queue.e2e;
	});
	afterAll(async () => await queue?.close());

	testExactlyOnce(() => e2e, 'queue');

	// In n8n 1, another worker continues the execution. n8n 2 marks it as crashed when the main process restarts.
	const continues = !atLeast('2.0');
	const then = continues ? 'continues on another worker' : 'can be retried after a restart of n8n';

	describe(`The execution of a killed worker ${then}`, () => {
		let manual: PendingStart;
		let byWebhook: PendingStart;
		let loop: PendingStart;
		beforeAll(async () => {
			await queue.keepOneWorker();
			manual = await startManually(e2e);
			byWebhook = await startByWebhook(e2e);
			loop = await startLoop(e2e);
			await queue.replaceWorker();
			if (continues) return;
			await queue.noJobHeld();
			await e2e.n8n.kill();
			await e2e.n8n.start();
			await e2e.rest.logIn();
		});

		/** Returns the execution, or its retry, with which the pending execution has ended. */
		async function finish({ executionId }: PendingStart) {
			const execution = await e2e.executions.ended(executionId);
			expect(execution.status).toBe(continues ? 'success' : 'crashed');
			if (continues) return execution;
			const retry = await e2e.executions.retry(executionId);
			expect(retry.status).toBe('success');
			return retry;
		}

		test.each([
			['a manual execution', () => manual],
			['an execution that a webhook has started', () => byWebhook],
		])('%s starts one run when its worker is killed', async (_, getPending) => {
			const { starts } = getPending();
			const execution = await finish(getPending());
			starts.expectStarted(1, 2);
			expect(jsonOf(execution, START)).toMatchObject([{ idempotency_key: starts.keys()[0] }]);
		});

		test('a loop starts one run for each of its three rounds when its worker is killed in the second', async () => {
			const execution = await finish(loop);
			// Another worker begins with the first round again.
			loop.starts.expectStarted(3, continues ? 5 : 4);
			const keys = loop.starts.keys();
			expect(jsonOf(execution, 'Loop').map((item) => item.idempotency_key)).toEqual([
				keys[0],
				keys[1],
				keys.at(-1),
			]);
		});
	});
});
