/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUserFolder, removeUserFolder, type N8n } from './instance';
import { freePorts } from './ports';
import { Process } from './processes';

/** A process that n8n in queue mode needs. */
export interface Service {
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
		await process.waitUntil(isReady, name);
		return { process, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Starts a Redis that stores nothing on disk. */
export async function startRedis(program: string, port: number): Promise<Service> {
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
export async function askRedis(port: number, command: string): Promise<string | undefined> {
	const socket = createConnection({ host: '127.0.0.1', port });
	socket.write(`${command}\r\n`);
	const answer = once(socket, 'data', { signal: AbortSignal.timeout(2000) }) as Promise<[Buffer]>;
	return await answer
		.then(([data]) => data.toString().trim())
		.catch(() => undefined)
		.finally(() => socket.destroy());
}

/** Starts a worker, with options of its command, and waits until it accepts jobs. */
export async function startWorker(
	{ target, env, folder: mainFolder }: N8n,
	...options: string[]
): Promise<Service> {
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
	const worker = new Process(
		target.node,
		[target.bin, 'worker', ...options],
		{ ...env, ...ownEnv },
		folder,
		log,
	);
	return await startService(
		'The worker',
		worker,
		() => removeUserFolder(folder),
		() => worker.log().includes('n8n worker is now ready'),
	);
}

/** Environment variables of n8n's processes in queue mode. */
export const queueEnv = (redisPort: number): NodeJS.ProcessEnv => ({
	EXECUTIONS_MODE: 'queue',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redisPort),
});
