// Decides what a response, or its absence, proves about a request. Retries, messages, the trigger and the credential
// test read this decision; only a redirect is judged elsewhere, by `parseResponse`.
import { toText } from '../../utils';
import type { ApiRequest } from '../apiRequest';
import type { Failure, NoResponseCause } from './failure';

/** Name not found, connection refused, no route, or a rejected certificate (n8n-behaviour.md#http-helper). */
const NOT_SENT_CODE =
	/^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/**
 * Whether something in front of the service has sent a response without the contract's envelope: a web page, or a status
 * that only proxies and gateways use: 407 and 511 (RFC 9110, RFC 6585), and those of large CDNs. It says nothing about
 * the API key, IDs or values. A refusal of a proxy that is no web page looks like one of the service.
 */
export const isFromIntermediary = (status: number, contentType: unknown, body: unknown): boolean =>
	[407, 511].includes(status) ||
	(status >= 520 && status <= 530) ||
	/^\s*(?:text\/html|application\/xhtml)/i.test(toText(contentType)) ||
	/^\s*</.test(toText(body));

/** `syscall`: the call of the operating system that failed, such as `connect`. `hostname`: the name that was looked up. */
type HelperErrorField = 'message' | 'code' | 'name' | 'httpCode' | 'syscall' | 'hostname';

interface HttpHelperError extends Partial<Record<HelperErrorField, unknown>> {
	cause?: HttpHelperError;
}

/**
 * Returns the failure behind a rejection of n8n's HTTP helper, without its texts, which may quote the request
 * (n8n-behaviour.md#http-helper).
 *
 * @param host of the service, because the host that was not found can also be a proxy
 */
export function parseHelperError(thrown: unknown, timeoutMs?: number, host?: string): Failure {
	const causeChain = collectCauses(thrown as HttpHelperError | undefined);
	// n8n 1 has the code only as `httpCode`, where a status may stand (n8n-behaviour.md#http-helper).
	const errorCodes = causeChain
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.filter((code): code is string => typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code));
	if (errorCodes.includes('ERR_CANCELED')) return { kind: 'canceled', wasRequestSent: true };
	if (causeChain.some(isSsrfProtection)) return { kind: 'ssrfBlocked' };
	if (errorCodes.includes('ECONNABORTED')) return { kind: 'timeout', timeoutMs };
	if (errorCodes.includes('ETIMEDOUT')) return { kind: 'timeout' };
	const systemCalls = causeChain.map(({ syscall }) => String(syscall));
	const failure = noResponse(errorCodes, systemCalls);
	const isHostMissing = errorCodes[0] === 'ENOTFOUND' && causeChain.some(({ hostname }) => hostname === host);
	return isHostMissing && failure.evidence === 'notSent' ? { ...failure, missingHost: host } : failure;
}

/** @param errorCodes outermost first @param systemCalls of the operating system that failed */
export function noResponse(errorCodes: string[], systemCalls: string[]): Failure & { kind: 'noResponse' } {
	const [code = 'UNKNOWN'] = errorCodes;
	// After a connection, the codes prove nothing: a route can also disappear after the request was sent.
	const wasConnected = systemCalls.some((call) => ['read', 'write'].includes(call));
	const isNotSent = errorCodes.length > 0 && errorCodes.every((errorCode) => NOT_SENT_CODE.test(errorCode));
	const evidence = isNotSent && !wasConnected ? 'notSent' : 'unknown';
	return { kind: 'noResponse', evidence, cause: causeOf(code, evidence), code };
}

function causeOf(code: string, evidence: 'notSent' | 'unknown'): NoResponseCause {
	// Codes of the operating system are named ECONNREFUSED and the like, and those of certificates otherwise, or ERR_TLS_….
	if (evidence === 'notSent') return /^E(?!RR_)/.test(code) ? 'unreachable' : 'certificate';
	if (/^(?:EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/.test(code)) return 'tls';
	return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code) ? 'connectionLost' : 'other';
}

/** By the words of the errors (n8n-behaviour.md#http-helper): a host name can contain `ssrf`, but no spaces. */
const isSsrfProtection = ({ name, message }: HttpHelperError): boolean =>
	/^Ssrf/.test(String(name)) || /blocked IP|request was blocked because/i.test(String(message));

/** An exception and what caused it, outermost first. @param maxDepth bounds a loop of causes */
const collectCauses = (thrown: HttpHelperError | undefined, maxDepth = 5): HttpHelperError[] =>
	thrown && maxDepth > 0 ? [thrown, ...collectCauses(thrown.cause, maxDepth - 1)] : [];

/** Whether nothing was sent. */
export function wasNotSent(failure: Failure): boolean {
	if (failure.kind === 'noResponse') return failure.evidence === 'notSent';
	if (failure.kind === 'canceled') return !failure.wasRequestSent;
	return failure.kind === 'ssrfBlocked' || failure.kind === 'throttled';
}

/** Whether the service itself responded with one of these statuses. */
export const isStatus = (failure: Failure | undefined, ...statuses: number[]): boolean =>
	failure?.kind === 'status' && statuses.includes(failure.status);

/** Until the results of a run exist, the service may refuse to list them with these statuses (contract, section 7). */
export const NOT_READY_STATUSES = [404, 409];

const isClientError = (failure: Failure): boolean =>
	failure.kind === 'status' && failure.status >= 400 && failure.status < 500;

/** Whether the service has refused the request for another reason than the rate limit, and the outcome is known. */
export const isFinalRefusal = (failure: Failure): boolean =>
	isClientError(failure) && !isStatus(failure, 408, 409, 429) && !failure.hasUnknownEarlierAttempt;

/**
 * Whether the service may have processed a write although no response says so. A 503 with Retry-After says that it did
 * not, but only retries rely on it (docs/guarantees.md#a-start-happens-once).
 */
export const isOutcomeUnknown = (failure: Failure, { endpoint }: ApiRequest): boolean =>
	endpoint.method !== 'GET' && !wasNotSent(failure) && (!isClientError(failure) || isStatus(failure, 408));

/** Whether the same request may succeed a little later. */
export function isTransient(failure: Failure): boolean {
	// A rejected certificate stays as it is.
	if (failure.kind === 'noResponse') return failure.cause !== 'certificate';
	// The end of the body is missing if the connection closes without an error.
	if (failure.kind === 'unexpectedResponse') return failure.bodyFlaw === 'invalidJson';
	if (failure.kind !== 'status') return ['intermediary', 'timeout'].includes(failure.kind);
	const isPermanentServerError = isStatus(failure, 501, 505);
	return isStatus(failure, 408, 425, 429) || (failure.status >= 500 && !isPermanentServerError);
}

/**
 * Whether a failure can mean that a cursor is rejected. The contract does not show how. 403 can only mean that after a page
 * of the same list.
 */
export const mayRejectCursor = (failure: Failure, isFirstPage: boolean): boolean =>
	isStatus(failure, 400, 404, 409, 410, 422) || (isStatus(failure, 403) && !isFirstPage);
