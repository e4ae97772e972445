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
	/** @returns its answer to a command, as it goes over the wire: `:0` for the number 0 */
	ask(command: string): Promise<string | undefined>;
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
			return (await ask(port, 'PING')) === '+PONG';
		});
	} catch (error) {
		await close();
		throw error;
	}
	return { port, ask: async (command) => await ask(port, command), close };
}

async function ask(port: number, command: string): Promise<string | undefined> {
	return await new Promise((resolve) => {
		const socket = createConnection({ host: '127.0.0.1', port, timeout: 2000 });
		const end = (answer?: string) => {
			socket.destroy();
			resolve(answer);
		};
		socket.once('connect', () => socket.write(`${command}\r\n`));
		socket.once('data', (data) => end(data.toString().trim()));
		socket.once('error', () => end());
		socket.once('timeout', () => end());
	});
}
