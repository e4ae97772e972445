import { createServer } from 'node:net'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published

const MAX_PORT = 65_535;

/** Below the ports that systems give to outgoing connections, which could take the port of an n8n that restarts. */
const PORTS = { first: 20_000, count: 12_000 };

const chosenPorts = new Set<number>();

/**
 * Returns ports of 127.0.0.1 that are free now, each at most once. Random, because several processes choose at the same
 * time.
 */
export async function freePorts(count: number): Promise<number[]> {
	const ports: number[] = [];
	while (ports.length < count) {
		const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
		if (chosenPorts.has(port)) continue;
		chosenPorts.add(port);
		if (await isFree(port)) ports.push(port);
	}
	return ports;
}

/** Whether a port of 127.0.0.1 is free now. */
export const isFree = async (port: number): Promise<boolean> =>
	await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});

/** Returns the first free port of 127.0.0.1, starting with this one. */
export async function freePortFrom(first: number): Promise<number> {
	for (let port = first; port <= MAX_PORT; port++) if (await isFree(port)) return port;
	throw new Error(`No port from ${first} on is free`);
}
