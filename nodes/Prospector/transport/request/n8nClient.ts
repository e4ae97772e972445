import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { isInvalid } from '../../messages/userMessage';
import { createClient, type Client, type ClientOptions, type SendRequest } from './client';
import { parseConnection, CREDENTIAL } from '../../parameters/credential/connection';
import { inputError } from '../../messages/nodeErrors';
import { readResponse, type StreamedResponse } from './readResponse';

/** Every place in n8n from which the service is asked something. */
export type N8nContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What an item, or the editor, settles about its requests; see {@link ClientOptions}. */
export type RequestSettings = Pick<
	ClientOptions,
	'timeout' | 'maxWait' | 'queueKey' | 'signal' | 'budget' | 'stats'
>;

/**
 * The client that sends through n8n's own HTTP helper, with the credential that the node names.
 *
 * @param credential decrypted data of that credential
 * @throws NodeOperationError when the credential cannot work
 */
export function n8nClient(
	context: N8nContext,
	credential: ICredentialDataDecryptedObject,
	manner: RequestSettings,
): Client {
	const node = context.getNode();
	const parsed = parseConnection(credential);
	if (isInvalid(parsed)) throw inputError(node, parsed);
	const connection = parsed.value;
	const reference = node.credentials?.[CREDENTIAL];
	const send: SendRequest = async (options, signal) => {
		// In an execution the helper ignores a signal in its options and asks its context for one.
		const request = Object.create(context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as N8nContext;
		const response = (await context.helpers.httpRequestWithAuthentication.call(request, CREDENTIAL, options, {
			// Handed over, or the helper would decrypt it again for every request, and take that of the first item.
			credentialsDecrypted: {
				id: reference?.id ?? '',
				name: reference?.name ?? '',
				type: CREDENTIAL,
				data: { ...credential },
			},
		})) as StreamedResponse;
		return await readResponse(response, signal, connection.redact);
	};
	const log = (line: string) => context.logger?.warn(`${node.name}: ${line}`);
	return createClient({ ...manner, node, connection, send, log });
}
