import type { EndpointName } from '../api/endpoints';
import type { StatusFailure } from '../api/failure/failure';
import { lowerFirst, upperFirst } from '../utils';
import {
	CHECK_BASE_URL,
	describeNewResource,
	type FailureReport,
	type FailureSentences,
	findIdAdvice,
	rateLimitAdvice,
	readAgainAdvice,
	RETRY_ADVICE,
} from './advice';

/** Contract, section 8. */
export const RATE_LIMIT_REACHED = 'The API key has reached its limit of requests per minute';

/** Describes a status that is not a success (contract, sections 5.4 and 7). */
export function describeStatus(failure: StatusFailure, report: FailureReport): FailureSentences {
	const { status, redirectOrigin } = failure;
	const { caller, request } = report;
	const { body } = request;
	switch (status) {
		case 401:
			return [
				'The API key was not accepted',
				// Contract, sections 5.3 and 5.4.
				'It is mistyped, expired or revoked (also by rotating it)',
				"Paste a current one into 'API Key' of the credential",
			];
		case 403:
			return describeForbidden(failure, report);
		case 404:
			return describeNotFound(failure, report);
		case 409:
			return describeConflict(report);
		case 429:
			return describeRateLimit(failure, report);
	}
	if (status >= 300 && status < 400 && status !== 304) {
		return [
			`'Base URL' redirects to ${redirectOrigin ?? 'another address'}`,
			"The API key is not sent there. If you trust that address, enter it in 'Base URL' of the credential",
		];
	}
	if (status < 400 || status >= 500) {
		return [`The service answered with status ${status}`, readAgainAdvice(report)];
	}
	const checkAdvice = body === undefined ? 'Check the fields of this node' : "Correct 'Fields' or 'JSON'";
	return [
		`The service did not accept the ${body ? 'values' : 'request'} (status ${status})`,
		caller === 'credentialTest' ? CHECK_BASE_URL : checkAdvice,
	];
}

function describeForbidden({ isHtml }: StatusFailure, { request, caller }: FailureReport): FailureSentences {
	const { name, scope, method } = request.endpoint;
	const advice = 'Ask a workspace admin for such an API key';
	if (caller === 'credentialTest') {
		// A web server in front of the service refuses without knowing the key.
		if (isHtml) return ["'Base URL' refused the request", CHECK_BASE_URL];
		return [
			'The API key is valid, but not allowed to read runs and results',
			`It needs the scopes 'prospector.read' and 'prospector.run': with 'prospector.run' alone, it can start runs, but not read them. ${advice}`,
		];
	}
	const membership = method === 'GET' ? 'belong to a member with access' : 'not belong to a read-only member';
	return [
		`This API key is not allowed to ${ENDPOINT_PURPOSES[name]}`,
		`It needs the scope '${scope}' and must ${membership}. ${advice}`,
	];
}

/** Completes "This API key is not allowed to …". */
const ENDPOINT_PURPOSES: Record<EndpointName, string> = {
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

function describeNotFound({ isHtml }: StatusFailure, { request, caller }: FailureReport): FailureSentences {
	const { workflow_id: workflowId, run_id: runId } = request.ids ?? {};
	const baseUrlAdvice = isHtml ? `If no ID is found, ${lowerFirst(CHECK_BASE_URL)}` : '';
	if (workflowId !== undefined) {
		return [
			`Prospector workflow '${workflowId}' was not found`,
			'It was deleted or belongs to another workspace',
			findIdAdvice('Prospector workflow', caller, ', or enter its ID, not its name'),
			baseUrlAdvice,
		];
	}
	if (runId === undefined) return ["The Prospector API was not found at 'Base URL'", CHECK_BASE_URL];
	return [
		`Run '${runId}' was not found`,
		'It belongs to another workspace, or this is not the ID of a run',
		findIdAdvice('run', caller, " in 'Run', or use the 'id' that Workflow › Run returns"),
		baseUrlAdvice,
	];
}

function describeConflict(report: FailureReport): FailureSentences {
	const { failure, request, isUserKey, caller } = report;
	const { idempotencyKey } = request;
	if (idempotencyKey === undefined) {
		return [
			'The service reported a conflict',
			'Someone else may have changed it. Get it again, then try again',
		];
	}
	if (isUserKey && !failure.hasUnknownOutcome) {
		return [
			`Idempotency Key '${idempotencyKey}' is already in use`,
			"A request with other values has used it, or is in progress. This one did nothing. Change 'Idempotency Key' under Options, or use what the first request made",
		];
	}
	// A request with the same key may be in progress, or have taken effect.
	const { noun, list, effect } = describeNewResource(request);
	const lookAdvice = `look for the ${noun} with ${list}, and try again only if it is missing`;
	const retryAdvice = `Wait a minute. Then ${lowerFirst(RETRY_ADVICE)}, which sends the same idempotency key again`;
	return [
		failure.hasUnknownOutcome
			? 'The service reported a conflict after its first response was lost'
			: 'An earlier attempt of this execution has used the same idempotency key',
		effect,
		caller === 'node' ? `${retryAdvice}. If that does not help, ${lookAdvice}` : upperFirst(lookAdvice),
	];
}

function describeRateLimit({ retryAfterMs }: StatusFailure, report: FailureReport): FailureSentences {
	const { failure, caller } = report;
	const { permittedAfterMs = retryAfterMs } = failure;
	const effect = caller === 'credentialTest' ? 'The API key itself was accepted' : 'Nothing was done';
	return [
		RATE_LIMIT_REACHED,
		failure.hasUnknownOutcome ? '' : effect,
		rateLimitAdvice({ ...failure, permittedAfterMs }, caller),
	];
}
