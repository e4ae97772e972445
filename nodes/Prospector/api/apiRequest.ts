// What is sent to the service, and its form for n8n's HTTP helper. The client builds each request with it; no request
// follows a redirect. Tests: test/unit/transport/request/client.test.ts.
import type { IHttpRequestOptions } from 'n8n-workflow';
import { sha256Hex } from '../utils';
import { type Endpoint, endpointPath, type PathIds } from './endpoints';

export interface Connection {
	/** Scheme, host and port. */
	baseUrl: string;
	apiKey: string;
	/** Milliseconds after which an attempt ends, whatever the service sends. */
	timeoutMs: number;
	/** Names of query parameters; the contract does not show them (section 4). */
	cursorParameter: string;
	pageSizeParameter: string;
}

/** Identifies a service and an API key, without revealing the key. */
export const hashConnection = ({ baseUrl, apiKey }: Pick<Connection, 'baseUrl' | 'apiKey'>): string =>
	sha256Hex(JSON.stringify([baseUrl, apiKey]));

export interface ApiRequest {
	endpoint: Endpoint;
	ids?: PathIds;
	/** Query parameters; undefined ones are left out. */
	query?: Record<string, string | number | undefined>;
	/** The JSON text of an object; sent even if that is empty (contract, section 4). */
	body?: string;
	/** Sent as Idempotency-Key if the endpoint takes one. */
	idempotencyKey?: string;
	/** Milliseconds after which an attempt ends, if shorter than the client's timeout. */
	timeoutMs?: number;
	/** Milliseconds after which no further attempt starts, if shorter than the client's. */
	retryForMs?: number;
	/** On the clock, instead of both: no attempt starts after it, and each ends at it, but gets 1 s if the client has it. */
	deadlineMs?: number;
	/** Whether only one attempt is sent; of a list, for its first page. It waits for the rate limit as others do. */
	hasOneAttempt?: boolean;
}

/** Returns a request in the form of n8n's HTTP helper. @param timeoutMs milliseconds after which an attempt ends */
export function toHttpOptions(
	{ baseUrl }: Connection,
	{ endpoint, ids, query = {}, body, idempotencyKey }: ApiRequest,
	timeoutMs: number,
): IHttpRequestOptions {
	return {
		method: endpoint.method,
		url: baseUrl + endpointPath(endpoint, ids),
		qs: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
		headers: {
			...(body && { 'Content-Type': 'application/json' }),
			...(endpoint.creates && idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
		},
		// As text, because the helper drops an empty object (n8n-behaviour.md#http-helper).
		...(body && { body }),
		json: true,
		// Only the body of a stream can be bounded (n8n-behaviour.md#http-helper).
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Otherwise the helper sends the API key along (n8n-behaviour.md#http-helper).
		disableFollowRedirect: true,
		timeout: timeoutMs,
	};
}
