import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from './endpoints';
import type { Failure } from './failure';
import { isObject } from './values';

/** An HTTP answer as n8n's helper hands it over: JSON already parsed, anything else as text. */
export interface HttpReply {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export interface Pagination {
	nextCursor?: string;
	hasMore: boolean;
}

/** A successful answer (contract, section 2.1). */
export interface Reply {
	/** The resource, or the page of resources of a list. */
	data: IDataObject[];
	requestId: string;
	/** Lists only. */
	pagination?: Pagination;
}

/**
 * Decides what an HTTP answer means: the contract's envelope, or a failure that says what came in its place.
 *
 * @param endpoint what was asked, which settles the shape of `data`
 */
export function readReply(endpoint: Endpoint, http: HttpReply): Reply | Failure {
	const requestId = findRequestId(http);
	// The contract knows 200 only; another 2xx with the right envelope is a success all the same.
	if (http.statusCode < 200 || http.statusCode > 299) {
		return {
			kind: 'status',
			status: http.statusCode,
			requestId,
			isJson: typeof http.body === 'object',
			said: findText(http.body),
			location: originOf(http.headers.location),
		};
	}
	const notEnvelope = (found: string): Failure => ({ kind: 'notEnvelope', found, requestId });
	const { body } = http;
	if (!isObject(body)) return notEnvelope(describe(body));
	const data = endpoint.reply === 'list' ? body.data : [body.data];
	if (!Array.isArray(data) || !data.every(isObject)) {
		const expected = endpoint.reply === 'list' ? 'a list of objects' : 'an object';
		return notEnvelope(`JSON whose 'data' is not ${expected}`);
	}
	if (typeof body.request_id !== 'string' || body.request_id === '') {
		return notEnvelope("JSON without a 'request_id'");
	}
	if (endpoint.reply === 'one') return { data, requestId: body.request_id };
	if (!isObject(body.pagination) || typeof body.pagination.has_more !== 'boolean') {
		return notEnvelope("a list without 'pagination.has_more'");
	}
	const { next_cursor: cursor, has_more: hasMore } = body.pagination;
	const nextCursor = typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
	return { data, requestId: body.request_id, pagination: { nextCursor, hasMore } };
}

export const isFailure = (reply: Reply | Failure): reply is Failure => 'kind' in reply;

/** Where an answer carries its request id is shown for successes only: the other places are the customary ones. */
function findRequestId({ body, headers }: HttpReply): string | undefined {
	const inBody = isObject(body)
		? [body.request_id, isObject(body.error) ? body.error.request_id : undefined]
		: [];
	const candidates = [...inBody, headers['x-request-id'], headers['request-id']];
	return candidates.find((id): id is string => typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id));
}

/** The service's own words about a refusal; the shape of such a body is not in the contract (section 7). */
function findText(body: unknown): string | undefined {
	const candidates = isObject(body)
		? [
				isObject(body.error) ? body.error.message : body.error,
				body.message,
				body.detail,
				Array.isArray(body.errors) && isObject(body.errors[0]) ? body.errors[0].message : undefined,
			]
		: [body];
	const text = candidates.find((said): said is string => typeof said === 'string' && said.trim() !== '');
	return text === undefined || /<\w+[^>]*>/.test(text.slice(0, 2000)) ? undefined : text;
}

/** Only the origin: a redirect's query may carry secrets. */
function originOf(location: unknown): string | undefined {
	if (typeof location !== 'string' || !URL.canParse(location)) return undefined;
	const { protocol, origin } = new URL(location);
	return /^https?:$/.test(protocol) ? origin : undefined;
}

function describe(body: unknown): string {
	if (body === '' || body === undefined || body === null) return 'nothing';
	if (typeof body !== 'string') return Array.isArray(body) ? 'a JSON list' : `a JSON ${typeof body}`;
	if (/^\s*<(!doctype|html)/i.test(body)) return 'a web page';
	return /^\s*[[{]/.test(body) ? 'JSON that breaks off or is malformed' : 'plain text';
}
