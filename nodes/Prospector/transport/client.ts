import type { IHttpRequestOptions, INode } from 'n8n-workflow';
import type { Connection } from './connection';
import { apiError } from './errors';
import type { Call } from './failure';
import { networkFailure } from './networkFailure';
import { endpointPath } from './path';
import { isFailure, readReply, type HttpReply, type Reply } from './reply';

/** Sends one HTTP request with the credential; rejects only when no complete answer came. */
export type Send = (options: IHttpRequestOptions) => Promise<HttpReply>;

/** The service, as the rest of the node sees it. */
export interface Client {
	connection: Connection;
	/**
	 * Makes one request.
	 *
	 * @throws NodeApiError that says what happened and what to do
	 */
	call(call: Call): Promise<Reply>;
}

export interface ClientOptions {
	node: INode;
	connection: Connection;
	send: Send;
	/** Milliseconds without any sign of life after which a request is given up. */
	timeout: number;
}

export function createClient({ node, connection, send, timeout }: ClientOptions): Client {
	return {
		connection,
		async call(call) {
			const answer = await send(httpRequest(connection, call, timeout)).catch(networkFailure);
			const reply = 'kind' in answer ? answer : readReply(call.endpoint, answer);
			if (isFailure(reply)) throw apiError(node, reply, call, [connection.apiKey]);
			return reply;
		},
	};
}

/**
 * A call as n8n's HTTP helper takes it.
 *
 * @param timeout in milliseconds
 */
export function httpRequest(connection: Connection, call: Call, timeout: number): IHttpRequestOptions {
	const { endpoint, ids, query = {}, body, idempotencyKey } = call;
	return {
		method: endpoint.method,
		url: connection.baseUrl + endpointPath(endpoint, ids),
		qs: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
		headers: {
			...(body && { 'Content-Type': 'application/json' }),
			...(endpoint.takesIdempotencyKey && idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
		},
		// As text: the helper would drop an empty object together with its content type.
		...(body && { body: JSON.stringify(body) }),
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the API key to wherever it points.
		disableFollowRedirect: true,
		timeout,
	};
}
