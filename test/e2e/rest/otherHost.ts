import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host that is not the service; it keeps what it was sent. `close()` it in the end. */
export async function startOtherHost(answer: RequestListener = (_, response) => response.end('{}')) {
	const received: Array<{ method?: string; url?: string; headers: IncomingHttpHeaders }> = [];
	const server = createServer((request, response) => {
		const { method, url, headers } = request;
		received.push({ method, url, headers });
		answer(request, response);
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

export const webPage: RequestListener = (_, response) =>
	response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>');

export const redirectTo =
	(location: string): RequestListener =>
	(_, response) =>
		response.writeHead(302, { location }).end();
