/** Why a request ended without the resource it asked for, and what happened before. */
export type Failure = {
	/** Number of attempts, if more than one. */
	attempts?: number;
	/** Milliseconds from the call to the failure, including throttling. Present if there was more than one attempt. */
	elapsedMs?: number;
	/** Whether the service may have processed an earlier attempt. */
	hasUnknownOutcome?: boolean;
	/** Milliseconds until the rate limit permits the request, if that is after its deadline. */
	permittedAfterMs?: number;
} & (
	| StatusFailure
	/** There was no whole response. `wasRequestSent` is false if nothing can have reached the service. */
	| { kind: 'network'; code: string; wasRequestSent: boolean }
	| { kind: 'certificate'; code: string }
	/** `timeoutMs`: milliseconds from sending to the deadline; absent if the system gave up earlier. */
	| { kind: 'timeout'; timeoutMs?: number }
	/** n8n's protection against requests to internal addresses rejected the address. */
	| { kind: 'ssrfBlocked' }
	| { kind: 'tooLarge' }
	/** The status says success, but the body is not the contract's envelope (section 2.1). */
	| { kind: 'unexpectedResponse'; bodyFlaw: BodyFlaw; requestId?: string }
	| { kind: 'invalidPagination'; reason: PaginationFlaw; requestId: string }
	/** The rate limit does not permit the request before its deadline, or the client's request budget is used up. */
	| { kind: 'throttled' }
	| { kind: 'canceled'; wasRequestSent: boolean }
);

export interface StatusFailure {
	kind: 'status';
	status: number;
	requestId?: string;
	/** Whether the body is a web page, e.g. of a proxy. */
	isHtml?: boolean;
	serverMessage?: string;
	/** Milliseconds until the time in Retry-After. */
	retryAfterMs?: number;
	redirectOrigin?: string;
}

/** What arrived instead of the contract's envelope. */
export type BodyFlaw =
	'nothing' | 'html' | 'text' | 'invalidJson' | 'missingData' | 'missingRequestId' | 'missingHasMore';

/** Why the pages of a list don't lead to its end. */
export type PaginationFlaw =
	'missingCursor' | 'rejectedCursor' | 'rejectedStartCursor' | 'cursorLoop' | 'endlessEmptyPages' | 'tooLong';

/** Codes after which nothing can have reached the service. */
const NOT_SENT_CODES = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
]);

const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|EPROTO|CRL_/;

interface HelperError {
	message?: unknown;
	code?: unknown;
	name?: unknown;
	httpCode?: unknown;
	cause?: HelperError;
}

/** Returns the failure behind a rejection of n8n's HTTP helper, without its texts: they may quote the request. */
export function parseHelperError(thrown: unknown, timeoutMs?: number): Failure {
	const causeChain = collectCauses(thrown as HelperError | undefined);
	// n8n 1 has the code as `httpCode` only, where a status may stand as well.
	const codes = causeChain
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.filter((code): code is string => typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code));
	const code = codes[0] ?? 'UNKNOWN';
	if (codes.includes('ERR_CANCELED')) return { kind: 'canceled', wasRequestSent: true };
	const texts = causeChain.flatMap(({ name, message }) => [String(name), String(message)]);
	if (texts.some((text) => /SSRF|blocked IP/i.test(text))) return { kind: 'ssrfBlocked' };
	if (codes.includes('ECONNABORTED')) return { kind: 'timeout', timeoutMs };
	if (codes.includes('ETIMEDOUT')) return { kind: 'timeout' };
	if (CERTIFICATE_CODE.test(code)) return { kind: 'certificate', code };
	return { kind: 'network', code, wasRequestSent: !NOT_SENT_CODES.has(code) };
}

/** An exception and what caused it, outermost first. @param maxDepth bounds a loop of causes */
const collectCauses = (thrown: HelperError | undefined, maxDepth = 5): HelperError[] =>
	thrown && maxDepth > 0 ? [thrown, ...collectCauses(thrown.cause, maxDepth - 1)] : [];
