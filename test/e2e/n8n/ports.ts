import { createServer, type AddressInfo } from 'node:net';

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
