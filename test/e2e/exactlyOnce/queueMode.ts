import { startE2e, type E2e } from '../bench';
import { startRedis } from '../n8n/redis';
import { eventually } from '../n8n/rest';
import { Worker } from '../n8n/worker';

/** Seconds in place of a minute until a dead worker's jobs are noticed. */
const QUICK = {
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/** An n8n in queue mode with two workers, its Redis, and the sandbox; `close()` it in `afterAll`. */
export interface QueueMode {
	e2e: E2e;
	/** Ends one worker, so that the executions to come are all taken by the other. */
	leaveOne(): Promise<void>;
	/** Starts a second worker, and then kills the one that has worked so far. */
	replace(): Promise<void>;
	/** Resolves once no job is held by a worker. */
	noneHeld(): Promise<void>;
	close(): Promise<void>;
}

/** @param redisProgram Redis's server */
export async function startQueueMode(redisProgram: string): Promise<QueueMode> {
	const ending: Array<() => Promise<void>> = [];
	const close = async () => {
		for (const end of ending.reverse()) await end();
	};
	try {
		const redis = await startRedis(redisProgram);
		ending.push(redis.close);
		const e2e = await startE2e({
			env: {
				EXECUTIONS_MODE: 'queue',
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(redis.port),
				// Else those that a person starts stay with the main process.
				OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
				// n8n 1 locks its whole database for each write, unless told so.
				DB_SQLITE_POOL_SIZE: '3',
				...QUICK,
			},
		});
		ending.push(e2e.close);
		let workers: Worker[] = [];
		const hire = async () => {
			const worker = await Worker.start(e2e.n8n);
			ending.push(async () => await worker.close());
			workers.push(worker);
		};
		await hire();
		await hire();
		return {
			e2e,
			async leaveOne() {
				await workers.shift()?.close();
			},
			async replace() {
				const old = workers;
				workers = [];
				await hire();
				for (const worker of old) await worker.kill();
			},
			async noneHeld() {
				await eventually('the jobs to be let go', async () => {
					const held = await redis.ask('LLEN bull:jobs:active');
					return held === ':0';
				});
			},
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
