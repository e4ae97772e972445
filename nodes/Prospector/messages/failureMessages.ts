import type { UserMessage } from './userMessage';
import type { ApiRequest, Failure } from '../transport/failure/failure';
import { describeStatus, RATE_LIMIT_REACHED } from './statusMessages';
import { throttledAdvice, attemptsSummary, addUnknownOutcomeAdvice } from './format';
import { startedRunAdvice, unknownOutcomeAdvice, repeatWithKeyAdvice } from './adviceMessages';

/**
 * The words for every way in which a request can end badly: what happened, then what to do. The request id is part of
 * the message whenever the service sent one, since under *Continue* the message is all that is left.
 *
 * @param failure how the request ended
 * @param call what was asked
 */
export function describeFailure(failure: Failure, call: ApiRequest): UserMessage {
	const { message, description } = addStartedRun(describeCause(failure, call), failure, call);
	return {
		message: withRequestId(message, failure),
		description:
			attemptsSummary(failure) +
			addServerMessage(
				addIdempotencyKey(message, addUnknownOutcomeAdvice(description, failure, call), call),
				failure,
			),
	};
}

/**
 * Names the key of a start or creation that failed. Even where this try did nothing for sure, an earlier one may have:
 * before *Retry On Fail*, or before a killed process. Under *Continue* this text is the only place where the key stands.
 */
function addIdempotencyKey(
	message: string,
	description: string,
	{ endpoint, idempotencyKey, startedRun }: ApiRequest,
): string {
	if (!idempotencyKey || !endpoint.takesIdempotencyKey || startedRun) return description;
	return `${message} ${description}`.includes(`'${idempotencyKey}'`)
		? description
		: `${description}. ${repeatWithKeyAdvice(idempotencyKey)}`;
}

/** After a run was started, that is what counts: the person must learn of it, and must not start another. */
function addStartedRun(problem: UserMessage, failure: Failure, { startedRun }: ApiRequest): UserMessage {
	if (!startedRun || failure.kind === 'canceled') return problem;
	const permission = failure.kind === 'status' && [401, 403].includes(failure.status);
	return {
		message: `${problem.message}, after run '${startedRun.id}' had been started`,
		description: (permission ? `${problem.description}. ` : '') + startedRunAdvice(startedRun),
	};
}

/** What support asks for: part of the message whenever the service named the request. */
export function withRequestId(message: string, failure: Failure): string {
	const requestId = 'requestId' in failure ? failure.requestId : undefined;
	return requestId ? `${message} (request ${requestId})` : message;
}

/** The service's own words, where it sent any with its refusal. */
export function addServerMessage(description: string, failure: Failure): string {
	const serverMessage = failure.kind === 'status' ? (failure.serverMessage ?? '') : '';
	return `${description}.${serverMessage && ` The service said: "${serverMessage}"`}`;
}

function describeCause(failure: Failure, call: ApiRequest): UserMessage {
	switch (failure.kind) {
		case 'status':
			return describeStatus(failure, call);
		case 'network':
			return {
				message: failure.requestSent
					? 'The connection ended before the service answered'
					: 'The service could not be reached',
				description: failure.requestSent
					? `It broke off with ${failure.code}. ${unknownOutcomeAdvice(call)}`
					: `${failure.outcomeUnknown ? 'The last try was not sent' : 'Nothing was sent'} (${failure.code}). Check 'Base URL' of the credential and the network of this n8n, then retry`,
			};
		case 'timeout':
			return {
				message: 'The service did not answer in time',
				description: `${unknownOutcomeAdvice(call)}. If the service is only slow, raise 'Request Timeout' under the node's Options`,
			};
		case 'truncatedResponse':
			return {
				message: "The service's answer broke off half-way",
				description: `The connection ended in the middle of the answer (${failure.code}). ${unknownOutcomeAdvice(call)}`,
			};
		case 'certificate':
			return {
				message: 'No secure connection to the address could be made, so the API key was not sent',
				description: `Its TLS certificate was not accepted, or it does not speak HTTPS at all (${failure.code}). Check 'Base URL' of the credential, or have the certificate renewed`,
			};
		case 'ssrfBlocked':
			return {
				message: "This n8n does not allow requests to the credential's 'Base URL'",
				description:
					"Its protection against requests to internal addresses is on. Check 'Base URL' of the credential, or ask whoever runs this n8n to allow the address",
			};
		case 'tooLarge':
			return {
				message: "The service's response is larger than 64 MB, so it was not read to its end",
				description: `Set 'Page Size' under Options to a smaller number if this is a list. ${unknownOutcomeAdvice(call)}`,
			};
		case 'unexpectedResponse':
			return {
				message: `The address answered with ${failure.received} instead of Prospector data`,
				description: `Check that 'Base URL' of the credential is the address of the Prospector API and that no login page or proxy stands in front of it. ${unknownOutcomeAdvice(call)}`,
			};
		case 'invalidPagination':
			return explainBrokenList(failure.reason);
		case 'throttled':
			return {
				message: `${RATE_LIMIT_REACHED}, so this one was not sent`,
				description: throttledAdvice(failure.throttledMs ?? 0),
			};
		case 'canceled':
			// n8n shows an execution as stopped, not as failed, by this very word in the message.
			return failure.beforeSend
				? {
						message: 'The execution was canceled while a request waited to be sent',
						description: afterStopWhileWaiting(failure, call),
					}
				: {
						message: 'The execution was canceled while a request was under way',
						description: unknownOutcomeAdvice(call),
					};
	}
}

function afterStopWhileWaiting({ outcomeUnknown }: Failure, { startedRun }: ApiRequest): string {
	if (startedRun) return startedRunAdvice(startedRun);
	return outcomeUnknown ? 'It waited between two tries' : 'Nothing was done by it';
}

const REPORT_TO_SUPPORT =
	"so nothing was returned. Retry; if it happens again, report the request to the service's support";

/** Completes the description of a list that is longer than 'Return All' reads. */
const READ_LONG_LISTS =
	"To read a longer list, turn off 'Return All' and set 'Limit' to as many items as you need, or read it page by page with 'Return One Page' under Options";

function explainBrokenList(reason: Extract<Failure, { kind: 'invalidPagination' }>['reason']): UserMessage {
	switch (reason) {
		case 'missingCursor':
			return {
				message: 'The service says that the list goes on, but not where',
				description: `The list would be incomplete, ${REPORT_TO_SUPPORT}`,
			};
		case 'cursorLoop':
			return {
				message: 'The list leads back to a page that was already read',
				description:
					"It would never end, so nothing was returned. If the service names its cursor parameter differently, set 'Cursor Parameter' under 'Show Advanced Settings' of the credential",
			};
		case 'tooManyPages':
			return {
				message: 'The list goes on after 10,000 pages, so nothing was returned',
				description: `It may never end. ${READ_LONG_LISTS}`,
			};
		case 'tooManyItems':
			return {
				message: 'The list goes on after 1,000,000 items, so nothing was returned',
				description: `It may never end. ${READ_LONG_LISTS}`,
			};
		case 'endlessEmptyPages':
			return {
				message: 'The list goes on and on with empty pages',
				description: `It would never end, ${REPORT_TO_SUPPORT}`,
			};
	}
}

/** Advice for a failed poll: its execution has no items, so there is nothing to retry. */
export function withoutRetryAdvice(advice: string | null | undefined): string {
	const kept = (advice ?? '').replace(/,? (?:then|and) retry(?=[,.]|$)/g, '').split(/(?<=\.) /);
	return kept.filter((sentence) => sentence !== '' && !/\bretry\b/i.test(sentence)).join(' ');
}
