import { NodeApiError, type JsonObject } from 'n8n-workflow';
import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import { networkFailure } from '../../../../nodes/Prospector/api/failure/networkFailure';
import { KEY, NODE } from '../../helpers/support';

/** As axios, which n8n sends with, throws it. */
class AxiosError extends Error {
	constructor(message: string, fields: object) {
		super(message);
		this.name = 'AxiosError';
		Object.assign(
			this,
			{ isAxiosError: true, config: { headers: { Authorization: `Bearer ${KEY}` } } },
			fields,
		);
	}
}

/** As n8n's HTTP helper wraps it. */
const wrapped = (message: string, fields: object = {}) =>
	new NodeApiError(NODE, new AxiosError(message, fields) as unknown as JsonObject);

const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'];
const MAYBE_SENT = ['ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ERR_BAD_RESPONSE', 'UND_ERR_SOCKET'];
const CERTIFICATES = [
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'ERR_SSL_WRONG_VERSION_NUMBER',
	'EPROTO',
	'CRL_HAS_EXPIRED',
];

class SsrfBlockedIpError extends Error {
	override name = 'SsrfBlockedIpError';
}

const UNKNOWN: Failure = { kind: 'network', code: 'UNKNOWN', requestSent: true };
const TRUNCATED: Failure = { kind: 'truncatedResponse', code: 'UNKNOWN' };
const BLOCKED: Failure = { kind: 'ssrfBlocked' };
const loop: { cause?: unknown } = {};
loop.cause = { cause: loop, code: 'EPIPE' };

describe('an exception of n8n’s HTTP helper', () => {
	test.each([
		...NOT_SENT.map((code) => [code, { kind: 'network', code, requestSent: false }] as const),
		...MAYBE_SENT.map((code) => [code, { kind: 'network', code, requestSent: true }] as const),
		...CERTIFICATES.map((code) => [code, { kind: 'certificate', code }] as const),
		['ETIMEDOUT', { kind: 'timeout' }] as const,
		['ECONNABORTED', { kind: 'timeout' }] as const,
		['ERR_CANCELED', { kind: 'canceled' }] as const,
	])('with the code %s is recognized, wrapped and bare', (code, expected) => {
		expect(networkFailure(wrapped(`connect ${code} 127.0.0.1:1`, { code }))).toEqual(expected);
		expect(networkFailure(new AxiosError(`connect ${code}`, { code }))).toEqual(expected);
		expect(networkFailure({ code })).toEqual(expected);
		// All that n8n 1 keeps.
		expect(networkFailure({ httpCode: code })).toEqual(expected);
	});

	test.each<[string, unknown, Failure]>([
		[
			'arrived after a status',
			wrapped('aborted', { code: 'ECONNRESET', response: { status: 200 } }),
			{ kind: 'truncatedResponse', code: 'ECONNRESET' },
		],
		['has only status 199', { httpCode: '199' }, UNKNOWN],
		['has only status 200', { httpCode: '200' }, TRUNCATED],
		['has two statuses', { response: { status: 204 }, httpCode: '100' }, TRUNCATED],
		['has a response without a status', { response: {}, httpCode: '404' }, TRUNCATED],
		['names the SSRF protection', wrapped('no', { cause: new SsrfBlockedIpError('refused') }), BLOCKED],
		['is of the SSRF protection itself', new SsrfBlockedIpError('refused'), BLOCKED],
		['mentions the SSRF protection', wrapped('The request was stopped by SSRF protection'), BLOCKED],
		['mentions a blocked IP', new Error('blocked IP 127.0.0.1'), BLOCKED],
		['has no code', new Error('socket hang up'), UNKNOWN],
		['has a code that is a number', { code: -111 }, UNKNOWN],
		['has a code in words', { code: `sent ${KEY}` }, UNKNOWN],
		['is text', 'ECONNREFUSED', UNKNOWN],
		['is undefined', undefined, UNKNOWN],
		['is null', null, UNKNOWN],
		['has a loop of causes', loop, { kind: 'network', code: 'EPIPE', requestSent: true }],
	])('is recognized if it %s', (_, thrown, expected) => expect(networkFailure(thrown)).toEqual(expected));
});
