import { NodeApiError, type JsonObject } from 'n8n-workflow';
import { networkFailure } from '../../../../nodes/Prospector/transport/failure/networkFailure';
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

	test('has its code in its cause', () => {
		expect(wrapped('read ECONNRESET', { code: 'ECONNRESET' }).cause).toMatchObject({ code: 'ECONNRESET' });
	});

	test('is a truncated response if a status arrived before', () => {
		const thrown = wrapped('aborted', { code: 'ECONNRESET', response: { status: 200 } });
		expect(thrown.httpCode).toBe('200');
		expect(networkFailure(thrown)).toEqual({ kind: 'truncatedResponse', code: 'ECONNRESET' });
	});

	test('is a truncated response if n8n kept only the status', () => {
		expect(networkFailure({ httpCode: '200' })).toEqual({ kind: 'truncatedResponse', code: 'UNKNOWN' });
	});

	test.each([
		['by name', wrapped('no', { cause: new SsrfBlockedIpError('refused') })],
		['by name of its own', new SsrfBlockedIpError('refused')],
		['by text', wrapped('The request was stopped by SSRF protection')],
		['by another text', new Error('blocked IP 127.0.0.1')],
	])('is one of n8n’s protection of addresses %s', (_, thrown) => {
		expect(networkFailure(thrown)).toEqual({ kind: 'ssrfBlocked' });
	});

	test.each([
		['an exception without a code', new Error('socket hang up')],
		['a code that is a number', { code: -111 }],
		['a code in words', { code: `sent ${KEY}` }],
		['text', 'ECONNREFUSED'],
		['nothing', undefined],
		['null', null],
	])('may have been sent if it is %s', (_, thrown) => {
		expect(networkFailure(thrown)).toEqual({ kind: 'network', code: 'UNKNOWN', requestSent: true });
	});

	test.each([
		[{ httpCode: '199' }, 'network'],
		[{ httpCode: '200' }, 'truncatedResponse'],
		[{ response: { status: 204 }, httpCode: '100' }, 'truncatedResponse'],
		[{ response: {}, httpCode: '404' }, 'truncatedResponse'],
	])('%j is of the kind %s', (thrown, kind) => expect(networkFailure(thrown)).toMatchObject({ kind }));

	test('can have a loop of causes', () => {
		const one: { cause?: unknown } = {};
		one.cause = { cause: one, code: 'EPIPE' };
		expect(networkFailure(one)).toEqual({ kind: 'network', code: 'EPIPE', requestSent: true });
	});
});
