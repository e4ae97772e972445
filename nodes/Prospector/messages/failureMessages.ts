import type { Failure, PaginationFlaw, Received } from '../api/failure/failure';
import type { FailedRequest } from '../api/failure/requestError';
import { lowerFirst } from '../utils';
import {
	adviceAfterThrottling,
	adviceAfterUnknownOutcome,
	adviceAfterUnknownWrite,
	type FailureSentences,
	checkBaseUrl,
	continueRun,
	credentialSuffix,
	isEarlierOutcomeUnknown,
	type Place,
	type ShownFailure,
	addTryAgain,
} from './advice';
import { type Redact, sanitizeServiceText } from './redact';
import { describeStatus, RATE_LIMIT_REACHED } from './statusMessages';
import { formatDuration, joinSentences, type UserMessage } from './userMessage';

/** The request ID is part of the message, because with *Continue* n8n keeps nothing else. */
export function describeFailure(failed: FailedRequest, place: Place, redact: Redact): UserMessage {
	const { failure, startedRun } = failed;
	const { attempts, elapsedMs = 0 } = failure;
	const shown = { ...failed, place };
	const [message, ...advice] = describeCause(shown);
	const elapsed = formatDuration(Math.round(elapsedMs / 1000) * 1000);
	const tried = attempts !== undefined && `Tried ${attempts} times over ${elapsed}`;
	// The text about an API key without access says all.
	const isQuoted = failure.kind === 'status' && (place !== 'credentialTest' || failure.status !== 403);
	const quoted = isQuoted && sanitizeServiceText(failure.serverMessage ?? '', redact);
	const said = quoted && `The service said: "${quoted}"`;
	if (startedRun === undefined) {
		const unknown = isEarlierOutcomeUnknown(failed) ? adviceAfterUnknownOutcome(shown) : [];
		const description = joinSentences([tried, ...unknown, ...advice, said]);
		return { message: addRequestId(message, failure), description };
	}
	// What happened to the run matters more than why it can't be read, unless the API key must be changed first.
	const isPermission = failure.kind === 'status' && [401, 403].includes(failure.status);
	const isCanceled = failure.kind === 'canceled';
	const full = isCanceled ? message : `Run '${startedRun.id}' was started, but then: ${lowerFirst(message)}`;
	const next = continueRun(startedRun, !isCanceled && place !== 'tool');
	const description = [tried, ...(isPermission ? advice : []), next, said];
	return { message: addRequestId(full, failure), description: joinSentences(description) };
}

/** Adds the request ID in brackets, or to the ones at the end. */
function addRequestId(message: string, failure: Failure): string {
	if (!('requestId' in failure) || !failure.requestId) return message;
	const start = message.endsWith(')') ? `${message.slice(0, -1)}, ` : `${message} (`;
	return `${start}request ${failure.requestId})`;
}

function describeCause(shown: ShownFailure): FailureSentences {
	const { failure, request, place } = shown;
	const isUnknown = isEarlierOutcomeUnknown(shown);
	switch (failure.kind) {
		case 'status':
			return describeStatus(failure, shown);
		case 'network': {
			if (failure.requestSent) {
				return [
					`The connection was lost before the response arrived (${failure.code})`,
					...adviceAfterUnknownOutcome(shown),
				];
			}
			const notSent = isUnknown ? 'The last attempt was not sent' : 'Nothing was sent';
			return [
				'The service could not be reached',
				`${notSent} (${failure.code})`,
				addTryAgain(`${checkBaseUrl(place)} and n8n's network`, shown),
			];
		}
		case 'timeout': {
			const { timeoutMs } = failure;
			const when = timeoutMs === undefined ? 'in time' : `within ${formatDuration(timeoutMs)}`;
			const raise =
				"If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings";
			const hasOwnTimeout = place === 'editor' || place === 'credentialTest';
			return [
				`The service did not answer ${when}`,
				...adviceAfterUnknownOutcome(shown),
				...(hasOwnTimeout ? [] : [raise]),
			];
		}
		case 'certificate':
			return [
				"'Base URL' has no valid certificate",
				`The API key was not sent (${failure.code})`,
				`${checkBaseUrl(place)}, or have the certificate renewed`,
			];
		case 'ssrfBlocked':
			return [
				"n8n blocked the request to 'Base URL'",
				'This n8n does not allow internal addresses',
				"Ask your n8n admin to allow this address, or change 'Base URL'",
			];
		case 'tooLarge':
			return [
				'The response is larger than 32 MB or has too many values, so it was not read to its end',
				"Set 'Page Size' under Options to a smaller number if this is a list",
				...adviceAfterUnknownOutcome(shown),
			];
		case 'unexpectedResponse':
			return [
				`'Base URL' ${receivedLabel(failure.received, request.endpoint.returns)}`,
				`Check the address${credentialSuffix(place)}. A login page or proxy may be in front of it`,
				...adviceAfterUnknownWrite(shown),
			];
		case 'invalidPagination':
			return describePagination(failure.reason, place);
		case 'throttled':
			return [
				`${RATE_LIMIT_REACHED}, so this request was not sent`,
				...adviceAfterThrottling(failure.throttledMs ?? 0, place),
			];
		case 'canceled':
			// n8n shows an execution as stopped, not as failed, if the message contains this word.
			return failure.beforeSend
				? ['The execution was canceled before the request was sent', isUnknown ? '' : 'Nothing was done']
				: ['The execution was canceled while a request was under way', ...adviceAfterUnknownOutcome(shown)];
	}
}

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

function describePagination(flaw: PaginationFlaw, place: Place): FailureSentences {
	const nothing = 'Nothing was returned';
	const again = place === 'poll' ? 'If it happens again,' : 'Try again, or';
	const report = `${again} send the request ID to the service's support`;
	const endless = [
		`${nothing}, as it may never end`,
		"Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options",
	];
	switch (flaw) {
		case 'missingCursor':
			return ['The list ended half-way', `${nothing}, as part of it would be missing`, report];
		case 'rejectedCursor':
			return [
				'The service stopped accepting its own cursor before the list ended',
				nothing,
				"Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again",
			];
		case 'rejectedStartCursor':
			return [
				"The service did not accept 'Start Cursor'",
				'It may have expired',
				'Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow',
			];
		case 'cursorLoop':
			return [
				'The same page of the list came twice',
				nothing,
				"Check 'Cursor Parameter' in the credential's advanced settings",
			];
		case 'endlessEmptyPages':
			return ['The list has only empty pages', nothing, report];
		case 'tooManyPages':
			return ['The list has more than 10,000 pages', ...endless];
		case 'tooManyItems':
			return ['The list has more than 1,000,000 items', ...endless];
	}
}
