import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import {
	connectedWithoutLinks,
	describeFailedTest,
	presentable,
	toSingleMessage,
} from '../messages/nodeErrors';
import { UserError, type UserMessage } from '../messages/userMessage';
import { parseConnection } from '../parameters/credential/connection';
import { parsePageUrls } from '../parameters/credential/pageUrls';
import { type Redact, redactFailure } from '../transport/failure/redactSecrets';
import type { Connection } from '../transport/request/apiRequest';
import { sendOnce, type SendRequest } from '../transport/request/client';
import { endpoints } from '../transport/request/endpoints';
import { readResponse } from '../transport/request/readResponse';
import { type HttpResponse, isFailure } from '../transport/request/response';

/** A person is waiting. */
const TIMEOUT_MS = 20_000;

/**
 * Tests a credential with a request for its own identity (contract, section 5.1). A function and not a declarative
 * request, for which n8n shows codes such as ECONNREFUSED.
 */
export async function prospectorApiTest(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const settings = data ?? {};
	let connection: Connection;
	try {
		connection = parseConnection(settings);
	} catch (thrown) {
		return testFailed((thrown as UserError).userMessage, (text) => text);
	}
	const { helpers } = this;
	const { apiKey, redact } = connection;
	// n8n gives a credential test only this helper, which does not know the credential.
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
			// The helper takes no signal, so only the body of a stream can be closed at the deadline.
			useStream: true,
		})) as HttpResponse;
		return await readResponse(response, signal, redact);
	};
	const request = { endpoint: endpoints.getIdentity };
	const { result } = await sendOnce(connection, send, request, TIMEOUT_MS);
	if (isFailure(result)) {
		return testFailed(describeFailedTest(redactFailure(result, redact), request), redact);
	}
	const { issue } = parsePageUrls(settings);
	if (issue !== undefined) return testFailed(connectedWithoutLinks(issue), redact);
	return { status: 'OK', message: 'Connected' };
}

const testFailed = (message: UserMessage, redact: Redact): INodeCredentialTestResult => ({
	status: 'Error',
	message: toSingleMessage(presentable(message, redact)),
});
