import { closeAfterAll } from '../closeAfterAll';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { freePorts } from '../n8n/ports';
import { askRedis, queueEnv, startRedis, startWorker, type Service } from '../n8n/queue';
import { eventually } from '../../eventually';
import { atLeast, readTarget } from '../n8n/target';
import { START, STARTED_BY, startPending, type Pending, type PendingStart } from './runStarts';
import { testExactlyOnce } from './sharedTests';

/** A dead worker is noticed after seconds instead of a minute. */
const SHORT_LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/** In n8n 1, another worker continues the execution. n8n 2 marks it as crashed when the main process restarts. */
const continues = !atLeast('2.0');
const then = continues ? 'continues on another worker' : 'can be retried after a restart of n8n';

const { redis: redisProgram } = readTarget();

(redisProgram ? describe : describe.skip)('The node starts each run once in queue mode', () => {
	const closeLater = closeAfterAll();
	/** Empty until the tests begin. */
	const e2e = {} as Environment;
	let redisPort: number;
	let firstWorker: Service;

	beforeAll(async () => {
		[redisPort] = await freePorts(1);
		closeLater(await startRedis(redisProgram as string, redisPort));
		const ownN8n = {
			...queueEnv(redisPort),
			// By default, the main process executes what a person starts.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			// By default, n8n 1 locks the whole database for each write.
			DB_SQLITE_POOL_SIZE: '3',
			...SHORT_LOCKS,
		};
		Object.assign(e2e, closeLater(await startEnvironment({ ownN8n })));
		firstWorker = closeLater(await startWorker(e2e.n8n));
	});

	testExactlyOnce(e2e, 'queue');

	describe(`The execution of a killed worker ${then}`, () => {
		let pending: Pending;
		beforeAll(async () => {
			pending = await startPending(e2e);
			closeLater(await startWorker(e2e.n8n));
			await firstWorker.process.kill();
			if (continues) return;
			const isReleased = async () => (await askRedis(redisPort, 'LLEN bull:jobs:active')) === ':0';
			await eventually('all jobs to be released', isReleased);
			await e2e.n8n.kill();
			await e2e.n8n.start();
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

		test.each(STARTED_BY)(
			'%s starts only one run when the worker that executes it is killed',
			async (_, key) => {
				const { starts } = pending[key];
				const execution = await finish(pending[key]);
				starts.expectStarted(1, 2);
				expect(jsonOf(execution, START)).toMatchObject([{ idempotency_key: starts.keys()[0] }]);
			},
		);

		test('a loop starts one run for each of its three rounds when its n8n worker is killed in the second round', async () => {
			const { loop } = pending;
			const execution = await finish(loop);
			// Another worker begins with the first round again.
			loop.starts.expectStarted(3, continues ? 5 : 4);
			const keys = loop.starts.keys();
			const output = jsonOf(execution, 'Loop').map((item) => item.idempotency_key);
			expect(output).toEqual([keys[0], keys[1], keys.at(-1)]);
		});
	});
});
