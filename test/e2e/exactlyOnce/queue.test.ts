import { PATIENT } from '../bench';
import { failureOf, jsonOf } from '../n8n/executions';
import { atLeast, readTarget } from '../n8n/target';
import { lostReplies } from './lostReplies';
import { startQueueMode, type QueueMode } from './queueMode';
import { retriedExecutions } from './retriedExecutions';
import { START } from './starts';
import { stoppedExecutions } from './stoppedExecutions';
import { calledUnderWay, clickedUnderWay, loopUnderWay, type UnderWay } from './underWay';

const { redis } = readTarget();

(redis ? describe : describe.skip)('Exactly one run in queue mode with two workers', () => {
	let queue: QueueMode;
	beforeAll(async () => {
		queue = await startQueueMode(redis as string);
	}, 2 * PATIENT);
	afterAll(async () => await queue?.close());
	const e2e = () => queue.e2e;

	lostReplies(e2e);
	retriedExecutions(e2e);
	stoppedExecutions(e2e, 'queue');

	// n8n 1 lets the other worker take over. n8n 2 gives the execution up: restarted, it knows of the crash.
	const takesOver = !atLeast('2.0');
	const then = takesOver ? 'is taken over by the other' : 'is given up and can be retried after a restart';

	describe(`the execution of a worker that is killed in mid-run ${then}:`, () => {
		let clicked: UnderWay;
		let called: UnderWay;
		let loop: UnderWay;
		beforeAll(async () => {
			await queue.leaveOne();
			clicked = await clickedUnderWay(e2e());
			called = await calledUnderWay(e2e());
			loop = await loopUnderWay(e2e());
			await queue.replace();
			if (takesOver) return;
			await queue.noneHeld();
			await e2e().n8n.kill();
			await e2e().n8n.start();
			await e2e().rest.logIn();
		}, 2 * PATIENT);

		/** The execution that has come to its end in place of the one that was under way. */
		async function ended({ executionId }: UnderWay) {
			const execution = await e2e().executions.ended(executionId);
			expect(execution.status).toBe(takesOver ? 'success' : 'crashed');
			return takesOver ? execution : await e2e().executions.retry(executionId);
		}

		test('started by a person, one run', async () => {
			const execution = await ended(clicked);
			expect(execution.status).toBe('success');
			clicked.starts.expectOnce(1, 2);
			expect(jsonOf(execution, START)).toMatchObject([{ idempotency_key: clicked.starts.keys()[0] }]);
		});

		test('of an active n8n workflow, called by webhook, one run', async () => {
			const execution = await ended(called);
			expect(execution.status).toBe('success');
			called.starts.expectOnce(1, 2);
			expect(jsonOf(execution, START)).toMatchObject([{ idempotency_key: called.starts.keys()[0] }]);
		});

		test('in the second round of a loop, one run for each of its three rounds', async () => {
			const execution = await ended(loop);
			expect(execution.status).toBe('success');
			// Taken over, an execution begins anew.
			loop.starts.expectOnce(3, takesOver ? 5 : 4);
			const keys = jsonOf(execution, 'Loop').map(({ idempotency_key }) => idempotency_key);
			expect(keys).toEqual([loop.starts.keys()[0], loop.starts.keys()[1], loop.starts.keys().at(-1)]);
		});
	});

	// Nobody takes it over, and what was saved of it is gone: there is nothing that a retry could go on with.
	if (!takesOver) {
		describe('the execution of a worker that is killed while the main process goes on is given up:', () => {
			let automatic: UnderWay;
			let custom: UnderWay;
			beforeAll(async () => {
				automatic = await clickedUnderWay(e2e());
				custom = await clickedUnderWay(e2e(), { idempotencyKeyMode: 'custom', idempotencyKey: 'of today' });
				await queue.replace();
				// n8n thinks about it for about a minute.
				for (const { executionId } of [automatic, custom]) await e2e().executions.ended(executionId, PATIENT);
			}, 2 * PATIENT);

			test('it has started one run, and a retry starts none', async () => {
				const retry = await e2e().executions.retry(automatic.executionId);
				expect(retry.status).toBe('error');
				expect(failureOf(retry)).toContain('failed to be processed too many times');
				automatic.starts.expectOnce(1, 1);
			});

			test('a new execution gets the same run where it has a custom key', async () => {
				const saved = await e2e().workflows.get(custom.workflowId);
				const anew = await e2e().executions.ended(await e2e().workflows.start(saved));
				expect(anew.status).toBe('success');
				expect(jsonOf(anew, START)).toMatchObject([{ idempotency_key: 'of today' }]);
				custom.starts.expectOnce(1, 2);
			});
		});
	}
});
