import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { retryLine } from './messages/nodeErrors';
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
	const { name } = context.getNode();
	return n8nClient(context, credential, {
		...settings,
		connection: parseConnection(credential),
		dependencies,
		onRetry: (failed, delayMs) => context.logger?.warn(`${name}: ${retryLine(failed, delayMs)}`),
	});
}
