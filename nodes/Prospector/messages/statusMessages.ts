import type { EndpointName } from '../api/endpoints';
import type { StatusFailure } from '../api/failure/failure';
import { lowerFirst } from '../utils';
import {
	adviceAfterConflict,
	adviceAfterThrottling,
	adviceAfterUnknownOutcome,
	adviceAfterUnknownWrite,
	type FailureSentences,
	checkBaseUrl,
	credentialSuffix,
	FEWER_EXECUTIONS,
	type ShownFailure,
	addTryAgain,
} from './advice';
import { formatDuration } from './userMessage';

/** Contract, section 8. */
export const RATE_LIMIT_REACHED = 'The API key has reached its limit of requests per minute';

/** Describes a status that is not a success (contract, sections 5.4 and 7). */
export function describeStatus(failure: StatusFailure, shown: ShownFailure): FailureSentences {
	const { status, location } = failure;
	const { place, request } = shown;
	const { body } = request;
	switch (status) {
		case 401:
			return [
				'The API key was not accepted',
				// Contract, sections 5.3 and 5.4.
				'It is mistyped, expired or revoked (also by rotating it)',
				addTryAgain(`Paste a current one into 'API Key'${credentialSuffix(place, 'of')}`, shown),
			];
		case 403:
			return describeForbidden(failure, shown);
		case 404:
			return describeNotFound(failure, shown);
		case 409:
			return describeConflict(shown);
		case 429:
			return describeRateLimit(failure, shown);
	}
	if (status >= 300 && status < 400 && status !== 304) {
		return [
			`'Base URL' redirects to ${location ?? 'another address'}`,
			'The API key is not sent there',
			`If you trust that address, enter it in 'Base URL'${credentialSuffix(place, 'of')}`,
			...adviceAfterUnknownWrite(shown),
		];
	}
	if (status < 400 || status >= 500) {
		return [`The service answered with status ${status}`, ...adviceAfterUnknownOutcome(shown)];
	}
	const check = body === undefined ? 'Check the fields of this node' : "Correct 'Fields' or 'JSON'";
	return [
		`The service did not accept the ${body ? 'values' : 'request'} (status ${status})`,
		addTryAgain(place === 'credentialTest' ? checkBaseUrl(place) : check, shown),
	];
}

function describeForbidden({ isHtml }: StatusFailure, { request, place }: ShownFailure): FailureSentences {
	const { name, scope, method } = request.endpoint;
	const advice = 'Ask a workspace admin for such an API key';
	if (place !== 'credentialTest') {
		const member = method === 'GET' ? 'belong to a member with access' : 'not belong to a read-only member';
		return [
			`This API key is not allowed to ${PURPOSES[name]}`,
			`It needs the scope '${scope}' and must ${member}`,
			advice,
		];
	}
	// A web server in front of the service refuses without knowing the key.
	return isHtml
		? ["'Base URL' refused the request", checkBaseUrl(place)]
		: [
				'The API key is valid, but not allowed to use Prospector',
				"It needs the scopes 'prospector.read' and 'prospector.run'",
				advice,
			];
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

function describeNotFound({ isHtml }: StatusFailure, { request, place }: ShownFailure): FailureSentences {
	const { workflow_id: workflowId, run_id: runId } = request.ids ?? {};
	const orBaseUrl = isHtml ? [`Or 'Base URL'${credentialSuffix(place)} is wrong`] : [];
	if (workflowId !== undefined) {
		const field = place === 'poll' ? '' : " in 'Prospector Workflow'";
		return [
			`Prospector workflow '${workflowId}' was not found`,
			'It was deleted or belongs to another workspace',
			`Pick one from the list${field}, or enter its ID, not its name`,
			...orBaseUrl,
		];
	}
	if (runId === undefined) return ["The Prospector API was not found at 'Base URL'", checkBaseUrl(place)];
	return [
		`Run '${runId}' was not found`,
		'It belongs to another workspace, or this is not the ID of a run',
		"Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns",
		...orBaseUrl,
	];
}

function describeConflict(shown: ShownFailure): FailureSentences {
	const { failure, request, isUserKey } = shown;
	const { endpoint, idempotencyKey } = request;
	if (idempotencyKey === undefined) {
		return [
			'The service reported a conflict',
			'Someone else may have changed it',
			addTryAgain('Get it again', shown),
		];
	}
	if (isUserKey && !failure.outcomeUnknown) {
		return [
			`Idempotency Key '${idempotencyKey}' is already in use`,
			'A request with other values has used it, or is in progress. This one did nothing',
			"Change 'Idempotency Key' under Options, or use what the first request made",
		];
	}
	const made =
		endpoint.name === 'createWorkflow'
			? 'Prospector workflow may have been created'
			: 'run may have been started';
	return [
		failure.outcomeUnknown
			? 'The service reported a conflict after its first response was lost'
			: 'An earlier attempt of this execution has used the same idempotency key',
		`The ${made} by an earlier attempt`,
		adviceAfterConflict(shown),
	];
}

function describeRateLimit(
	{ retryAfterMs }: StatusFailure,
	{ failure, place }: ShownFailure,
): FailureSentences {
	if (place === 'credentialTest') {
		return [RATE_LIMIT_REACHED, 'The API key itself was accepted', 'Test again in a minute'];
	}
	const explanation = failure.outcomeUnknown ? '' : 'Nothing was done';
	if (failure.throttledMs !== undefined) {
		return [RATE_LIMIT_REACHED, explanation, ...adviceAfterThrottling(failure.throttledMs, place)];
	}
	const wait = retryAfterMs === undefined ? 'a minute' : formatDuration(retryAfterMs);
	const again = `Try again in ${wait}, or ${lowerFirst(FEWER_EXECUTIONS)}`;
	return [RATE_LIMIT_REACHED, explanation, place === 'poll' ? FEWER_EXECUTIONS : again];
}
