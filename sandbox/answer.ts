import { ApiError, JSON_TYPE, renderError } from './errors';
import { payloadOf } from './idempotency';
import { authorize } from './keys';
import type { KeyRecord } from './keys';
import type { Operation, Payload } from './operations';
import { rateLimitHeaders } from './rateLimit';
import type { Fields } from './settings';
import { isObject, isTooDeep } from './values';
import type { ServiceState } from './world';

/** A request as far as the API looks at it. */
export interface ApiRequest {
	method: string;
	/** Without the query. */
	path: string;
	params: Record<string, string>;
	query: Record<string, unknown>;
	authorization: string | undefined;
	idempotencyKey: string | undefined;
	contentType: string | undefined;
	/** See parseBody. */
	body: unknown;
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
 * Answers a request, and makes its change, in one turn of the event loop: two requests with the same
 * Idempotency-Key can never both get past the memory. Order: 401, 429, path 404, 403, 400, 409, resource 404.
 */
export function handleRequest(
	world: ServiceState,
	operation: Operation | undefined,
	incoming: ApiRequest,
	requestId: string,
): ApiResponse {
	let headers: Record<string, string> = {};
	try {
		const key = world.keys.authenticate(incoming.authorization);
		const verdict = world.limiter.take(key.id);
		headers = rateLimitHeaders(verdict, world.settings);
		if (!verdict.accepted) throw new ApiError(429, `more than ${verdict.limit} requests in the window`);
		if (!operation) throw new ApiError(404, 'no such path');
		authorize(key, { scope: operation.scope, write: operation.write === true });
		return {
			...perform(world, operation, incoming, key, requestId),
			headers: { ...headers, ...JSON_HEADER },
		};
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		const rendered = renderError(error.status, requestId, world.settings);
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

const JSON_HEADER = { 'content-type': JSON_TYPE };

function perform(
	world: ServiceState,
	operation: Operation,
	incoming: ApiRequest,
	key: KeyRecord,
	requestId: string,
): Omit<ApiResponse, 'headers'> {
	const body = operation.body ? requiredBody(incoming) : {};
	// Elsewhere the header has no meaning (contract 4, rule 4). An empty one names no key.
	const idempotencyKey = (operation.idempotent && incoming.idempotencyKey) || null;
	const payload = payloadOf(incoming.method, incoming.path, incoming.body);
	const done = { status: 200, reason: null };
	if (idempotencyKey !== null) {
		const first = world.idempotency.recall(idempotencyKey, key.id, payload);
		if (first) return { ...done, ...first, committed: false, replayed: true };
	}
	const { params, query } = incoming;
	const made = operation.perform(world, { key, params, query, body, idempotencyKey });
	const answer = { text: envelope(made, requestId), requestId };
	// Refusals are not remembered: nothing was done, so the same key may be used to try again.
	if (idempotencyKey !== null) world.idempotency.remember(idempotencyKey, key.id, payload, answer);
	return { ...done, ...answer, committed: operation.write === true, replayed: false };
}

function envelope({ data, pagination }: Payload, requestId: string): string {
	return JSON.stringify({ data, ...(pagination ? { pagination } : {}), request_id: requestId });
}

// The contract lists no 400. It says "required JSON object body" and "all bodies are JSON" (section 4), so
// what is neither must be refused somehow.
function requiredBody({ body, contentType }: ApiRequest): Fields {
	if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
		throw new ApiError(400, 'the content type is not JSON');
	}
	if (!isObject(body)) throw new ApiError(400, 'the body is no JSON object');
	return body;
}

/** The JSON of a body; its plain text if it is no JSON or nested too deeply to be written again; null if it is empty. */
export function parseBody(raw: unknown): unknown {
	const text = Buffer.isBuffer(raw) ? raw.toString('utf8') : '';
	if (text === '') return null;
	try {
		const value: unknown = JSON.parse(text);
		return isTooDeep(value) ? text : value;
	} catch {
		return text;
	}
}
