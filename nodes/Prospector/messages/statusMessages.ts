// Describes refusals: responses of the service, or of something in front of it. Called by `failureMessages.ts`. Tests:
// test/unit/messages/failureMessages.test.ts, test/workflow/failures.test.ts.
import type { ApiRequest } from '../api/apiRequest';
import type { Failure, StatusFailure } from '../api/failure/failure';
import { lowerFirst } from '../utils';
import {
	CHECK_BASE_URL,
	describeNewResource,
	type FailureReport,
	type MessageParts,
	adviceToFindId,
	rateLimitAdvice,
	readAgainAdvice,
	RETRY_ADVICE,
} from './advice';
import { quote } from './userMessage';

/** Contract, section 8. */
export const RATE_LIMIT_REACHED = 'The API key has reached its limit of requests';
const SCOPED_REJECTION_ADVICE = "Try again later. If this continues, ask the service's support";

/** Describes a status that is not a success (contract, sections 5.4 and 7). */
export function describeStatus(failure: Failure & StatusFailure, report: FailureReport): MessageParts {
	const { status } = failure;
	const { caller, request } = report;
	const { body } = request;
	switch (status) {
		case 401:
			return [
				'The API key was not accepted',
				// Contract, sections 5.3 and 5.4.
				'The API key is mistyped, or it has expired, was revoked or was rotated',
				"Paste a current one into 'API Key' of the credential",
			];
		case 403:
			return describeForbidden(report);
		case 404:
			return describeNotFound(report);
		case 409:
			return describeConflict(report);
		case 429:
			return describeRateLimit(report);
	}
	if (failure.redirectTarget !== undefined) return describeRedirect(failure);
	// With 408, it is not known whether the service accepted the request.
	if (status < 400 || status >= 500 || status === 408) {
		const advice = failure.retryAfterMs ? rateLimitAdvice : readAgainAdvice;
		return [`The service answered with status ${status}`, advice(report)];
	}
	// Only these statuses are about the values that were sent.
	if (body !== undefined && [400, 413, 422].includes(status))
		return [`The service did not accept the values (status ${status})`, 'Correct the values in this node'];
	const checkAdvice = caller === 'credentialTest' ? CHECK_BASE_URL : 'Check the fields of this node';
	return [
		`The service did not accept the request (status ${status})`,
		failure.serverMessage === undefined ? checkAdvice : '',
	];
}

/** Describes a response that does not come from the service, so that it says nothing about the request. */
export function describeIntermediary(failure: StatusFailure, report: FailureReport): MessageParts {
	const { status } = failure;
	if (failure.redirectTarget !== undefined) return describeRedirect(failure);
	const message = `Something in front of the service answered (status ${status})`;
	if (status === 407)
		return [message, 'A proxy asks for a login. Ask your n8n admin to add the login to HTTPS_PROXY'];
	return [message, INTERMEDIARY_CAUSE, readAgainAdvice(report), INTERMEDIARY_ADVICE];
}

const INTERMEDIARY_CAUSE = 'This may be a proxy, a firewall or a login page';
const INTERMEDIARY_ADVICE = `${CHECK_BASE_URL}, or ask your n8n admin`;

function describeRedirect({ redirectTarget: target = '', isSameResource }: StatusFailure): MessageParts {
	const isSameOrigin = target.startsWith('/');
	const advice = isSameOrigin
		? `${CHECK_BASE_URL}, or ask the service's support why its API redirects`
		: "If you trust that address, enter it in 'Base URL' of the credential";
	return [
		`'Base URL' redirects to ${isSameOrigin ? quote(target) : target}`,
		'The API key was not sent there',
		isSameResource ? advice : `${INTERMEDIARY_CAUSE}. ${INTERMEDIARY_ADVICE}`,
	];
}

function describeForbidden({ request, caller }: FailureReport): MessageParts {
	const { scope, method, purpose } = request.endpoint;
	const advice = 'Ask a workspace admin for such an API key';
	if (caller === 'credentialTest') {
		return [
			'The API key is valid, but not allowed to read runs and results',
			`The API key needs the scopes 'prospector.read' and 'prospector.run': with 'prospector.run' alone, it can start runs, but not read them. ${advice}`,
		];
	}
	const membership = method === 'GET' ? 'belong to a member with access' : 'not belong to a read-only member';
	return [
		`This API key is not allowed to ${purpose}`,
		`The API key needs the scope '${scope}' and must ${membership}. ${advice}`,
	];
}

function describeNotFound({ request, caller }: FailureReport): MessageParts {
	const { workflow_id: workflowId, run_id: runId } = request.ids ?? {};
	if (workflowId !== undefined) {
		return [
			`Prospector workflow '${workflowId}' was not found`,
			'The Prospector workflow may be deleted, or belong to another workspace',
			adviceToFindId('Prospector workflow', caller, ', or enter its ID, not its name'),
		];
	}
	if (runId === undefined) return ["The Prospector API was not found at 'Base URL'", CHECK_BASE_URL];
	return [
		`Run '${runId}' was not found`,
		'The run may be deleted, or belong to another workspace, or this is not the ID of a run',
		adviceToFindId('run', caller, " in 'Run', or use the 'id' that Workflow › Run returns"),
	];
}

const CONFLICT_MESSAGE = 'The service reported a conflict';

function describeConflict(report: FailureReport): MessageParts {
	const { failure, request, isUserKey, caller } = report;
	const { idempotencyKey } = request;
	if (idempotencyKey === undefined) return [CONFLICT_MESSAGE, conflictAdvice(request)];
	const { hasUnknownEarlierAttempt = false } = failure;
	if (isUserKey && !hasUnknownEarlierAttempt) {
		return [
			`Idempotency Key '${idempotencyKey}' is already in use`,
			"A request with other values has used it, or a request with it is in progress. Change 'Idempotency Key' under Options, or use what the first request made",
		];
	}
	// A request with the same key may be in progress, or have taken effect.
	const { noun, listOperation, effect } = describeNewResource(request);
	const lookAdvice = `Look for the ${noun} with ${listOperation}, and try again only if it is missing`;
	const otherValuesClause =
		hasUnknownEarlierAttempt || request.body === undefined ? '' : ', perhaps with other values';
	const newKeyAdvice = isUserKey ? '' : ", with Once per Key and a new 'Idempotency Key'";
	const retryAdvice = `Wait a minute. Then ${lowerFirst(RETRY_ADVICE)}, which sends the same idempotency key again`;
	return [
		hasUnknownEarlierAttempt
			? `${CONFLICT_MESSAGE} after an attempt whose outcome is unknown`
			: CONFLICT_MESSAGE,
		effect + otherValuesClause,
		caller === 'node'
			? `${retryAdvice}. If that does not help, ${lowerFirst(lookAdvice)}${newKeyAdvice}`
			: lookAdvice,
	];
}

/** Advice after a conflict of a request without an idempotency key, about which the contract says nothing. */
function conflictAdvice(request: ApiRequest): string {
	const { method, check } = request.endpoint;
	if (method === 'GET') return 'What you asked for may not be ready yet. Try again in a few minutes';
	if (check !== undefined) return `${check}, then try again`;
	const { noun, verb, listOperation } = describeNewResource(request);
	return `The same ${noun} may have been ${verb} already. Look for it with ${listOperation} before you try again`;
}

function describeRateLimit(report: FailureReport): MessageParts {
	const { failure, caller } = report;
	const { isScopedRejection } = failure;
	const effect =
		caller === 'credentialTest' ? 'The API key was not tested' : 'This request was not carried out';
	const message = isScopedRejection
		? 'The service refuses this request as one too many (status 429), but accepts others with this API key'
		: RATE_LIMIT_REACHED;
	const advice = isScopedRejection ? SCOPED_REJECTION_ADVICE : rateLimitAdvice(report);
	return [message, failure.hasUnknownEarlierAttempt ? '' : effect, advice];
}
