import type { Failure, PaginationFlaw, Received, StatusFailure } from '../api/failure/failure';
import type { FailedRequest } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import type { EndpointName } from '../api/endpoints';
import { lowerFirst } from '../utils';
import { adviceFor, isEarlierOutcomeUnknown, isPermissionFailure, isRedirect, type Place } from './advice';
import { type Redact, sanitizeServiceText } from './redact';
import { formatDuration, joinSentences, type UserMessage } from './userMessage';

/** The request ID is part of the message, because with *Continue* n8n keeps nothing else. */
export function describeFailure(failed: FailedRequest, place: Place, redact: Redact): UserMessage {
	const { failure, startedRun } = failed;
	const { attempts, elapsedMs = 0 } = failure;
	const { message, explanation } = describeCause(failed, place);
	const isAfterStart = startedRun !== undefined && failure.kind !== 'canceled';
	const elapsed = formatDuration(Math.round(elapsedMs / 1000) * 1000);
	const quoted = failure.kind === 'status' && sanitizeServiceText(failure.serverMessage ?? '', redact);
	const full = isAfterStart
		? `Run '${startedRun.id}' was started, but then: ${lowerFirst(message)}`
		: message;
	return {
		message: addRequestId(full, failure),
		description: joinSentences([
			attempts !== undefined && `Tried ${attempts} times over ${elapsed}`,
			// What happened to the run matters more than why it can't be read.
			(!startedRun || isPermissionFailure(failed)) && explanation,
			...adviceFor(failed, place),
			quoted && `The service said: "${quoted}"`,
		]),
	};
}

/** Adds the request ID in brackets, or to the ones at the end. */
export function addRequestId(message: string, failure: Failure): string {
	if (!('requestId' in failure) || !failure.requestId) return message;
	const start = message.endsWith(')') ? `${message.slice(0, -1)}, ` : `${message} (`;
	return `${start}request ${failure.requestId})`;
}

interface Cause {
	message: string;
	/** Further sentences, without a full stop at the end. */
	explanation?: string;
}

function describeCause(failed: FailedRequest, place: Place): Cause {
	const { failure, request } = failed;
	const isUnknown = isEarlierOutcomeUnknown(failed);
	switch (failure.kind) {
		case 'status':
			return describeStatus(failed, failure, place);
		case 'network':
			if (failure.requestSent) return connectionLost(failure.code);
			return {
				message: 'The service could not be reached',
				explanation: `${isUnknown ? 'The last attempt was not sent' : 'Nothing was sent'} (${failure.code})`,
			};
		case 'timeout': {
			const { timeoutMs } = failure;
			const when = timeoutMs === undefined ? 'in time' : `within ${formatDuration(timeoutMs)}`;
			return { message: `The service did not answer ${when}` };
		}
		case 'truncatedResponse':
			return connectionLost(failure.code);
		case 'certificate':
			return {
				message: "'Base URL' has no valid certificate",
				explanation: `The API key was not sent (${failure.code})`,
			};
		case 'ssrfBlocked':
			return {
				message: "n8n blocked the request to 'Base URL'",
				explanation: 'This n8n does not allow internal addresses',
			};
		case 'tooLarge':
			return {
				message: 'The response is larger than 32 MB or has too many values, so it was not read to its end',
			};
		case 'unexpectedResponse':
			if (failure.received === 'nothing') return { message: "'Base URL' returned an empty response" };
			return {
				message: `'Base URL' answered with ${receivedLabel(failure.received, request)}, not with Prospector data`,
			};
		case 'invalidPagination':
			return PAGINATION_MESSAGES[failure.reason];
		case 'throttled':
			return { message: `${RATE_LIMIT_REACHED}, so this request was not sent` };
		case 'canceled':
			// n8n shows an execution as stopped, not as failed, if the message contains this word.
			if (!failure.beforeSend) {
				return { message: 'The execution was canceled while a request was under way' };
			}
			return {
				message: 'The execution was canceled before the request was sent',
				explanation: isUnknown ? undefined : 'Nothing was done',
			};
	}
}

/** For a lost connection and a truncated response alike: the difference helps nobody. */
const connectionLost = (code: string): Cause => ({
	message: `The connection was lost before the response arrived (${code})`,
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

function receivedLabel(received: Exclude<Received, 'nothing'>, { endpoint }: ApiRequest): string {
	if (received !== 'missingData') return RECEIVED_LABELS[received];
	return `JSON whose 'data' is not ${endpoint.returns === 'list' ? 'a list of objects' : 'an object'}`;
}

const NOTHING_RETURNED = 'Nothing was returned';

const PAGINATION_MESSAGES: Record<PaginationFlaw, Cause> = {
	missingCursor: {
		message: 'The list ended half-way',
		explanation: `${NOTHING_RETURNED}, as part of it would be missing`,
	},
	rejectedCursor: {
		message: 'The service stopped accepting its own cursor before the list ended',
		explanation: NOTHING_RETURNED,
	},
	rejectedStartCursor: {
		message: "The service did not accept 'Start Cursor'",
		explanation: 'It may have expired',
	},
	cursorLoop: { message: 'The same page of the list came twice', explanation: NOTHING_RETURNED },
	endlessEmptyPages: { message: 'The list has only empty pages', explanation: NOTHING_RETURNED },
	tooManyPages: {
		message: 'The list has more than 10,000 pages',
		explanation: `${NOTHING_RETURNED}, as it may never end`,
	},
	tooManyItems: {
		message: 'The list has more than 1,000,000 items',
		explanation: `${NOTHING_RETURNED}, as it may never end`,
	},
};

/** Contract, section 8. */
const RATE_LIMIT_REACHED = 'The API key has reached its limit of requests per minute';

/** Describes a status that is not a success (contract, sections 5.4 and 7). */
function describeStatus(failed: FailedRequest, { status, location }: StatusFailure, place: Place): Cause {
	const { request, isUserKey } = failed;
	const { outcomeUnknown } = failed.failure;
	const { endpoint, idempotencyKey, body } = request;
	const nothingDone = outcomeUnknown ? undefined : 'Nothing was done';
	switch (status) {
		case 401:
			return {
				message: 'The API key was not accepted',
				// Contract, sections 5.3 and 5.4.
				explanation: 'It is mistyped, expired or revoked (also by rotating it)',
			};
		case 403:
			return {
				message: `This API key is not allowed to ${PURPOSES[endpoint.name]}`,
				explanation: `It needs the scope '${endpoint.scope}' and must ${endpoint.method === 'GET' ? 'belong to a member with access' : 'not belong to a read-only member'}`,
			};
		case 404:
			return describeNotFound(request);
		case 409:
			if (idempotencyKey === undefined) {
				return {
					message: 'The service reported a conflict',
					explanation: 'Someone else may have changed it',
				};
			}
			if (isUserKey && !outcomeUnknown) {
				return {
					message: `Idempotency Key '${idempotencyKey}' is already in use`,
					explanation: 'A request with other values has used it, or is in progress. This one did nothing',
				};
			}
			return {
				message: outcomeUnknown
					? 'The service reported a conflict after its first response was lost'
					: 'An earlier attempt of this execution has used the same idempotency key',
				explanation: `The ${endpoint.name === 'createWorkflow' ? 'Prospector workflow may have been created' : 'run may have been started'} by an earlier attempt`,
			};
		case 429:
			return {
				message: RATE_LIMIT_REACHED,
				explanation: place === 'credentialTest' ? 'The API key itself was accepted' : nothingDone,
			};
	}
	if (isRedirect(status)) {
		return {
			message: `'Base URL' redirects to ${location ?? 'another address'}`,
			explanation: 'The API key is not sent there',
		};
	}
	if (status >= 500) return { message: `The service answered with status ${status}` };
	return { message: `The service did not accept the ${body ? 'values' : 'request'} (status ${status})` };
}

/** Completes "This API key is not allowed to …". */
const PURPOSES: Record<EndpointName, string> = {
	getIdentity: 'read its own identity',
	getConfig: 'read the prospecting settings',
	listWorkflows: 'list Prospector workflows',
	createWorkflow: 'create Prospector workflows',
	getWorkflow: 'read Prospector workflows',
	updateWorkflow: 'update Prospector workflows',
	deleteWorkflow: 'delete Prospector workflows',
	runWorkflow: 'start runs',
	listRuns: 'list the runs of a Prospector workflow',
	getRun: 'read runs',
	listResults: 'list the results of a run',
};

function describeNotFound({ ids = {} }: ApiRequest): Cause {
	if (ids.workflow_id !== undefined) {
		return {
			message: `Prospector workflow '${ids.workflow_id}' was not found`,
			explanation: 'It was deleted or belongs to another workspace',
		};
	}
	if (ids.run_id !== undefined) {
		return {
			message: `Run '${ids.run_id}' was not found`,
			explanation: 'It belongs to another workspace, or this is not the ID of a run',
		};
	}
	return { message: "The Prospector API was not found at 'Base URL'" };
}
