import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEnvironment, type Environment } from '../environment';
import { makeUserFolder, removeUserFolder, START_TIMEOUT_MS, type N8n } from '../n8n/instance';
import { freePorts } from '../n8n/ports';
import { Process } from '../n8n/processes';
import { eventually } from '../n8n/rest';

/** A dead worker is noticed after seconds instead of a minute. */
const SHORT_LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

interface Service {
	process: Process;
	close: () => Promise<void>;
}

/** Starts a process and waits until it is ready; `close` kills it and removes its folder. */
async function startService(
	name: string,
	process: Process,
	removeFolder: () => void,
	isReady: () => boolean | Promise<boolean>,
): Promise<Service> {
	const close = async () => {
		await process.kill();
		removeFolder();
	};
	try {
		await eventually(
			`${name} to start`,
			async () => {
				if (process.hasExited) throw new Error(`${name} has ended:\n${process.log().slice(-3000)}`);
				return await isReady();
			},
			START_TIMEOUT_MS,
		);
		return { process, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Starts a Redis that stores nothing on disk. */
async function startRedis(program: string, port: number): Promise<Service> {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-redis-'));
	const address = ['--bind', '127.0.0.1', '--port', String(port)];
	const args = [...address, '--save', '', '--appendonly', 'no', '--dir', folder];
	return await startService(
		'Redis',
		new Process(program, args, process.env, folder, join(folder, 'redis.log')),
		() => rmSync(folder, { recursive: true, force: true }),
		async () => (await askRedis(port, 'PING')) === '+PONG',
	);
}

/** @returns the response as Redis sends it, such as `:0` for the number 0 */
async function askRedis(port: number, command: string): Promise<string | undefined> {
	return await new Promise((resolve) => {
		const socket = createConnection({ host: '127.0.0.1', port, timeout: 2000 });
		const end = (response?: string) => {
			socket.destroy();
			resolve(response);
		};
		socket.once('connect', () => socket.write(`${command}\r\n`));
		socket.once('data', (data) => end(data.toString().trim()));
		socket.once('error', () => end());
		socket.once('timeout', () => end());
	});
}

/** Starts a worker and waits until it accepts jobs. */
async function startWorker({ target, env, folder: mainFolder }: N8n): Promise<Service> {
	const [brokerPort] = await freePorts(1);
	const folder = makeUserFolder(target);
	// Like a worker on another machine, it shares only the database, the queue and the encryption key.
	const ownEnv = {
		HOME: folder,
		N8N_USER_FOLDER: folder,
		DB_SQLITE_DATABASE: join(mainFolder, '.n8n/database.sqlite'),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	};
	const log = join(folder, 'worker.log');
	const worker = new Process(target.node, [target.bin, 'worker'], { ...env, ...ownEnv }, folder, log);
	return await startService(
		'The worker',
		worker,
		() => removeUserFolder(folder),
		() => worker.log().includes('n8n worker is now ready'),
	);
}

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
				EXECUTIONS_MODE: 'queue',
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(redisPort),
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
