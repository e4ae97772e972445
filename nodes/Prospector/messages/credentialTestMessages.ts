import type { Failure } from '../transport/failure/failure';
import type { ApiRequest } from '../transport/request/apiRequest';
import { describeFailure } from './failureMessages';
import type { UserMessage } from './userMessage';

/** Returns the message for a failed request of a credential test: no operation was meant, only the API key. */
export function describeFailedTest(failure: Failure, request: ApiRequest): UserMessage {
	const { message, description } = describeFailure(failure, request, 'credentialTest');
	const checkAddress = "Check that 'Base URL' is the address of the Prospector API";
	if (failure.kind === 'timeout' || failure.kind === 'truncatedResponse') {
		return { message, description: "Test again. If it stays like this, check 'Base URL'" };
	}
	if (failure.kind === 'unexpectedResponse' && failure.received === 'nothing') {
		return { message: 'The address answered with nothing', description: checkAddress };
	}
	if (failure.kind !== 'status' || failure.status !== 403) return { message, description };
	// A web server in front of the service refuses without knowing the key.
	if (failure.isHtml) return { message: 'The address refused the request', description: checkAddress };
	const requestId = failure.requestId ? ` (request ${failure.requestId})` : '';
	return {
		message: `The API key is good, but it lacks the scope 'me.read', so its identity cannot be read${requestId}`,
		description:
			"Or the membership that issued it may not read it. Prospector operations may still work: they need 'prospector.read' and 'prospector.run'. You can save this credential as it is",
	};
}

/** Returns the message for a page URL that can't be used, which is no reason not to connect. */
export const connectedWithoutLinks = ({ message, description }: UserMessage): UserMessage => ({
	message: `Connected, but ${message}`,
	description: `${description}. Until then, the node's list shows no links`,
});
