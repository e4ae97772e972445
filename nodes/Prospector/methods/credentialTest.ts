import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isInvalid, type UserMessage } from '../messages/userMessage';
import { sendOnce, type SendRequest } from '../transport/request/client';
import { parseConnection } from '../parameters/credential/connection';
import { endpoints } from '../transport/request/endpoints';
import type { ApiRequest, Failure } from '../transport/failure/failure';
import { describeFailure, withRequestId, addServerMessage } from '../messages/failureMessages';
import { presentable } from '../messages/nodeErrors';
import { redactFailure } from '../transport/failure/redactFailure';
import { pageUrlProblem } from '../parameters/credential/pageUrls';
import { isFailure } from '../transport/request/response';
import { readResponse, type StreamedResponse } from '../transport/request/readResponse';
import { INVALID_KEY_CAUSES } from '../messages/statusMessages';

/** Milliseconds: a person waits for the answer. */
const TIMEOUT = 20_000;

/**
 * Tests a credential by asking for its own identity (contract, section 5.1). A function and not a declarative
 * request, since n8n shows a bare code such as ECONNREFUSED for the latter when nobody answers.
 *
 * @returns OK, or the words that a person reads beside the credential
 */
export async function prospectorApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const connection = parseConnection(credential.data ?? {});
	if (isInvalid(connection)) return refused(connection);
	const { apiKey, redact } = connection.value;
	// The only helper that n8n gives to a credential test; it knows no credential, so the header is set here.
	const { helpers } = this;
	const send: SendRequest = async ({ method, url, headers, timeout }, signal) => {
		const response = (await helpers.request({
			method,
			uri: url,
			headers: { ...headers, Authorization: `Bearer ${apiKey}` },
			timeout,
			json: true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			// The helper takes no signal: only the body of a stream can be closed at the deadline.
			useStream: true,
		})) as StreamedResponse;
		return await readResponse(response, signal, redact);
	};
	const call: ApiRequest = { endpoint: endpoints.getIdentity };
	const { result } = await sendOnce(connection.value, send, call, TIMEOUT);
	if (isFailure(result)) {
		return refused(presentable(explainTest(redactFailure(result, redact), call), redact));
	}
	const noLinks = pageUrlProblem(credential.data ?? {});
	if (noLinks !== undefined) return refused(presentable(withoutLinks(noLinks), redact));
	return { status: 'OK', message: 'Connected' };
}

/** A page address that cannot be used is no reason not to connect, only to say so. */
const withoutLinks = ({ message, description }: UserMessage): UserMessage => ({
	message: `Connected, but ${message}`,
	description: `${description}. Until then, the node's list shows no links`,
});

/** What is different when a key is refused here: no operation was meant, only the key, and there are no options. */
export function explainTest(failure: Failure, call: ApiRequest): UserMessage {
	const { message, description } = describeFailure(failure, call);
	const checkAddress = "Check that 'Base URL' is the address of the Prospector API";
	if (failure.kind === 'timeout' || failure.kind === 'truncatedResponse') {
		return { message, description: "Test again. If it stays like this, check 'Base URL'" };
	}
	if (failure.kind === 'unexpectedResponse' && failure.received === 'nothing') {
		return {
			message: 'The address answered with nothing',
			description: checkAddress,
		};
	}
	if (failure.kind !== 'status' || failure.status < 400) return { message, description };
	switch (failure.status) {
		case 401:
			return {
				message,
				description: `${INVALID_KEY_CAUSES}. Paste a current key into 'API Key'`,
			};
		case 403:
			// A web server in front of the service refuses without knowing the key.
			if (failure.isHtml) return { message: 'The address refused the request', description: checkAddress };
			return {
				message: withRequestId(
					"The API key is good, but it lacks the scope 'me.read', so its identity cannot be read",
					failure,
				),
				description:
					"Or the membership that issued it may not read it. Prospector operations may still work: they need 'prospector.read' and 'prospector.run'. You can save this credential as it is",
			};
		case 429:
			return { message, description: 'The key itself was accepted. Wait a minute and test again' };
		default:
			return {
				message,
				description: addServerMessage(
					failure.status >= 500 ? 'Test again in a while' : checkAddress,
					failure,
				),
			};
	}
}

const refused = ({ message, description }: UserMessage): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${message}. ${description.replace(/\.$/, '')}.`,
});
