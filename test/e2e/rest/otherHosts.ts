import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INode } from 'n8n-workflow';

/** Starts an HTTP server that is not the service. Call `close()` in the end. */
export async function startOtherHost(respond: RequestListener = (_, response) => response.end('{}')) {
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

/** Starts an API to which an n8n workflow sends items one by one. Call `close()` in the end. */
export async function startReceiver() {
	let ids: unknown[] = [];
	const { url, close } = await startOtherHost((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			ids.push((JSON.parse(text) as IDataObject).id);
			response.writeHead(200, { 'content-type': 'application/json' }).end(text);
		});
	});
	return {
		close,
		ids: () => ids,
		clear: () => void (ids = []),
		/** Replaces a placeholder by an HTTP Request node that sends each item here. */
		replaceNode(nodes: INode[], name: string): void {
			Object.assign(nodes.find((node) => node.name === name) as INode, {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					method: 'POST',
					url,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ JSON.stringify($json) }}',
					options: {},
				},
			});
		},
	};
}
