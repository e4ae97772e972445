import { adviceFor, isEarlierOutcomeUnknown } from '../transport/failure/advice';
import type { Failure, PaginationFlaw, Received, StatusFailure } from '../transport/failure/failure';
import type { ApiRequest } from '../transport/request/apiRequest';
import { type EndpointName, endpointPath } from '../transport/request/endpoints';
import { adviceSentences, type Place } from './adviceMessages';
import { formatDuration, joinSentences, type UserMessage } from './userMessage';

/** The request ID is part of the message, because with *Continue* n8n keeps nothing else. */
export function describeFailure(failure: Failure, request: ApiRequest, place: Place = 'node'): UserMessage {
	const { startedRun } = request;
	const { attempts, elapsedMs = 0 } = failure;
	const { message, explanation } = describeCause(failure, request, place);
	const afterStart =
		startedRun && failure.kind !== 'canceled' ? `, after run '${startedRun.id}' had been started` : '';
	const isPermission = failure.kind === 'status' && [401, 403].includes(failure.status);
	return {
		message: message + afterStart + requestIdSuffix(failure),
		description: joinSentences([
			attempts !== undefined &&
				`Tried ${attempts} times in ${formatDuration(Math.round(elapsedMs / 1000) * 1000)}`,
			// What happened to the run matters more than why it can't be read.
			(!startedRun || isPermission) && explanation,
			isEarlierOutcomeUnknown(failure, request) && 'An earlier try may have been carried out',
			...adviceSentences(adviceFor(failure, request), place),
			failure.kind === 'status' && failure.serverMessage && `The service said: "${failure.serverMessage}"`,
		]),
	};
}

export const requestIdSuffix = (failure: Failure): string =>
	'requestId' in failure && failure.requestId ? ` (request ${failure.requestId})` : '';

interface Cause {
	message: string;
	/** Further sentences, without a full stop at the end. */
	explanation?: string;
}

function describeCause(failure: Failure, request: ApiRequest, place: Place): Cause {
	switch (failure.kind) {
		case 'status':
			return describeStatus(failure, request, place);
		case 'network':
			if (failure.requestSent) {
				return {
					message: 'The connection ended before the service answered',
					explanation: `It broke off with ${failure.code}`,
				};
			}
			return {
				message: 'The service could not be reached',
				explanation: `${failure.outcomeUnknown ? 'The last try was not sent' : 'Nothing was sent'} (${failure.code})`,
			};
		case 'timeout':
			return { message: 'The service did not answer in time' };
		case 'truncatedResponse':
			return {
				message: "The service's answer broke off half-way",
				explanation: `The connection ended in the middle of the answer (${failure.code})`,
			};
		case 'certificate':
			return {
				message: 'No secure connection to the address could be made, so the API key was not sent',
				explanation: `Its TLS certificate was not accepted, or it does not speak HTTPS at all (${failure.code})`,
			};
		case 'ssrfBlocked':
			return {
				message: "This n8n does not allow requests to the credential's 'Base URL'",
				explanation: 'Its protection against requests to internal addresses is on',
			};
		case 'tooLarge':
			return { message: "The service's response is larger than 64 MB, so it was not read to its end" };
		case 'unexpectedResponse':
			return {
				message: `The address answered with ${receivedLabel(failure.received, request)} instead of Prospector data`,
			};
		case 'invalidPagination':
			return PAGINATION_MESSAGES[failure.reason];
		case 'throttled':
			return { message: `${RATE_LIMIT_REACHED}, so this one was not sent` };
		case 'canceled':
			// n8n shows an execution as stopped, not as failed, if the message contains this word.
			if (!failure.beforeSend) {
				return { message: 'The execution was canceled while a request was under way' };
			}
			return {
				message: 'The execution was canceled while a request waited to be sent',
				explanation: failure.outcomeUnknown ? 'It waited between two tries' : 'Nothing was done by it',
			};
	}
}

const RECEIVED_LABELS: Record<Exclude<Received, 'missingData'>, string> = {
	nothing: 'nothing',
	html: 'a web page',
	text: 'plain text',
	invalidJson: 'JSON that breaks off or is malformed',
	jsonList: 'a JSON list',
	jsonValue: 'a JSON value',
	missingRequestId: "JSON without a 'request_id'",
	missingHasMore: "a list without 'pagination.has_more'",
};

function receivedLabel(received: Received, { endpoint }: ApiRequest): string {
	if (received !== 'missingData') return RECEIVED_LABELS[received];
	return `JSON without 'data' that is ${endpoint.returns === 'list' ? 'a list of objects' : 'an object'}`;
}

const PAGINATION_MESSAGES: Record<PaginationFlaw, Cause> = {
	missingCursor: {
		message: 'The service says that the list goes on, but not where',
		explanation: 'The list would be incomplete, so nothing was returned',
	},
	cursorLoop: {
		message: 'The list leads back to a page that was already read',
		explanation: 'It would never end, so nothing was returned',
	},
	endlessEmptyPages: {
		message: 'The list goes on and on with empty pages',
		explanation: 'It would never end, so nothing was returned',
	},
	tooManyPages: {
		message: 'The list goes on after 10,000 pages, so nothing was returned',
		explanation: 'It may never end',
	},
	tooManyItems: {
		message: 'The list goes on after 1,000,000 items, so nothing was returned',
		explanation: 'It may never end',
	},
};

/** Contract, section 8. */
const RATE_LIMIT_REACHED = "The API key's requests for this minute are used up";

/** Describes a status that is not a success (contract, sections 5.4 and 7). */
function describeStatus(failure: StatusFailure & Failure, request: ApiRequest, place: Place): Cause {
	const { status, location, outcomeUnknown } = failure;
	const { endpoint, idempotencyKey } = request;
	const isTest = place === 'credentialTest';
	switch (status) {
		case 401:
			return {
				message: 'The API key was not accepted',
				// Contract, sections 5.3 and 5.4.
				explanation:
					'It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once',
			};
		case 403:
			return {
				message: `This API key may not ${PURPOSES[endpoint.name]}`,
				explanation: `It needs the scope '${endpoint.scope}', and the membership that issued it must ${endpoint.method === 'GET' ? 'be allowed to read this' : 'not be read-only'}`,
			};
		case 404:
			return describeNotFound(request);
		case 409:
			if (idempotencyKey === undefined) {
				return {
					message: 'The service reported a conflict with its present state',
					explanation: 'Something else may have changed the same thing',
				};
			}
			return {
				message: `The idempotency key '${idempotencyKey}' was already used with a different payload`,
				explanation: outcomeUnknown ? undefined : 'Nothing was done this time',
			};
		case 429:
			if (isTest) return { message: RATE_LIMIT_REACHED, explanation: 'The key itself was accepted' };
			return { message: RATE_LIMIT_REACHED, explanation: outcomeUnknown ? undefined : 'Nothing was done' };
	}
	if (status >= 300 && status < 400 && status !== 304) {
		return {
			message: `'Base URL' of the credential leads to a redirect${location ? ` to ${location}` : ''}, which is not followed`,
			explanation: 'Following it would hand the API key to another address',
		};
	}
	if (status >= 500) return { message: `The service had trouble with the request: status ${status}` };
	return { message: `The service did not accept the request: status ${status}` };
}

/** Completes "This API key may not …". */
const PURPOSES: Record<EndpointName, string> = {
	getIdentity: 'read its own identity',
	getConfig: 'read the prospector configuration',
	listWorkflows: 'list Prospector workflows',
	createWorkflow: 'create Prospector workflows',
	getWorkflow: 'read Prospector workflows',
	updateWorkflow: 'change Prospector workflows',
	deleteWorkflow: 'delete Prospector workflows',
	runWorkflow: 'start runs',
	listRuns: 'list the runs of a Prospector workflow',
	getRun: 'read runs',
	listResults: 'list the results of a run',
};

function describeNotFound({ endpoint, ids = {} }: ApiRequest): Cause {
	if (ids.workflow_id !== undefined) {
		return {
			message: `The Prospector workflow '${ids.workflow_id}' was not found`,
			explanation: 'It was deleted, or it belongs to another workspace than the API key',
		};
	}
	if (ids.run_id !== undefined) {
		return {
			message: `The run '${ids.run_id}' was not found`,
			explanation:
				"It belongs to another workspace than the API key, or the ID in 'Run' is not that of a run",
		};
	}
	return { message: `Nothing was found below 'Base URL' at '${endpointPath(endpoint)}'` };
}
