// Opens a client for a credential. Called by the node, the trigger and the editor's methods; the only place that calls
// n8n's HTTP helper with the credential.
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { HttpResponse } from './api/response';
import { type N8nCall, retryLogLine } from './messages/nodeErrors';
import { parseConnection } from './parameters/parseConnection';
import type { Dependencies } from './transport/dependencies';
import {
	type Client,
	createClient,
	type RequestSettings,
	type SendRequest,
} from './transport/request/client';

export const CREDENTIAL_NAME = 'prospectorApi';

/** The contexts in which the node and the trigger send requests. */
type N8nContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Returns a client that sends through n8n's HTTP helper and logs its retries. @throws UserError for a bad credential */
export function openClient(
	call: N8nCall<N8nContext>,
	credential: ICredentialDataDecryptedObject,
	settings: RequestSettings,
	dependencies: Dependencies,
): Client {
	const connection = parseConnection(credential);
	const { context, redactor } = call;
	redactor.addApiKey(connection.apiKey);
	const { id = '', name = '' } = context.getNode().credentials?.[CREDENTIAL_NAME] ?? {};
	const send: SendRequest = async (httpOptions, signal) => {
		// The helper takes the signal of its context, not of its options (n8n-behaviour.md#http-helper).
		const requestContext = Object.create(context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as N8nContext;
		const { httpRequestWithAuthentication } = context.helpers;
		return (await httpRequestWithAuthentication.call(requestContext, CREDENTIAL_NAME, httpOptions, {
			// Otherwise the helper decrypts that of the first item for every request (n8n-behaviour.md#http-helper).
			credentialsDecrypted: { id: id ?? '', name, type: CREDENTIAL_NAME, data: { ...credential } },
		})) as HttpResponse;
	};
	return createClient({
		...settings,
		connection,
		dependencies,
		send,
		onRetry: (requestError, delayMs) => context.logger?.warn(retryLogLine(call, requestError, delayMs)),
	});
}
