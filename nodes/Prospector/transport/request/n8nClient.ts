import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { type Client, type ClientOptions, createClient, type SendRequest } from './client';
import { readResponse } from './readResponse';
import type { HttpResponse } from '../../api/response';

export const CREDENTIAL = 'prospectorApi';

/** The contexts in which n8n lets a node send requests. */
export type N8nContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Returns a client that sends through n8n's HTTP helper. @param credential the one the connection was parsed from */
export function n8nClient(
	context: N8nContext,
	credential: ICredentialDataDecryptedObject,
	options: Omit<ClientOptions, 'send'>,
): Client {
	const reference = context.getNode().credentials?.[CREDENTIAL];
	const send: SendRequest = async (httpOptions, signal) => {
		// In an execution, the helper ignores a signal in its options and asks its context for one.
		const request = Object.create(context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as N8nContext;
		const { httpRequestWithAuthentication } = context.helpers;
		const response = (await httpRequestWithAuthentication.call(request, CREDENTIAL, httpOptions, {
			// Otherwise the helper would decrypt it again for every request, and use that of the first item.
			credentialsDecrypted: {
				id: reference?.id ?? '',
				name: reference?.name ?? '',
				type: CREDENTIAL,
				data: { ...credential },
			},
		})) as HttpResponse;
		return await readResponse(response, signal);
	};
	return createClient({ ...options, send });
}
