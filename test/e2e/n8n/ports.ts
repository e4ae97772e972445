import { createServer, type AddressInfo } from 'node:net';

const HIGHEST = 65_535;

/** Ports of 127.0.0.1 that nobody listens on right now. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({ length: count }, () => createServer());
	const ports = await Promise.all(
		servers.map(
			async (server) =>
				await new Promise<number>((resolve, reject) => {
					server.once('error', reject);
					server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
				}),
		),
	);
	await Promise.all(servers.map(async (server) => await new Promise((closed) => server.close(closed))));
	return ports;
}

/** Whether nobody listens on this port of 127.0.0.1. */
export const isFree = async (port: number): Promise<boolean> =>
	await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});

/** The first port of 127.0.0.1 from this one on that nobody listens on. */
export async function freePortFrom(first: number): Promise<number> {
	for (let port = first; port <= HIGHEST; port++) if (await isFree(port)) return port;
	throw new Error(`No port from ${first} on is free`);
}
