import { NodeApiError, type JsonObject } from 'n8n-workflow';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { parseHelperError } from '../../../../nodes/Prospector/api/failure/evidence';
import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import { parseResponse } from '../../../../nodes/Prospector/api/response';
import { API, httpResponse, KEY, NODE } from '../../helpers/support';

/** An exception of axios, with which n8n sends requests, as n8n's HTTP helper wraps it. */
const wrapped = (message: string, fields: object = {}) =>
	new NodeApiError(
		NODE,
		Object.assign(new Error(message), { name: 'AxiosError' }, fields) as unknown as JsonObject,
	);

const noResponse = (code: string, cause = 'other', evidence = 'unknown') =>
	({ kind: 'noResponse', evidence, cause, code }) as Failure;

/** Who ended the request, why, and the codes that say so. */
const CODES = `
notSent unreachable ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL
notSent certificate CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY ERR_TLS_CERT_ALTNAME_INVALID
unknown connectionLost ECONNRESET EPIPE ERR_STREAM_PREMATURE_CLOSE
unknown tls EPROTO ERR_SSL_WRONG_VERSION_NUMBER ERR_TLS_HANDSHAKE_TIMEOUT
unknown other ERR_NETWORK ERR_BAD_RESPONSE UND_ERR_SOCKET CRL_HAS_EXPIRED
`;

test.each<readonly [string, Failure]>([
	...[...CODES.matchAll(/^(\w+) (\w+) (.*)$/gm)].flatMap(([, evidence, cause, codes]) =>
		codes.split(' ').map((code) => [code, noResponse(code, cause, evidence)] as const),
	),
	['ETIMEDOUT', { kind: 'timeout' }],
	['ECONNABORTED', { kind: 'timeout', timeoutMs: 5000 }],
	['ERR_CANCELED', { kind: 'canceled', wasRequestSent: true }],
])('parseHelperError turns the error code %s into the failure %j', (code, expected) => {
	expect(parseHelperError(wrapped(`connect ${code} 127.0.0.1:1`, { code }), 5000)).toEqual(expected);
	expect(parseHelperError({ code }, 5000)).toEqual(expected);
	// n8n 1 keeps only this.
	expect(parseHelperError({ httpCode: code }, 5000)).toEqual(expected);
});

const UNKNOWN = noResponse('UNKNOWN');
const LOST = noResponse('EPIPE', 'connectionLost');
const NOT_FOUND = noResponse('ENOTFOUND', 'unreachable', 'notSent');
const BLOCKED: Failure = { kind: 'ssrfBlocked' };
const MISSING: Failure = { ...NOT_FOUND, missingHost: 'ssrf.example' } as Failure;
const REFUSED = noResponse('ECONNREFUSED', 'unreachable', 'notSent');
const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
const lookup = { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND ssrf.example' };
const named = { ...lookup, hostname: 'ssrf.example' };
const loop: { cause?: unknown } = {};
loop.cause = { cause: loop, code: 'EPIPE' };

test.each<[string, Failure, unknown]>([
	['has only a status', UNKNOWN, { httpCode: '200' }],
	['comes from the SSRF protection', BLOCKED, { name: 'SsrfBlockedIpError', message: 'refused' }],
	['is caused by the SSRF protection', BLOCKED, { cause: { name: 'SsrfBlockedIpError' } }],
	['mentions a blocked IP', BLOCKED, new Error('blocked IP 127.0.0.1')],
	['says why it was blocked', BLOCKED, { cause: { message: 'The request was blocked because …' } }],
	['has SSRF in a host name', NOT_FOUND, lookup],
	['has a code that is a number', UNKNOWN, { code: -111 }],
	['has a code that is an object', UNKNOWN, { code: { toString: () => 'EPIPE' } }],
	['has a code that begins with a small letter', UNKNOWN, { code: 'xEPIPE' }],
	['has a code with other characters after it', UNKNOWN, { code: 'EPIPE: lost' }],
	['has a code that quotes the API key', UNKNOWN, { code: `sent ${KEY}` }],
	['is undefined', UNKNOWN, undefined],
	['has two codes', LOST, { code: 'EPIPE', cause: refused }],
	['is caused by a lost connection', noResponse('ECONNREFUSED'), { ...refused, cause: { code: 'EPIPE' } }],
	['is caused by a refused connection', NOT_FOUND, { ...lookup, cause: refused }],
	['names a failed read', noResponse('ENETUNREACH'), wrapped('', { code: 'ENETUNREACH', syscall: 'read' })],
	['names a failed write', noResponse('ENETUNREACH'), { cause: { code: 'ENETUNREACH', syscall: 'write' } }],
	['has a loop of causes', LOST, loop],
])('parseHelperError turns an exception that %s into the failure %j', (_, expected, thrown) =>
	expect(parseHelperError(thrown)).toEqual(expected),
);

test.each([
	[MISSING, 'is that of the service', named],
	[MISSING, 'is that of the service, in a cause', { code: 'ENOTFOUND', cause: named }],
	[noResponse('ENOTFOUND'), 'is that of the service, but a read has failed', { ...named, syscall: 'read' }],
	[NOT_FOUND, 'is that of a proxy', { ...lookup, hostname: 'proxy.example' }],
	[NOT_FOUND, 'is unknown', lookup],
	[REFUSED, 'was found', { ...refused, hostname: 'ssrf.example' }],
])('parseHelperError returns the failure %j if the host name that was looked up %s', (expected, _, thrown) =>
	expect(parseHelperError(thrown, 5000, 'ssrf.example')).toEqual(expected),
);

const receive = (status: number, body: unknown, headers: Record<string, unknown>) =>
	parseResponse(endpoints.getRun, httpResponse(status, body, headers), `${API}/runs/run_1`, 0);

test.each([
	[200, '', { 'content-type': ' Text/HTML' }],
	[401, '', { 'content-type': 'application/xhtml+xml' }],
	[302, '', {}],
	[511, '', {}],
	[520, { error: 'x' }, {}],
	[530, 'x', {}],
	[407, { error: 'Log in' }, { 'content-type': 'application/json' }],
	[404, ' \n<html>', {}],
])(
	'parseResponse recognizes that an intermediary has responded (status %i, body %j, headers %j)',
	(status, body, headers) => {
		const rest = { location: '/login', 'x-request-id': 'req_9', 'retry-after': '7' };
		expect(receive(status, body, { ...headers, ...rest })).toEqual({
			...{ kind: 'intermediary', status, requestId: 'req_9', retryAfterMs: 7000 },
			...(status === 302 && { redirectTarget: '/login', isSameResource: false }),
		});
	},
);

test.each([
	[519, '', {}],
	[531, '', {}],
	[404, '', { 'content-type': 'text/plain; title=text/html' }],
])(
	'parseResponse takes the service for the sender of status %i, body %j and headers %j',
	(status, body, headers) => {
		expect(receive(status, body, headers)).toMatchObject({ kind: 'status', status });
	},
);
