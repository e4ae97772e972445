import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { Client } from '../transport/request/client';
import { CREDENTIAL } from '../parameters/credential/connection';
import { n8nClient } from '../transport/request/n8nClient';

/** Milliseconds: a person is looking at the list while it loads. */
const PATIENCE = { timeout: 20_000, maxWait: 10_000 };

/** The service as the editor asks it, with the credential that is chosen in the node. */
export async function editorClient(context: ILoadOptionsFunctions): Promise<Client> {
	return n8nClient(context, await context.getCredentials(CREDENTIAL), PATIENCE);
}
