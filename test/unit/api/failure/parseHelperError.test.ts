import { NodeApiError, type JsonObject } from 'n8n-workflow';
import { type Failure, parseHelperError } from '../../../../nodes/Prospector/api/failure/failure';
import { KEY, NODE } from '../../helpers/support';

/** An exception of axios, with which n8n sends requests, as n8n's HTTP helper wraps it. */
const wrapped = (message: string, fields: object = {}) =>
	new NodeApiError(
		NODE,
		Object.assign(new Error(message), { name: 'AxiosError' }, fields) as unknown as JsonObject,
	);

const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'];
const MAYBE_SENT = ['ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ERR_BAD_RESPONSE', 'UND_ERR_SOCKET'];
const CERTIFICATES = [
	...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	...['CRL_HAS_EXPIRED', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID'],
	...['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'],
];

test.each([
	...NOT_SENT.map((code) => [code, { kind: 'network', code, wasRequestSent: false }] as const),
	...MAYBE_SENT.map((code) => [code, { kind: 'network', code, wasRequestSent: true }] as const),
	...CERTIFICATES.map((code) => [code, { kind: 'certificate', code }] as const),
	['ETIMEDOUT', { kind: 'timeout' }] as const,
	['ECONNABORTED', { kind: 'timeout', timeoutMs: 5000 }] as const,
	['ERR_CANCELED', { kind: 'canceled', wasRequestSent: true }] as const,
])('parseHelperError turns the error code %s into the failure %j', (code, expected) => {
	expect(parseHelperError(wrapped(`connect ${code} 127.0.0.1:1`, { code }), 5000)).toEqual(expected);
	expect(parseHelperError({ code }, 5000)).toEqual(expected);
	// All that n8n 1 keeps.
	expect(parseHelperError({ httpCode: code }, 5000)).toEqual(expected);
});

const UNKNOWN: Failure = { kind: 'network', code: 'UNKNOWN', wasRequestSent: true };
const BLOCKED: Failure = { kind: 'ssrfBlocked' };
const loop: { cause?: unknown } = {};
loop.cause = { cause: loop, code: 'EPIPE' };

test.each<[string, Failure, unknown]>([
	['has only a status', UNKNOWN, { httpCode: '200' }],
	['comes from the SSRF protection', BLOCKED, { name: 'SsrfBlockedIpError', message: 'refused' }],
	['is caused by the SSRF protection', BLOCKED, { cause: { name: 'SsrfBlockedIpError' } }],
	['mentions a blocked IP', BLOCKED, new Error('blocked IP 127.0.0.1')],
	['has no code', UNKNOWN, new Error('socket hang up')],
	['has a code that is a number', UNKNOWN, { code: -111 }],
	['has a code that quotes the API key', UNKNOWN, { code: `sent ${KEY}` }],
	['is text', UNKNOWN, 'ECONNREFUSED'],
	['is undefined', UNKNOWN, undefined],
	['has two codes', { ...UNKNOWN, code: 'EPIPE' }, { code: 'EPIPE', cause: { code: 'ECONNREFUSED' } }],
	['has a loop of causes', { kind: 'network', code: 'EPIPE', wasRequestSent: true }, loop],
])('parseHelperError turns an exception that %s into the failure %j', (_, expected, thrown) =>
	expect(parseHelperError(thrown)).toEqual(expected),
);
