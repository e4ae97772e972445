import { authorize } from './apiKeyStore';
import { ApiError, JSON_TYPE, renderError } from './errors';
import { parseExactJson, renderExactJson } from './exactJson';
import { hashPayload } from './idempotencyStore';
import type { AuthorizedRequest, Operation, Payload } from './operations';
import { rateLimitHeaders } from './rateLimit';
import type { Route } from './routing';
import type { ServiceState } from './serviceState';
import type { Fields } from './settings';
import { isObject, isTooDeep } from './values';

/** A request as a transport receives it. */
export interface ApiRequest {
	method: string;
	/** As sent, without the query. */
	path: string;
	query: Record<string, unknown>;
	/** The names are in lower case. */
	headers: Record<string, string | undefined>;
	/** As sent; empty without a body. */
	body: string;
}

export interface ApiResponse {
	status: number;
	headers: Record<string, string>;
	text: string;
	requestId: string;
	committed: boolean;
	replayed: boolean;
	/** For the journal only. */
	reason: string | null;
}

/**
 * Returns the response to a request and applies its change. It runs synchronously, so that two requests with the same
 * Idempotency-Key can never both be new. Order of the checks: 401, 429, path 404, 403, 400, 409, resource 404.
 */
export function handleRequest(
	state: ServiceState,
	{ operation, params }: Route,
	request: ApiRequest,
	requestId: string,
): ApiResponse {
	let headers: Record<string, string> = {};
	try {
		const key = state.keys.authenticate(request.headers.authorization);
		const rateLimit = state.limiter.consume(key.id, operation?.name);
		headers = rateLimitHeaders(rateLimit, state.settings);
		if (!rateLimit.accepted) throw new ApiError(429, `more than ${rateLimit.limit} requests in the window`);
		if (!operation) throw new ApiError(404, 'no such path');
		authorize(key, { scope: operation.scope, write: operation.write === true });
		return {
			...perform(state, operation, { ...request, params, key }, requestId),
			headers: { ...headers, 'content-type': JSON_TYPE },
		};
	} catch (error) {
		if (!(error instanceof ApiError)) throw error; // eslint-disable-line @n8n/community-nodes/require-node-api-error -- not published
		const rendered = renderError(error.status, requestId, state.settings);
		return {
			status: error.status,
			text: rendered.text,
			headers: { ...headers, ...rendered.headers },
			requestId,
			committed: false,
			replayed: false,
			reason: error.reason,
		};
	}
}

function perform(
	state: ServiceState,
	operation: Operation,
	request: ApiRequest & Pick<AuthorizedRequest, 'params' | 'key'>,
	requestId: string,
): Omit<ApiResponse, 'headers'> {
	const sent = parseBody(request.body, parseExactJson);
	const body = operation.body ? requireJsonObject(sent, request) : {};
	// Other operations ignore the header (contract, section 4, rule 4). An empty header counts as absent.
	const idempotencyKey = (operation.idempotent && request.headers['idempotency-key']) || null;
	const success = { status: 200, reason: null };
	let payload = '';
	if (idempotencyKey !== null) {
		payload = hashPayload(request.method, request.path, sent);
		const first = state.idempotency.lookup(idempotencyKey, payload);
		if (first) return { ...success, ...first, committed: false, replayed: true };
	}
	const result = performOnce(state, operation, { ...request, body, idempotencyKey }, payload);
	const response = { text: renderEnvelope(result, requestId), requestId };
	if (idempotencyKey !== null) state.idempotency.save(idempotencyKey, payload, response);
	return { ...success, ...response, committed: operation.write === true, replayed: false };
}

/** Unless a setting says otherwise, refusals are not stored: they changed nothing, so the same key can be used again. */
function performOnce(
	state: ServiceState,
	operation: Operation,
	request: AuthorizedRequest,
	payload: string,
): Payload {
	const { idempotencyTie } = state.settings;
	try {
		return operation.perform(state, request);
	} catch (error) {
		const response = idempotencyTie === 'response' ? (error as ApiError) : undefined;
		if (request.idempotencyKey !== null && idempotencyTie !== 'success')
			state.idempotency.save(request.idempotencyKey, payload, response);
		throw error; // eslint-disable-line @n8n/community-nodes/require-node-api-error -- not published
	}
}

function renderEnvelope({ data, pagination }: Payload, requestId: string): string {
	return renderExactJson({ data, ...(pagination ? { pagination } : {}), request_id: requestId });
}

// The contract lists no 400, but requires an object, and JSON in all requests (contract, section 4).
function requireJsonObject(body: unknown, { headers }: ApiRequest): Fields {
	if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
		throw new ApiError(400, 'the content type is not JSON');
	}
	if (!isObject(body)) throw new ApiError(400, 'the body is no JSON object');
	return body;
}

/** Returns the parsed JSON, the plain text if it is not JSON or nested too deeply, or null if it is empty. */
export function parseBody(text: string, parse: (json: string) => unknown = JSON.parse): unknown {
	if (text === '') return null;
	try {
		const value = parse(text);
		return isTooDeep(value) ? text : value;
	} catch {
		return text;
	}
}
