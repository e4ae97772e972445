import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts an HTTP server that is not the service. Call `close()` in the end. */
export async function startOtherHost(
	respond: RequestListener = (_, response) =>
		response.setHeader('content-type', 'application/json').end('{}'),
) {
	const received: Array<{ method?: string; url?: string; headers: IncomingHttpHeaders }> = [];
	const server = createServer((request, response) => {
		const { method, url, headers } = request;
		received.push({ method, url, headers });
		respond(request, response);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}
