import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** One request as it went over the wire, whoever sent it. */
export interface RequestRecord {
	method: string;
	/** Without host, API prefix and query. */
	path: string;
	status: number;
	requestId: string;
	idempotencyKey: string;
	/** Status of the run, where the answer is one. */
	runStatus: string;
	milliseconds: number;
}

const PREFIX = '/api/public/v1';
const REQUEST = 'http.client.request.start';
const RESPONSE = 'http.client.response.finish';

/**
 * Watches this process's requests to the service.
 *
 * @param onEntry told once an answer is complete
 * @returns ends the watch
 */
export function recordRequests(onEntry: (entry: RequestRecord) => void): () => void {
	const begun = new WeakMap<ClientRequest, number>();
	const started = (message: unknown) => {
		begun.set((message as { request: ClientRequest }).request, Date.now());
	};
	const answered = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		const at = request.path.indexOf(PREFIX);
		if (at < 0) return;
		const chunks: Buffer[] = [];
		// A listener for 'data' would start the stream, and take what the node itself reads from it.
		const push = response.push.bind(response);
		response.push = (chunk: Buffer | null, encoding) => {
			if (chunk !== null) chunks.push(chunk);
			return push(chunk, encoding);
		};
		response.on('end', () => {
			const { data, request_id: requestId = '' } = parse(Buffer.concat(chunks).toString());
			onEntry({
				method: request.method,
				path: request.path.slice(at + PREFIX.length).split('?')[0],
				status: response.statusCode ?? 0,
				requestId,
				idempotencyKey: String(request.getHeader('idempotency-key') ?? ''),
				runStatus: data?.object === 'prospector_run' ? (data.status ?? '') : '',
				milliseconds: Date.now() - (begun.get(request) ?? Date.now()),
			});
		});
	};
	subscribe(REQUEST, started);
	subscribe(RESPONSE, answered);
	return () => {
		unsubscribe(REQUEST, started);
		unsubscribe(RESPONSE, answered);
	};
}

function parse(text: string): { data?: { object?: string; status?: string }; request_id?: string } {
	try {
		return (JSON.parse(text) ?? {}) as ReturnType<typeof parse>;
	} catch {
		return {};
	}
}
