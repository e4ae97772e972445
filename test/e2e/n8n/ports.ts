import { createServer, type AddressInfo } from 'node:net';

const MAX_PORT = 65_535;

/** Listens on a port of 127.0.0.1 (0 for any free one), or rejects if it is in use. */
const listen = async (port: number) =>
	await new Promise<{ port: number; close: () => Promise<void> }>((resolve, reject) => {
		const server = createServer();
		const close = async () => await new Promise<void>((closed) => server.close(() => closed()));
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => resolve({ port: (server.address() as AddressInfo).port, close }));
	});

/** Returns ports of 127.0.0.1 that are free now. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(Array.from({ length: count }, async () => await listen(0)));
	await Promise.all(servers.map(async ({ close }) => await close()));
	return servers.map(({ port }) => port);
}

/** Whether a port of 127.0.0.1 is free now. */
export const isFree = async (port: number): Promise<boolean> =>
	await listen(port).then(
		async ({ close }) => {
			await close();
			return true;
		},
		() => false,
	);

/** Returns the first free port of 127.0.0.1, starting with this one. */
export async function freePortFrom(first: number): Promise<number> {
	for (let port = first; port <= MAX_PORT; port++) if (await isFree(port)) return port;
	throw new Error(`No port from ${first} on is free`);
}
