import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isProblem, type Problem } from '../transport/checked';
import { createClient, type Send } from '../transport/client';
import { connectionFrom } from '../transport/connection';
import { endpoints } from '../transport/endpoints';
import type { HttpReply } from '../transport/reply';

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
	const connection = connectionFrom(credential.data ?? {});
	if (isProblem(connection)) return failed(connection);
	// The only helper that n8n gives to a credential test; it knows no credential, so the header is set here.
	const { helpers } = this;
	const send: Send = async ({ method, url, headers, timeout }) =>
		(await helpers.request({
			method,
			uri: url,
			headers: { ...headers, Authorization: `Bearer ${connection.value.apiKey}` },
			timeout,
			json: true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as HttpReply;
	const client = createClient({
		node: testNode(credential),
		connection: connection.value,
		send,
		timeout: TIMEOUT,
	});
	try {
		await client.call({ endpoint: endpoints.getIdentity });
	} catch (error) {
		return failed(inContext(error as Problem & { httpCode?: string }));
	}
	return { status: 'OK', message: 'Connected' };
}

/** What is different when a key is refused here: no operation was meant, only the key. */
function inContext({ message, description, httpCode }: Problem & { httpCode?: string }): Problem {
	if (httpCode === '403') {
		return {
			message: "The API key is good, but it lacks the scope 'me.read', so its identity cannot be read",
			description:
				"Prospector operations may still work: they need 'prospector.read' and 'prospector.run'. You can save this credential as it is",
		};
	}
	if (httpCode === '401') {
		return {
			message,
			description:
				"It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Paste a current key into 'API Key'",
		};
	}
	if (httpCode === '429') {
		return {
			message,
			description: 'The key itself was accepted. Wait a minute and test again',
		};
	}
	return { message, description };
}

const failed = ({ message, description }: Problem): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${message}. ${description.replace(/\.$/, '')}.`,
});

/** Exceptions name a node, and a credential test has none. */
const testNode = ({ id, name }: ICredentialsDecrypted): INode => ({
	id,
	name,
	type: 'prospector',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});
