import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './ports';
import { Process } from './processes';
import { eventually } from './rest';

/** A Redis that keeps nothing; `close()` it in the end. */
export interface Redis {
	port: number;
	close(): Promise<void>;
}

/** Starts a Redis on a free port of this machine, and waits until it answers. */
export async function startRedis(program: string): Promise<Redis> {
	const [port] = await freePorts(1);
	const folder = mkdtempSync(join(tmpdir(), 'prospector-redis-'));
	const address = ['--bind', '127.0.0.1', '--port', String(port)];
	const inMemory = ['--save', '', '--appendonly', 'no', '--dir', folder];
	const server = new Process(
		program,
		[...address, ...inMemory],
		process.env,
		folder,
		join(folder, 'redis.log'),
	);
	const close = async () => {
		await server.kill();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await eventually('Redis to start', async () => {
			if (server.isOver) throw new Error(`Redis has ended:\n${server.log()}`);
			return await answers(port);
		});
	} catch (error) {
		await close();
		throw error;
	}
	return { port, close };
}

async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = createConnection({ host: '127.0.0.1', port, timeout: 2000 });
		const end = (answered: boolean) => {
			socket.destroy();
			resolve(answered);
		};
		socket.once('connect', () => socket.write('PING\r\n'));
		socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
		socket.once('error', () => end(false));
		socket.once('timeout', () => end(false));
	});
}
