import { startEnvironment, type Environment } from '../environment';
import { freePorts } from '../n8n/ports';
import { askRedis, queueEnv, startRedis, startWorker, type Service } from '../n8n/queue';
import { eventually } from '../n8n/rest';

/** A dead worker is noticed after seconds instead of a minute. */
const SHORT_LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/** An n8n in queue mode with two workers. Call `close()` in `afterAll`. */
export interface QueueMode {
	e2e: Environment;
	/** Ends one worker, so that the other one gets all later executions. */
	keepOneWorker(): Promise<void>;
	/** Starts another worker, and then kills the one that was there before. */
	replaceWorker(): Promise<void>;
	/** Resolves when no worker holds a job. */
	noJobHeld(): Promise<void>;
	close(): Promise<void>;
}

/** @param redisProgram path of the Redis server */
export async function startQueueMode(redisProgram: string): Promise<QueueMode> {
	const services: Array<{ close(): Promise<void> }> = [];
	const close = async () => {
		for (const service of services.reverse()) await service.close();
	};
	try {
		const [redisPort] = await freePorts(1);
		services.push(await startRedis(redisProgram, redisPort));
		const e2e = await startEnvironment({
			ownN8n: {
				...queueEnv(redisPort),
				// By default, the main process executes what a person starts.
				OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
				// By default, n8n 1 locks the whole database for each write.
				DB_SQLITE_POOL_SIZE: '3',
				...SHORT_LOCKS,
			},
		});
		services.push(e2e);
		const addWorker = async () => {
			const worker = await startWorker(e2e.n8n);
			services.push(worker);
			return worker;
		};
		let workers: Service[] = await Promise.all([addWorker(), addWorker()]);
		return {
			e2e,
			async keepOneWorker() {
				await workers.shift()?.close();
			},
			async replaceWorker() {
				const old = workers;
				workers = [await addWorker()];
				for (const worker of old) await worker.process.kill();
			},
			async noJobHeld() {
				await eventually(
					'all jobs to be released',
					async () => (await askRedis(redisPort, 'LLEN bull:jobs:active')) === ':0',
				);
			},
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
