import type { IDataObject } from 'n8n-workflow';
import { isObject, parseTimestamp, toJson, toText, truncate } from '../utils';
import { classifyResponse } from './failure/evidence';
import type { Failure, BodyFlaw } from './failure/failure';
import type { Endpoint } from './endpoints';

/** An HTTP response with its body parsed as JSON, or as text if it is not JSON. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export interface Pagination {
	/** Cursor of the next page; absent on the last one. */
	nextCursor?: string;
	/** Whether the service says that the list continues. It may do so without a cursor. */
	hasMore: boolean;
}

/** A successful response (contract, section 2.1). */
export interface ApiResponse {
	/** The resource, or a page of a list. */
	data: IDataObject[];
	requestId: string;
	/** The service's time of the response, in milliseconds since the epoch, if it sends one. */
	serviceTimeMs?: number;
	/** Lists only. */
	pagination?: Pagination;
}

export const isFailure = (result: HttpResponse | ApiResponse | Failure): result is Failure =>
	'kind' in result;

/** Every output item carries the request ID. */
const MAX_REQUEST_ID_LENGTH = 200;

/**
 * Parses the contract's envelope. Any other response is a failure. @param requestUrl to which a redirect may be relative
 * @param nowMs milliseconds since the epoch
 */
export function parseResponse(
	{ returns }: Endpoint,
	{ statusCode, headers, body }: HttpResponse,
	requestUrl: string,
	nowMs: number,
): ApiResponse | Failure {
	const fallbackRequestId = findRequestId(headers, body);
	const isSuccess = statusCode >= 200 && statusCode < 300;
	const toFailure = (bodyFlaw: BodyFlaw): Failure => {
		const isRedirect = statusCode >= 300 && statusCode < 400;
		const refusal = {
			status: statusCode,
			requestId: fallbackRequestId,
			retryAfterMs: parseRetryAfter(headers, nowMs),
			redirectTarget: isRedirect ? targetOf(headers.location, requestUrl) : undefined,
		};
		if (classifyResponse(statusCode, headers['content-type'], body) === 'intermediary')
			return { kind: 'intermediary', ...refusal };
		if (!isSuccess) return { kind: 'status', ...refusal, serverMessage: extractErrorText(body) };
		const serverMessage = bodyFlaw === 'missingData' ? findMessageText(body) : undefined;
		return { kind: 'unexpectedResponse', bodyFlaw, requestId: fallbackRequestId, serverMessage };
	};
	// The contract shows 200 only; another 2xx with the right envelope is a success, too.
	if (!isSuccess) return toFailure('nothing');
	if (!isObject(body)) return toFailure(findBodyFlaw(body));
	const data = returns === 'list' ? body.data : [body.data];
	if (!Array.isArray(data) || !data.every(isObject)) return toFailure('missingData');
	const { request_id: id, pagination } = body;
	const requestId =
		typeof id === 'string' && id !== '' ? truncate(id, MAX_REQUEST_ID_LENGTH) : fallbackRequestId;
	if (requestId === undefined) return toFailure('missingRequestId');
	const serviceTimeMs = parseTimestamp(headers.date);
	if (returns === 'resource') return { data, requestId, serviceTimeMs };
	if (!isObject(pagination) || typeof pagination.has_more !== 'boolean') return toFailure('missingHasMore');
	const { next_cursor: cursor, has_more: hasMore } = pagination;
	const nextCursor = typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
	return { data, requestId, pagination: { nextCursor, hasMore } };
}

/** The contract shows where successes carry the request ID. For failures, these places are common. */
function findRequestId(headers: Record<string, unknown>, body: unknown): string | undefined {
	const { request_id: id, error } = isObject(body) ? body : {};
	const requestIdInError = isObject(error) ? error.request_id : undefined;
	return [id, requestIdInError, headers['x-request-id'], headers['request-id']].find(
		(value): value is string => typeof value === 'string' && /^[\x20-\x7e]{0,199}[\x21-\x7e]$/.test(value),
	);
}

/** Returns the origin, or the path if the origin stays the same; no query, because it may contain secrets. */
function targetOf(location: unknown, requestUrl: string): string | undefined {
	if (typeof location !== 'string' || !URL.canParse(location, requestUrl)) return undefined;
	const { protocol, origin, pathname } = new URL(location, requestUrl);
	if (origin === new URL(requestUrl).origin) return pathname;
	return ['http:', 'https:'].includes(protocol) ? origin : undefined;
}

function findBodyFlaw(body: unknown): BodyFlaw {
	if (body === '' || body === undefined || body === null) return 'nothing';
	if (typeof body !== 'string') return 'missingData';
	return /^\s*[[{]/.test(body) ? 'invalidJson' : 'text';
}

/** Common names of fields with an explanation. The contract does not show the body of a refusal (section 7). */
const COMMON_MESSAGE_FIELDS = 'message error detail error_description errors title msg reason'.split(' ');

/** Returns the service's explanation of a refusal; undefined for an empty body. */
function extractErrorText(body: unknown): string | undefined {
	const text = findMessageText(body);
	if (text !== undefined || !isObject(body)) return text;
	const json = toJson({ ...body, request_id: undefined });
	return json === '{}' ? undefined : json;
}

function findMessageText(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (depth > 3) return undefined;
	if (Array.isArray(value)) return findMessageText(value[0], depth + 1);
	if (!isObject(value)) return undefined;
	const fields = new Map(Object.entries(value));
	const texts = COMMON_MESSAGE_FIELDS.map((name) => findMessageText(fields.get(name), depth + 1));
	return texts.find((text) => text !== undefined);
}

/**
 * Parses Retry-After (RFC 9110): seconds, or a date, which is compared with the service's own clock if it sends one.
 *
 * @param nowMs milliseconds since the epoch
 * @returns milliseconds; undefined without a valid header
 */
function parseRetryAfter(headers: Record<string, unknown>, nowMs: number): number | undefined {
	const value = toText(headers['retry-after']).trim();
	if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
	// Date.parse accepts nearly any text with a digit.
	const dateMs = /\d{2}:\d{2}/.test(value) ? parseTimestamp(value) : undefined;
	return dateMs === undefined ? undefined : Math.max(0, dateMs - (parseTimestamp(headers.date) ?? nowMs));
}
