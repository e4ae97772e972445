// Parses a response into the contract's envelope or a failure. Called by the client once per attempt; no other
// response counts as a success.
import type { IDataObject } from 'n8n-workflow';
import { DAY_MS, isObject, parseTimestamp, toText, truncate } from '../utils';
import { isFromIntermediary } from './failure/evidence';
import type { Failure, BodyFlaw } from './failure/failure';
import { API_PREFIX, type Endpoint } from './endpoints';

/** What has no `kind` is not a {@link Failure}: `isFailure` tells one from the other. */
export interface NoFailure {
	kind?: undefined;
}

/** An HTTP response. Its body is a stream until `readResponse` has read it; then it is parsed JSON, or text. */
export interface HttpResponse extends NoFailure {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** Of the body, if it was read as a stream. */
	sizeBytes?: number;
	/** Names of the fields with numbers that became text, because JavaScript can't represent them. */
	fieldsWithTextNumbers?: string[];
}

/** A successful response (contract, section 2.1). */
export interface ApiResponse extends NoFailure, Pick<HttpResponse, 'sizeBytes' | 'fieldsWithTextNumbers'> {
	/** The resource, or a page of a list. */
	data: IDataObject[];
	requestId: string;
	/** The service's time of the response, in milliseconds since the epoch, if it sends one. */
	serviceTimeMs?: number;
	/** Lists only: the cursor of the next page; absent on the last one. */
	nextCursor?: string;
	/** Lists only: whether the list continues. The service may say so without a cursor (contract, section 2.1). */
	hasMore?: boolean;
}

export const isFailure = (result: NoFailure | Failure): result is Failure => result.kind !== undefined;

/** More of a body does not become part of a message, which would take time. */
export const MAX_QUOTED_BYTES = 64 * 1024;
/** Every output item carries the request ID. */
const MAX_REQUEST_ID_LENGTH = 200;

/** @param requestUrl to which a redirect may be relative @param nowMs milliseconds since the epoch */
export function parseResponse(
	{ returns }: Endpoint,
	{ statusCode, headers, body, sizeBytes, fieldsWithTextNumbers }: HttpResponse,
	requestUrl: string,
	nowMs: number,
): ApiResponse | Failure {
	const fallbackRequestId = findRequestId(headers, body);
	/** @param bodyFlaw of a success; absent for a refusal */
	const toFailure = (bodyFlaw?: BodyFlaw): Failure => {
		const isRedirect = statusCode >= 300 && statusCode < 400;
		const redirect = isRedirect ? parseRedirect(headers.location, requestUrl) : {};
		const retryAfterMs = parseRetryAfter(headers, nowMs);
		const refusal = { status: statusCode, requestId: fallbackRequestId, retryAfterMs, ...redirect };
		const leadsElsewhere = redirect.isSameResource === false;
		if (leadsElsewhere || isFromIntermediary(statusCode, headers['content-type'], body))
			return { kind: 'intermediary', ...refusal };
		if (bodyFlaw === undefined) return { kind: 'status', ...refusal, serverMessage: extractErrorText(body) };
		const isError = isObject(body) && Object.keys(body).some((name) => /^(?:errors?|message)$/.test(name));
		const serverMessage =
			isError && (sizeBytes ?? 0) <= MAX_QUOTED_BYTES ? extractErrorText(body) : undefined;
		return { kind: 'unexpectedResponse', bodyFlaw, requestId: fallbackRequestId, serverMessage };
	};
	// The contract shows 200 only; another 2xx with the right envelope is a success, too.
	if (statusCode < 200 || statusCode >= 300) return toFailure();
	if (!isObject(body)) return toFailure(findBodyFlaw(body));
	const data = returns === 'list' ? body.data : [body.data];
	if (!Array.isArray(data) || !data.every(isObject)) return toFailure('missingData');
	const { request_id: id, pagination } = body;
	const ownRequestId = nonEmptyText(id);
	const requestId = ownRequestId ? truncate(ownRequestId, MAX_REQUEST_ID_LENGTH) : fallbackRequestId;
	if (requestId === undefined) return toFailure('missingRequestId');
	const serviceTimeMs = parseTimestamp(headers.date);
	const response = { data, requestId, serviceTimeMs, fieldsWithTextNumbers, sizeBytes };
	if (returns === 'resource') return response;
	if (!isObject(pagination) || typeof pagination.has_more !== 'boolean') return toFailure('missingHasMore');
	const { next_cursor: cursor, has_more: hasMore } = pagination;
	// A last page has no next cursor, even if the service sends one.
	const nextCursor = hasMore ? nonEmptyText(cursor) : undefined;
	return { ...response, nextCursor, hasMore };
}

const nonEmptyText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The contract shows where successes carry the request ID. For failures, these places are common. */
function findRequestId(headers: Record<string, unknown>, body: unknown): string | undefined {
	const { request_id: id, error } = isObject(body) ? body : {};
	const requestIdInError = isObject(error) ? error.request_id : undefined;
	return [id, requestIdInError, headers['x-request-id'], headers['request-id']].find(
		// Other characters could look like a part of the message.
		(value): value is string => typeof value === 'string' && /^[\w.:@/+=-]{1,200}$/.test(value),
	);
}

/** Returns where a redirect leads, without the query, because it may contain secrets. */
function parseRedirect(location: unknown, requestUrl: string) {
	if (typeof location !== 'string' || !URL.canParse(location, requestUrl)) return {};
	const { protocol, origin, pathname } = new URL(location, requestUrl);
	if (!['http:', 'https:'].includes(protocol)) return {};
	const request = new URL(requestUrl);
	const apiPath = request.pathname.slice(request.pathname.lastIndexOf(API_PREFIX));
	const redirectTarget = origin === request.origin ? pathname : origin;
	return { redirectTarget, isSameResource: pathname.includes(apiPath) };
}

function findBodyFlaw(body: unknown): BodyFlaw {
	if (body === '' || body === undefined || body === null) return 'nothing';
	if (typeof body !== 'string') return 'missingData';
	return /^\s*[[{]/.test(body) ? 'invalidJson' : 'text';
}

/** Common names of fields with an explanation. The contract does not show the body of a refusal (section 7). */
const COMMON_MESSAGE_FIELDS = 'error_description message detail error errors title msg reason'.split(' ');

/** Returns the service's explanation of a refusal; undefined without one. */
function extractErrorText(body: unknown): string | undefined {
	const text = findMessageText(body);
	const reason = text !== undefined && isStatusPhrase(text) ? undefined : text;
	if (!isObject(body)) return reason;
	// A general text such as "Validation failed" stands beside the reasons.
	const hasDetails = [body, body.error].some(
		(part) => isObject(part) && (isObject(part.errors) || part.details),
	);
	if (text !== undefined && !hasDetails) return reason;
	const json = JSON.stringify({ ...body, request_id: undefined });
	return json === '{}' ? undefined : json;
}

/** Whether a text only repeats what a status means. */
const isStatusPhrase = (text: string) =>
	text.length < 100 &&
	/^[\W\d]*(?:error\W+)?(?:bad request|unauthorized|forbidden|not found|method not allowed|conflict|gone|unprocessable (?:entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway timeout|error)[\W\d]*$/i.test(
		text,
	);

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
 * @returns milliseconds; undefined without a valid header, or for more than a month
 */
function parseRetryAfter(headers: Record<string, unknown>, nowMs: number): number | undefined {
	const value = toText(headers['retry-after']).trim();
	// NaN stands for no date, and fails the comparison below. Date.parse accepts nearly any text with a digit.
	const dateMs = /\d{2}:\d{2}/.test(value) ? (parseTimestamp(value) ?? NaN) : NaN;
	const isNumber = /^\d{1,9}(?:\.\d+)?$/.test(value);
	const waitMs = isNumber ? Number(value) * 1000 : dateMs - (parseTimestamp(headers.date) ?? nowMs);
	return waitMs <= 31 * DAY_MS ? Math.max(0, waitMs) : undefined;
}
