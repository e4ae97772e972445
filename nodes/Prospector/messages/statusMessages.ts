import type { EndpointName } from '../api/endpoints';
import type { StatusFailure } from '../api/failure/failure';
import { lowerFirst } from '../utils';
import {
	afterConflict,
	afterThrottling,
	afterUnknownOutcome,
	checkBaseUrl,
	credentialSuffix,
	FEWER_EXECUTIONS,
	type ShownFailure,
	thenTryAgain,
} from './advice';
import { type Cause, formatDuration } from './userMessage';

/** Contract, section 8. */
export const RATE_LIMIT_REACHED = 'The API key has reached its limit of requests per minute';

/** Describes a status that is not a success (contract, sections 5.4 and 7). */
export function describeStatus(failure: StatusFailure, shown: ShownFailure): Cause {
	const { status, location } = failure;
	const { request, place } = shown;
	const { endpoint, body } = request;
	switch (status) {
		case 401:
			return {
				message: 'The API key was not accepted',
				// Contract, sections 5.3 and 5.4.
				explanation: 'It is mistyped, expired or revoked (also by rotating it)',
				advice: [thenTryAgain(`Paste a current one into 'API Key'${credentialSuffix(place, 'of')}`, shown)],
			};
		case 403:
			return {
				message: `This API key is not allowed to ${PURPOSES[endpoint.name]}`,
				explanation: `It needs the scope '${endpoint.scope}' and must ${endpoint.method === 'GET' ? 'belong to a member with access' : 'not belong to a read-only member'}`,
				advice: ['Ask a workspace admin for such an API key'],
			};
		case 404:
			return describeNotFound(failure, shown);
		case 409:
			return describeConflict(shown);
		case 429:
			return describeRateLimit(failure, shown);
	}
	if (status >= 300 && status < 400 && status !== 304) {
		return {
			message: `'Base URL' redirects to ${location ?? 'another address'}`,
			explanation: 'The API key is not sent there',
			advice: [
				`If you trust that address, enter it in 'Base URL'${credentialSuffix(place, 'of')}`,
				...(endpoint.method === 'GET' ? [] : afterUnknownOutcome(shown)),
			],
		};
	}
	if (status < 400 || status >= 500) {
		return { message: `The service answered with status ${status}`, advice: afterUnknownOutcome(shown) };
	}
	const check = body === undefined ? 'Check the fields of this node' : "Correct 'Fields' or 'JSON'";
	return {
		message: `The service did not accept the ${body ? 'values' : 'request'} (status ${status})`,
		advice: [thenTryAgain(place === 'credentialTest' ? checkBaseUrl(place) : check, shown)],
	};
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

function describeNotFound({ isHtml }: StatusFailure, { request, place }: ShownFailure): Cause {
	const { workflow_id: workflowId, run_id: runId } = request.ids ?? {};
	const orBaseUrl = isHtml ? [`Or 'Base URL'${credentialSuffix(place)} is wrong`] : [];
	if (workflowId !== undefined) {
		const field = place === 'poll' ? '' : " in 'Prospector Workflow'";
		return {
			message: `Prospector workflow '${workflowId}' was not found`,
			explanation: 'It was deleted or belongs to another workspace',
			advice: [`Pick one from the list${field}, or enter its ID, not its name`, ...orBaseUrl],
		};
	}
	if (runId !== undefined) {
		return {
			message: `Run '${runId}' was not found`,
			explanation: 'It belongs to another workspace, or this is not the ID of a run',
			advice: ["Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns", ...orBaseUrl],
		};
	}
	return { message: "The Prospector API was not found at 'Base URL'", advice: [checkBaseUrl(place)] };
}

function describeConflict(shown: ShownFailure): Cause {
	const { failure, request, isUserKey } = shown;
	const { endpoint, idempotencyKey } = request;
	if (idempotencyKey === undefined) {
		return {
			message: 'The service reported a conflict',
			explanation: 'Someone else may have changed it',
			advice: [thenTryAgain('Get it again', shown)],
		};
	}
	if (isUserKey && !failure.outcomeUnknown) {
		return {
			message: `Idempotency Key '${idempotencyKey}' is already in use`,
			explanation: 'A request with other values has used it, or is in progress. This one did nothing',
			advice: ["Change 'Idempotency Key' under Options, or use what the first request made"],
		};
	}
	return {
		message: failure.outcomeUnknown
			? 'The service reported a conflict after its first response was lost'
			: 'An earlier attempt of this execution has used the same idempotency key',
		explanation: `The ${endpoint.name === 'createWorkflow' ? 'Prospector workflow may have been created' : 'run may have been started'} by an earlier attempt`,
		advice: [afterConflict(shown)],
	};
}

function describeRateLimit({ retryAfterMs }: StatusFailure, { failure, place }: ShownFailure): Cause {
	const message = RATE_LIMIT_REACHED;
	if (place === 'credentialTest') {
		return { message, explanation: 'The API key itself was accepted', advice: ['Test again in a minute'] };
	}
	const explanation = failure.outcomeUnknown ? undefined : 'Nothing was done';
	if (failure.throttledMs !== undefined) {
		return { message, explanation, advice: afterThrottling(failure.throttledMs, place) };
	}
	const wait = retryAfterMs === undefined ? 'a minute' : formatDuration(retryAfterMs);
	const again = `Try again in ${wait}, or ${lowerFirst(FEWER_EXECUTIONS)}`;
	return { message, explanation, advice: [place === 'poll' ? FEWER_EXECUTIONS : again] };
}
