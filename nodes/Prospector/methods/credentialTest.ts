// Tests a credential. Called by n8n when a person saves one; succeeds for every key that can read what runs find, or
// its own identity.
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isStatus } from '../api/failure/evidence';
import { describeFailure } from '../messages/failureMessages';
import { sanitizeMessage, toSingleMessage } from '../messages/nodeErrors';
import { createRedactor, type Redact } from '../messages/redact';
import { UserError, type UserMessage } from '../messages/userMessage';
import { parseConnection } from '../parameters/parseConnection';
import type { Connection } from '../api/apiRequest';
import { systemDependencies } from '../transport/dependencies';
import { sendOnce, type SendRequest } from '../transport/request/client';
import { CREDENTIAL_TEST_ENDPOINTS, type Endpoint } from '../api/endpoints';
import { type HttpResponse, isFailure } from '../api/response';

/** A person is waiting. */
const CREDENTIAL_TEST_TIMEOUT_MS = 20_000;

/**
 * Tests a credential with a request for its own identity (contract, section 5.1), and for the prospecting settings if
 * the key may not read its identity. A function and not a declarative request, for which n8n shows codes such as
 * ECONNREFUSED (n8n-behaviour.md#credentials).
 */
export async function prospectorApiTest(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let connection: Connection;
	try {
		connection = parseConnection(data ?? {});
	} catch (thrown) {
		return failedTestResult((thrown as UserError).messageFor('credentialTest'), (text) => text);
	}
	const { helpers } = this;
	const { apiKey } = connection;
	const redact = createRedactor(apiKey);
	// n8n gives a credential test only this helper, without the credential (n8n-behaviour.md#http-helper).
	const send: SendRequest = async ({ method, url, headers, timeout }) =>
		(await helpers.request({
			method,
			uri: url,
			headers: { ...headers, Authorization: `Bearer ${apiKey}` },
			timeout,
			json: true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			// The helper takes no signal: only a stream can be closed at the deadline (n8n-behaviour.md#http-helper).
			useStream: true,
		})) as HttpResponse;
	const sender = { connection, send, dependencies: systemDependencies };
	const test = async (endpoint: Endpoint, fallback?: Endpoint): Promise<INodeCredentialTestResult> => {
		const request = { endpoint };
		const result = await sendOnce(sender, request, CREDENTIAL_TEST_TIMEOUT_MS);
		if (!isFailure(result)) return { status: 'OK', message: 'Connected' };
		if (fallback !== undefined && isStatus(result, 403)) return await test(fallback);
		const failedRequest = { failure: result, request };
		return failedTestResult(describeFailure(failedRequest, 'credentialTest', redact), redact);
	};
	return await test(...CREDENTIAL_TEST_ENDPOINTS);
}

const failedTestResult = (message: UserMessage, redact: Redact): INodeCredentialTestResult => ({
	status: 'Error',
	message: toSingleMessage(sanitizeMessage(message, redact)),
});
