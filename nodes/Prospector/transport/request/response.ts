import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from './endpoints';
import type { Failure } from '../failure/failure';
import { truncate } from '../failure/plainText';
import { parseRateLimitHeaders } from '../rate/rateLimitHeaders';
import { isObject } from '../values';
import { isHtml, extractErrorText } from './errorText';

/** An HTTP answer as n8n's helper hands it over: JSON already parsed, anything else as text. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export interface Pagination {
	nextCursor?: string;
	hasMore: boolean;
}

/** A successful answer (contract, section 2.1). */
export interface ApiResponse {
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
export function parseResponse(endpoint: Endpoint, http: HttpResponse): ApiResponse | Failure {
	const requestId = findRequestId(http);
	// The contract knows 200 only; another 2xx with the right envelope is a success all the same.
	if (http.statusCode < 200 || http.statusCode > 299) {
		return {
			kind: 'status',
			status: http.statusCode,
			requestId,
			isHtml: isHtml(http.body),
			serverMessage: extractErrorText(http.body),
			retryAfter: inSeconds(parseRateLimitHeaders(http.headers, Date.now()).retryAfter),
			location: originOf(http.headers.location),
		};
	}
	const notEnvelope = (found: string): Failure => ({ kind: 'unexpectedResponse', received: found, requestId });
	const { body } = http;
	if (!isObject(body)) return notEnvelope(describeBody(body));
	const data = endpoint.reply === 'list' ? body.data : [body.data];
	if (!Array.isArray(data) || !data.every(isObject)) {
		const expected = endpoint.reply === 'list' ? 'a list of objects' : 'an object';
		return notEnvelope(`JSON without 'data' that is ${expected}`);
	}
	const named =
		typeof body.request_id === 'string' && body.request_id !== ''
			? truncate(body.request_id, MAX_REQUEST_ID_LENGTH)
			: requestId;
	if (named === undefined) return notEnvelope("JSON without a 'request_id'");
	if (endpoint.reply === 'one') return { data, requestId: named };
	if (!isObject(body.pagination) || typeof body.pagination.has_more !== 'boolean') {
		return notEnvelope("a list without 'pagination.has_more'");
	}
	const { next_cursor: cursor, has_more: hasMore } = body.pagination;
	const nextCursor = typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
	return { data, requestId: named, pagination: { nextCursor, hasMore } };
}

/** Every output item carries it. */
const MAX_REQUEST_ID_LENGTH = 200;

/** Tells a failure from an answer, read or not. */
export const isFailure = (answer: HttpResponse | ApiResponse | Failure): answer is Failure =>
	'kind' in answer;

/** Where an answer carries its request id is shown for successes only: the other places are the customary ones. */
function findRequestId({ body, headers }: HttpResponse): string | undefined {
	const inBody = isObject(body)
		? [body.request_id, isObject(body.error) ? body.error.request_id : undefined]
		: [];
	const candidates = [...inBody, headers['x-request-id'], headers['request-id']];
	return candidates.find(
		(id): id is string => typeof id === 'string' && /^[\x20-\x7e]{0,199}[\x21-\x7e]$/.test(id),
	);
}

const inSeconds = (milliseconds?: number) => milliseconds && Math.ceil(milliseconds / 1000);

/** Only the origin: a redirect's query may carry secrets. */
function originOf(location: unknown): string | undefined {
	if (typeof location !== 'string' || !URL.canParse(location)) return undefined;
	const { protocol, origin } = new URL(location);
	return /^https?:$/.test(protocol) ? origin : undefined;
}

function describeBody(body: unknown): string {
	if (body === '' || body === undefined || body === null) return 'nothing';
	if (typeof body !== 'string') return Array.isArray(body) ? 'a JSON list' : `a JSON ${typeof body}`;
	if (isHtml(body)) return 'a web page';
	return /^\s*[[{]/.test(body) ? 'JSON that breaks off or is malformed' : 'plain text';
}
