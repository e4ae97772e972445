import type { FailedRequest } from '../api/failure/requestError';
import { checkBaseUrl } from './advice';
import { addRequestId, describeFailure } from './failureMessages';
import type { Redact } from './redact';
import type { UserMessage } from './userMessage';

/** A credential test checks the API key, not an operation. */
export function describeFailedTest(failed: FailedRequest, redact: Redact): UserMessage {
	const { failure } = failed;
	const { message, description } = describeFailure(failed, 'credentialTest', redact);
	if (failure.kind === 'timeout' || failure.kind === 'truncatedResponse') {
		return { message, description: "Test again. If it stays like this, check 'Base URL'" };
	}
	if (failure.kind !== 'status' || failure.status !== 403) return { message, description };
	// A web server in front of the service refuses without knowing the key.
	if (failure.isHtml) {
		return {
			message: addRequestId("'Base URL' refused the request", failure),
			description: checkBaseUrl('credentialTest'),
		};
	}
	return {
		message: addRequestId('The API key is valid, but not allowed to use Prospector', failure),
		description:
			"It needs the scopes 'prospector.read' and 'prospector.run'. Ask a workspace admin for such an API key",
	};
}

/** What an API key can do, as far as its identity says. */
export interface KeyAccess {
	canRead: boolean;
	canRun: boolean;
	isReadOnly: boolean;
}

/** The message of a successful test. @param access absent if the key may not read its own identity */
export function connectedMessage(access?: KeyAccess): string {
	if (access === undefined || (access.canRead && access.canRun)) return 'Connected';
	if (!access.canRead) {
		return "Connected. This API key can't read Prospector workflows, runs and results: it lacks the scope 'prospector.read'";
	}
	const reason = access.isReadOnly ? 'belongs to a read-only member' : "lacks the scope 'prospector.run'";
	return `Connected. This API key can't start runs or change Prospector workflows: it ${reason}`;
}
