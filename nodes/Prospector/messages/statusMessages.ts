import type { UserMessage } from './userMessage';
import type { ApiRequest, Failure } from '../transport/failure/failure';
import { endpointPath } from '../transport/path';
import { throttledAdvice } from './format';
import { unknownOutcomeAdvice } from './adviceMessages';

type StatusFailure = Extract<Failure, { kind: 'status' }>;

/** Contract, sections 5.3 and 5.4. */
export const INVALID_KEY_CAUSES =
	'It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once';

/** Contract, section 8. */
export const RATE_LIMIT_REACHED = "The API key's requests for this minute are used up";

/** The words for a status that is not a success (contract, sections 5.4 and 7), per operation. */
export function describeStatus(
	{ status, location, isHtml, retryAfter, outcomeUnknown, throttledMs }: StatusFailure,
	call: ApiRequest,
): UserMessage {
	const { endpoint } = call;
	if (status === 401) {
		return {
			message: 'The API key was not accepted',
			description: `${INVALID_KEY_CAUSES}. Put a current key into 'API Key' of the credential, then retry`,
		};
	}
	if (status === 403) {
		const membership =
			endpoint.method === 'GET'
				? 'and the membership that issued it must be allowed to read this'
				: 'and the membership that issued it must not be read-only';
		return {
			message: `This API key may not ${endpoint.purpose}`,
			description: `It needs the scope '${endpoint.scope}', ${membership}. Ask an admin of the workspace for such a key`,
		};
	}
	if (status === 404) return explainNotFound(call, isHtml ? doubtAddress : '');
	if (status === 409) return explainConflict(call, outcomeUnknown);
	if (status === 429) {
		const done = outcomeUnknown ? '' : 'Nothing was done. ';
		const advice =
			throttledMs === undefined
				? `Wait ${retryAfter === undefined ? 'a minute' : `${retryAfter} s`} and retry, or let fewer executions use the same API key at a time`
				: throttledAdvice(throttledMs);
		return { message: RATE_LIMIT_REACHED, description: done + advice };
	}
	if (status >= 300 && status < 400 && status !== 304) {
		return {
			message: `'Base URL' of the credential leads to a redirect${location ? ` to ${location}` : ''}, which is not followed`,
			description:
				"Following it would hand the API key to another address. Put the final address into 'Base URL' if you trust it",
		};
	}
	if (status >= 500) {
		return {
			message: `The service had trouble with the request: status ${status}`,
			description: unknownOutcomeAdvice(call),
		};
	}
	return {
		message: `The service did not accept the request: status ${status}`,
		description:
			call.body === undefined
				? 'Check the fields of this node, then retry'
				: "Check the values in 'Fields' or 'JSON', as the service may expect others. Correct them, then retry",
	};
}

/** A web page comes from something else than the service. */
const doubtAddress = ". Or 'Base URL' of the credential is not the address of the Prospector API";

function explainNotFound({ endpoint, ids = {} }: ApiRequest, doubt: string): UserMessage {
	if (ids.workflow_id !== undefined) {
		return {
			message: `The Prospector workflow '${ids.workflow_id}' was not found`,
			description:
				"It was deleted, or it belongs to another workspace than the API key. Pick one in 'Workflow' from the list, or give the 'id' of one that Workflow › Get Many returns, not its name" +
				doubt,
		};
	}
	if (ids.run_id !== undefined) {
		return {
			message: `The run '${ids.run_id}' was not found`,
			description:
				"It belongs to another workspace than the API key, or the ID in 'Run' is not that of a run. A run's ID is the 'id' that Workflow › Run and Run › Get Many return" +
				doubt,
		};
	}
	return {
		message: `Nothing was found below 'Base URL' at '${endpointPath(endpoint)}'`,
		description: "Check that 'Base URL' of the credential is the address of the Prospector API",
	};
}

function explainConflict({ idempotencyKey }: ApiRequest, outcomeUnknown = false): UserMessage {
	if (idempotencyKey === undefined) {
		return {
			message: 'The service reported a conflict with its present state',
			description: 'Something else may have changed the same thing. Read it again, then retry',
		};
	}
	return {
		message: `The idempotency key '${idempotencyKey}' was already used with a different payload`,
		description:
			(outcomeUnknown ? '' : 'Nothing was done this time. ') +
			"An earlier request with this key carried other values: if it is fine, use what it made; if these values should count, start a new execution or give another key in 'Idempotency Key'",
	};
}
