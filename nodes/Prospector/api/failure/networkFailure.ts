import type { Failure } from './failure';

/** Codes after which nothing can have reached the service. */
const NOT_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
]);

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|EPROTO|CRL_/;

interface ThrownByHelper {
	message?: unknown;
	code?: unknown;
	name?: unknown;
	httpCode?: unknown;
	cause?: ThrownByHelper;
	response?: { status?: unknown };
}

/**
 * Returns the failure behind a rejection of n8n's HTTP helper, without its texts: they may quote the request.
 *
 * @param timeoutMs the timeout that the helper was given, in milliseconds
 */
export function networkFailure(thrown: unknown, timeoutMs?: number): Failure {
	const chain = causes(thrown);
	// n8n 1 has the code as `httpCode` only, where a status may stand as well.
	const codes = chain
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.filter((code): code is string => typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code));
	const code = codes[0] ?? 'UNKNOWN';
	if (codes.includes('ERR_CANCELED')) return { kind: 'canceled' };
	const texts = chain.flatMap(({ name, message }) => [String(name), String(message)]);
	if (texts.some((text) => /SSRF|blocked IP/i.test(text))) return { kind: 'ssrfBlocked' };
	// If a response was cut off, n8n's exception still carries its status.
	if (chain.some(({ httpCode, response }) => Number(response?.status ?? httpCode) >= 200)) {
		return { kind: 'truncatedResponse', code };
	}
	if (codes.includes('ECONNABORTED')) return { kind: 'timeout', timeoutMs };
	if (codes.includes('ETIMEDOUT')) return { kind: 'timeout' };
	if (CERTIFICATE.test(code)) return { kind: 'certificate', code };
	return { kind: 'network', code, requestSent: !NOT_SENT.has(code) };
}

/** An exception and what caused it, outermost first; a loop of causes ends the list. */
function causes(thrown: unknown): ThrownByHelper[] {
	const chain: ThrownByHelper[] = [];
	let next = thrown as ThrownByHelper | undefined;
	while (next && typeof next === 'object' && !chain.includes(next)) {
		chain.push(next);
		next = next.cause;
	}
	return chain;
}
