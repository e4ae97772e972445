// Turns a failure into a message. Called for each exception that reaches a person, a model or the log; a message
// claims only what was seen.
import { isStatus } from '../api/failure/evidence';
import type { BodyFlaw, Failure, NoResponseCause, PaginationFlaw } from '../api/failure/failure';
import type { FailedRequest } from '../api/failure/requestError';
import { lowerFirst } from '../utils';
import {
	CHECK_BASE_URL,
	ENTER_BY_HAND,
	awaitedRunAdvice,
	type FailureReport,
	type MessageParts,
	mayHaveTakenEffect,
	rateLimitAdvice,
	readAgainAdvice,
	unknownOutcomeAdvice,
} from './advice';
import { type Redact, sanitizeServiceText } from './redact';
import { describeIntermediary, describeStatus, RATE_LIMIT_REACHED } from './statusMessages';
import { type Caller, formatDuration, formatWait, joinSentences, type UserMessage } from './userMessage';

/** The request ID is part of the message: with *Continue*, n8n keeps nothing else (n8n-behaviour.md#messages). */
export function describeFailure(
	failedRequest: FailedRequest,
	caller: Caller,
	redact: Redact,
	timeZone?: string,
): UserMessage {
	const { failure, startedRun } = failedRequest;
	const { attempts, elapsedMs = 0 } = failure;
	const report = { ...failedRequest, caller, timeZone };
	const [cause, ...causeAdvice] = describeCause(report);
	const attemptsSentence =
		attempts !== undefined && `Tried ${attempts} times over ${formatDuration(elapsedMs)}`;
	const serviceText = sanitizeServiceText(failure.serverMessage ?? '', redact);
	const quoteSentence = serviceText && `The service said: "${serviceText}"`;
	const toMessage = (message: string, advice: string[]): UserMessage => ({
		message: addRequestId(message, failure),
		description: joinSentences([attemptsSentence, ...advice, quoteSentence]),
	});
	if (startedRun === undefined) return toMessage(cause, [unknownOutcomeAdvice(report), ...causeAdvice]);
	// The state of the run matters more than the cause. The cause's own advice is left out, unless it is about the API key, or
	// a retry must wait.
	const { retryAfterMs: waitMs, retryAtMs } = failure;
	const waitAdvice = waitMs
		? [`The next request can be sent ${formatWait(waitMs, retryAtMs, timeZone)}`]
		: [];
	const keptAdvice = isStatus(failure, 401, 403) ? causeAdvice : waitAdvice;
	// Someone who has canceled the execution does not want to retry it.
	if (failure.kind === 'canceled')
		return toMessage(cause, [...keptAdvice, awaitedRunAdvice(startedRun, 'nodeWithoutRetry')]);
	const message = `Run '${startedRun.runId}' was started, but then: ${lowerFirst(cause)}`;
	return toMessage(message, [...keptAdvice, awaitedRunAdvice(startedRun, caller)]);
}

/** Adds the request ID in brackets, or inside the brackets with which the message ends. */
function addRequestId(message: string, { requestId }: Failure): string {
	if (!requestId) return message;
	const messageStart = message.endsWith(')') ? `${message.slice(0, -1)}, ` : `${message} (`;
	return `${messageStart}request ${requestId})`;
}

function describeCause(report: FailureReport): MessageParts {
	const { failure, caller } = report;
	switch (failure.kind) {
		case 'status':
			return describeStatus(failure, report);
		case 'intermediary':
			return describeIntermediary(failure, report);
		case 'noResponse':
			return failure.evidence === 'notSent'
				? describeNotSent(failure, report)
				: describeLostResponse(failure, report);
		case 'timeout':
			return describeTimeout(failure, report);
		case 'ssrfBlocked':
			return [
				"n8n blocked the request to 'Base URL'",
				"The SSRF protection of this n8n does not allow this address. Ask your n8n admin to add it to N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES, or change 'Base URL'",
			];
		case 'tooLarge':
			return [
				`The response ${describeExcess(failure.limit)}, so it was not read to its end`,
				shrinkAdvice(failure.limit, report),
			];
		case 'unexpectedResponse':
			return [
				`The server at 'Base URL' answered with ${BODY_FLAW_LABELS[failure.bodyFlaw]}, not with Prospector data`,
				// An empty response can confirm a deletion.
				failure.serverMessage === undefined && !mayHaveTakenEffect(report) ? CHECK_BASE_URL : '',
			];
		case 'invalidPagination':
			return describePagination(failure.reason, caller);
		case 'throttled':
			if (failure.isOutOfTime)
				return ['The time for an answer is over, so this request was not sent', outOfTimeAdvice(report)];
			return [
				`${RATE_LIMIT_REACHED}, or the service is unavailable, so this request was not sent`,
				rateLimitAdvice(report),
			];
		case 'canceled':
			return describeCancellation(failure.wasRequestSent, report);
	}
}

const outOfTimeAdvice = (report: FailureReport): string =>
	report.request.endpoint.returns === 'list'
		? "Try again without 'Status' and 'Sort', or set 'Page Size' to a larger number"
		: readAgainAdvice(report);

const describePagination = (flaw: PaginationFlaw, caller: Caller): MessageParts =>
	caller === 'editor' && flaw.startsWith('rejected')
		? ['The rest of the list could not be loaded', `Search for the name. Or ${lowerFirst(ENTER_BY_HAND)}`]
		: PAGINATION_SENTENCES[flaw];

/** n8n shows an execution as stopped, not as failed, if the message contains "canceled". */
function describeCancellation(wasRequestSent: boolean, report: FailureReport): MessageParts {
	if (wasRequestSent)
		return ['The execution was canceled while a request was under way', readAgainAdvice(report)];
	const effect = mayHaveTakenEffect(report) ? '' : 'Nothing was done';
	return ['The execution was canceled before the request was sent', effect];
}

function describeTimeout(
	{ timeoutMs, isRequestTimeout }: Failure & { kind: 'timeout' },
	report: FailureReport,
): MessageParts {
	const timeLimitText = timeoutMs === undefined ? 'in time' : `within ${formatDuration(timeoutMs)}`;
	const raiseTimeoutAdvice =
		"If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings";
	return [
		`The service did not answer ${timeLimitText}`,
		readAgainAdvice(report),
		isRequestTimeout ? raiseTimeoutAdvice : '',
	];
}

type NoResponse = Failure & { kind: 'noResponse' };

function describeLostResponse({ cause, code }: NoResponse, report: FailureReport): MessageParts {
	const sentence = LOST_RESPONSE_SENTENCES[cause] ?? 'No complete response arrived';
	const message = code === 'UNKNOWN' ? sentence : `${sentence} (${code})`;
	return [message, readAgainAdvice(report), protocolAdvice(cause, code)];
}

const LOST_RESPONSE_SENTENCES: Partial<Record<NoResponseCause, string>> = {
	connectionLost: 'The connection was lost before the response arrived',
	tls: 'The TLS connection failed before the response arrived',
};

function protocolAdvice(cause: NoResponseCause, code: string): string {
	if (code.startsWith('HPE_'))
		return "The response is not HTTP. Check whether 'Base URL' has the right port, and begins with https://";
	if (cause !== 'tls') return '';
	return /CERTIFICATE/.test(code)
		? 'The service seems to ask for a client certificate, which this credential does not have. Ask for an address that works without one'
		: "This port of the server may not use TLS, use only an old version of it, or ask for a client certificate. Check 'Base URL'";
}

function certificateAdvice(code: string): string {
	if (code === 'CERT_HAS_EXPIRED')
		return 'The certificate has expired. Ask the owner of the address to renew it';
	if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
		return `The certificate is for another host name. ${CHECK_BASE_URL}`;
	return `If the certificate comes from an authority of your company, ask your n8n admin to set NODE_EXTRA_CA_CERTS. Otherwise, ${lowerFirst(CHECK_BASE_URL)}`;
}

function describeNotSent({ cause, code, missingHost }: NoResponse, report: FailureReport): MessageParts {
	const notSentSentence = mayHaveTakenEffect(report) ? 'The last attempt was not sent' : 'Nothing was sent';
	if (missingHost !== undefined) {
		const checkAdvice = "Check 'Base URL' for a typing mistake";
		return [`There is no server called ${missingHost}`, notSentSentence, checkAdvice];
	}
	const withCode = `${notSentSentence} (${code})`;
	return cause === 'certificate'
		? ["n8n does not trust the certificate of 'Base URL'", withCode, certificateAdvice(code)]
		: ['The service could not be reached', withCode, `${CHECK_BASE_URL} and n8n's network`];
}

type SizeLimit = (Failure & { kind: 'tooLarge' })['limit'];

const describeExcess = (limit: SizeLimit) =>
	typeof limit === 'number' ? `is larger than ${limit / 1024 ** 2} MB` : JSON_EXCESSES[limit];

const JSON_EXCESSES = {
	value: 'contains a text or object of more than 1 MB',
	fields: 'contains an object with more than 10,000 fields',
	items: 'contains a list of more than 200,000 items',
	levels: 'contains more than 1,000 lists and objects inside each other',
};

function shrinkAdvice(limit: SizeLimit, { request, caller }: FailureReport): string {
	const isPageTooLarge = typeof limit === 'number' || limit === 'items';
	if (request.endpoint.returns !== 'list' || !isPageTooLarge)
		return 'Get it with the HTTP Request node, or make it smaller in the workspace';
	return caller === 'editor' ? ENTER_BY_HAND : "Set 'Page Size' under Options to a smaller number";
}

const BODY_FLAW_LABELS: Record<BodyFlaw, string> = {
	nothing: 'an empty response',
	text: 'plain text',
	invalidJson: 'incomplete or malformed JSON',
	missingData: "JSON without the expected 'data'",
	missingRequestId: "JSON without a 'request_id'",
	missingHasMore: "a list without 'pagination.has_more'",
};

const NOTHING_RETURNED = 'Nothing was returned';
const REPORT_ADVICE = "If it happens again, send the request ID to the service's support";

const CHECK_CURSOR = "Check 'Cursor Parameter' in the credential's advanced settings";

const PAGINATION_SENTENCES: Record<PaginationFlaw, MessageParts> = {
	missingCursor: [
		'The list ended half-way',
		`${NOTHING_RETURNED}, as part of it would be missing. ${REPORT_ADVICE}`,
	],
	rejectedCursor: [
		'The service refused the next page of the list',
		`${NOTHING_RETURNED}. The cursor may have expired. Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again`,
	],
	rejectedStartCursor: [
		"The service did not accept 'Start Cursor'",
		'It may have expired. Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow',
	],
	cursorLoop: ["A page's cursor leads back to a page that was read before", NOTHING_RETURNED, CHECK_CURSOR],
	repeatedPage: ['Three pages in a row begin and end with the same items', NOTHING_RETURNED, CHECK_CURSOR],
	endlessEmptyPages: ['100 pages of the list in a row are empty', NOTHING_RETURNED, REPORT_ADVICE],
	noNewItems: ['100 pages of the list in a row have no new item', NOTHING_RETURNED, CHECK_CURSOR],
	tooLong: [
		'The list has more than 10,000 pages or 1,000,000 items',
		`${NOTHING_RETURNED}, as it may never end. Turn off 'Return All', 'Status' and 'Sort' and set 'Limit', or read the list with 'Return One Page' under Options`,
	],
};
