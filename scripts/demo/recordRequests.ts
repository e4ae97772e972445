/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

export interface RequestRecord {
	method: string;
	/** Without the host, the API prefix and the query. */
	path: string;
	status: number;
	requestId: string;
	idempotencyKey: string;
	/** Empty unless the response is a run. */
	runStatus: string;
	milliseconds: number;
}

const PREFIX = '/api/public/v1';
const REQUEST = 'http.client.request.start';
const RESPONSE = 'http.client.response.finish';

/**
 * Records all requests of this process to the service.
 *
 * @param onRequest called when a response is complete
 * @returns a function that stops recording
 */
export function recordRequests(onRequest: (request: RequestRecord) => void): () => void {
	const startTimes = new WeakMap<ClientRequest, number>();
	const onStart = (message: unknown) => {
		startTimes.set((message as { request: ClientRequest }).request, Date.now());
	};
	const onResponse = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		const prefixIndex = request.path.indexOf(PREFIX);
		if (prefixIndex < 0) return;
		const chunks: Buffer[] = [];
		// A 'data' listener would start the stream before the node reads it.
		const push = response.push.bind(response);
		response.push = (chunk: Buffer | null, encoding) => {
			if (chunk !== null) chunks.push(chunk);
			return push(chunk, encoding);
		};
		response.on('end', () => {
			const { data, request_id: requestId = '' } = parse(Buffer.concat(chunks).toString());
			onRequest({
				method: request.method,
				path: request.path.slice(prefixIndex + PREFIX.length).split('?')[0],
				status: response.statusCode ?? 0,
				requestId,
				idempotencyKey: String(request.getHeader('idempotency-key') ?? ''),
				runStatus: data?.object === 'prospector_run' ? (data.status ?? '') : '',
				milliseconds: Date.now() - (startTimes.get(request) ?? Date.now()),
			});
		});
	};
	subscribe(REQUEST, onStart);
	subscribe(RESPONSE, onResponse);
	return () => {
		unsubscribe(REQUEST, onStart);
		unsubscribe(RESPONSE, onResponse);
	};
}

function parse(text: string): { data?: { object?: string; status?: string }; request_id?: string } {
	try {
		return (JSON.parse(text) ?? {}) as ReturnType<typeof parse>;
	} catch {
		return {};
	}
}
