import { createServer } from 'node:net';

const HIGHEST = 65_535;

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
