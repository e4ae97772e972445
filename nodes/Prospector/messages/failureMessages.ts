import type { Failure, PaginationFlaw, Received } from '../api/failure/failure';
import type { FailedRequest } from '../api/failure/requestError';
import { lowerFirst } from '../utils';
import {
	afterThrottling,
	afterUnknownOutcome,
	checkBaseUrl,
	continueRun,
	credentialSuffix,
	isEarlierOutcomeUnknown,
	type Place,
	type ShownFailure,
	thenTryAgain,
} from './advice';
import { type Redact, sanitizeServiceText } from './redact';
import { describeStatus, RATE_LIMIT_REACHED } from './statusMessages';
import { type Cause, formatDuration, joinSentences, type UserMessage } from './userMessage';

/** The request ID is part of the message, because with *Continue* n8n keeps nothing else. */
export function describeFailure(failed: FailedRequest, place: Place, redact: Redact): UserMessage {
	const { failure, startedRun } = failed;
	const { attempts, elapsedMs = 0 } = failure;
	const shown = { ...failed, place };
	const { message, explanation, advice } = describeCause(shown);
	const elapsed = formatDuration(Math.round(elapsedMs / 1000) * 1000);
	const tried = attempts !== undefined && `Tried ${attempts} times over ${elapsed}`;
	const quoted = failure.kind === 'status' && sanitizeServiceText(failure.serverMessage ?? '', redact);
	const said = quoted && `The service said: "${quoted}"`;
	if (startedRun === undefined) {
		const unknown = isEarlierOutcomeUnknown(failed) ? afterUnknownOutcome(shown) : [];
		const description = joinSentences([tried, explanation, ...unknown, ...advice, said]);
		return { message: addRequestId(message, failure), description };
	}
	// What happened to the run matters more than why it can't be read, unless the API key must be changed first.
	const isPermission = failure.kind === 'status' && [401, 403].includes(failure.status);
	const isCanceled = failure.kind === 'canceled';
	const full = isCanceled ? message : `Run '${startedRun.id}' was started, but then: ${lowerFirst(message)}`;
	const next = continueRun(startedRun, !isCanceled && place !== 'tool');
	const description = [tried, ...(isPermission ? [explanation, ...advice] : []), next, said];
	return { message: addRequestId(full, failure), description: joinSentences(description) };
}

/** Adds the request ID in brackets, or to the ones at the end. */
export function addRequestId(message: string, failure: Failure): string {
	if (!('requestId' in failure) || !failure.requestId) return message;
	const start = message.endsWith(')') ? `${message.slice(0, -1)}, ` : `${message} (`;
	return `${start}request ${failure.requestId})`;
}

function describeCause(shown: ShownFailure): Cause {
	const { failure, request, place } = shown;
	const isUnknown = isEarlierOutcomeUnknown(shown);
	switch (failure.kind) {
		case 'status':
			return describeStatus(failure, shown);
		case 'network':
			if (failure.requestSent) return connectionLost(failure.code, shown);
			return {
				message: 'The service could not be reached',
				explanation: `${isUnknown ? 'The last attempt was not sent' : 'Nothing was sent'} (${failure.code})`,
				advice: [thenTryAgain(`${checkBaseUrl(place)} and n8n's network`, shown)],
			};
		case 'truncatedResponse':
			return connectionLost(failure.code, shown);
		case 'timeout': {
			const { timeoutMs } = failure;
			const when = timeoutMs === undefined ? 'in time' : `within ${formatDuration(timeoutMs)}`;
			const raise =
				"If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings";
			// The editor has its own timeout.
			const advice = [...afterUnknownOutcome(shown), ...(place === 'editor' ? [] : [raise])];
			return { message: `The service did not answer ${when}`, advice };
		}
		case 'certificate':
			return {
				message: "'Base URL' has no valid certificate",
				explanation: `The API key was not sent (${failure.code})`,
				advice: [`${checkBaseUrl(place)}, or have the certificate renewed`],
			};
		case 'ssrfBlocked':
			return {
				message: "n8n blocked the request to 'Base URL'",
				explanation: 'This n8n does not allow internal addresses',
				advice: ["Ask your n8n admin to allow this address, or change 'Base URL'"],
			};
		case 'tooLarge': {
			const reduce = "Set 'Page Size' under Options to a smaller number if this is a list";
			return {
				message: 'The response is larger than 32 MB or has too many values, so it was not read to its end',
				advice: [reduce, ...afterUnknownOutcome(shown)],
			};
		}
		case 'unexpectedResponse': {
			const { method, returns } = request.endpoint;
			const check = `Check the address${credentialSuffix(place)}. A login page or proxy may be in front of it`;
			return {
				message: `'Base URL' ${receivedLabel(failure.received, returns)}`,
				advice: [check, ...(method === 'GET' ? [] : afterUnknownOutcome(shown))],
			};
		}
		case 'invalidPagination': {
			const cause = PAGINATION_CAUSES[failure.reason];
			const start = place === 'poll' ? 'If it happens again,' : 'Try again, or';
			const report = `${start} send the request ID to the service's support`;
			return { ...cause, advice: [cause.advice ?? report] };
		}
		case 'throttled':
			return {
				message: `${RATE_LIMIT_REACHED}, so this request was not sent`,
				advice: afterThrottling(failure.throttledMs ?? 0, place),
			};
		case 'canceled':
			// n8n shows an execution as stopped, not as failed, if the message contains this word.
			return failure.beforeSend
				? {
						message: 'The execution was canceled before the request was sent',
						explanation: isUnknown ? undefined : 'Nothing was done',
						advice: [],
					}
				: {
						message: 'The execution was canceled while a request was under way',
						advice: afterUnknownOutcome(shown),
					};
	}
}

/** For a lost connection and a truncated response alike: the difference helps nobody. */
const connectionLost = (code: string, shown: ShownFailure): Cause => ({
	message: `The connection was lost before the response arrived (${code})`,
	advice: afterUnknownOutcome(shown),
});

const RECEIVED_LABELS: Record<Exclude<Received, 'missingData' | 'nothing'>, string> = {
	html: 'a web page',
	text: 'plain text',
	invalidJson: 'incomplete or malformed JSON',
	jsonList: 'a JSON list',
	jsonValue: 'a JSON value',
	missingRequestId: "JSON without a 'request_id'",
	missingHasMore: "a list without 'pagination.has_more'",
};

function receivedLabel(received: Received, returns: 'resource' | 'list'): string {
	if (received === 'nothing') return 'returned an empty response';
	const expected = returns === 'list' ? 'a list of objects' : 'an object';
	const label =
		received === 'missingData' ? `JSON whose 'data' is not ${expected}` : RECEIVED_LABELS[received];
	return `answered with ${label}, not with Prospector data`;
}

const NOTHING_RETURNED = 'Nothing was returned';
const ENDLESS = {
	explanation: `${NOTHING_RETURNED}, as it may never end`,
	advice: "Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options",
};

/** Without other advice, only the service's support can help. */
const PAGINATION_CAUSES: Record<PaginationFlaw, Omit<Cause, 'advice'> & { advice?: string }> = {
	missingCursor: {
		message: 'The list ended half-way',
		explanation: `${NOTHING_RETURNED}, as part of it would be missing`,
	},
	rejectedCursor: {
		message: 'The service stopped accepting its own cursor before the list ended',
		explanation: NOTHING_RETURNED,
		advice:
			"Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again",
	},
	rejectedStartCursor: {
		message: "The service did not accept 'Start Cursor'",
		explanation: 'It may have expired',
		advice:
			'Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow',
	},
	cursorLoop: {
		message: 'The same page of the list came twice',
		explanation: NOTHING_RETURNED,
		advice: "Check 'Cursor Parameter' in the credential's advanced settings",
	},
	endlessEmptyPages: { message: 'The list has only empty pages', explanation: NOTHING_RETURNED },
	tooManyPages: { message: 'The list has more than 10,000 pages', ...ENDLESS },
	tooManyItems: { message: 'The list has more than 1,000,000 items', ...ENDLESS },
};
