import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { retryLine } from './messages/nodeErrors';
import { registerApiKey } from './messages/redact';
import { parseConnection } from './parameters/parseConnection';
import type { Dependencies } from './transport/dependencies';
import type { Client, RequestSettings } from './transport/request/client';
import { n8nClient, type N8nContext } from './transport/request/n8nClient';

/** Returns a client that logs its retries. @throws UserError when the credential can't be used */
export function openClient(
	context: N8nContext,
	credential: ICredentialDataDecryptedObject,
	settings: RequestSettings,
	dependencies: Dependencies,
): Client {
	const connection = parseConnection(credential);
	registerApiKey(context, connection.apiKey);
	return n8nClient(context, credential, {
		...settings,
		connection,
		dependencies,
		onRetry: (failed, delayMs) => context.logger?.warn(retryLine(context, failed, delayMs)),
	});
}
