import type { INode, IWorkflowSettings } from 'n8n-workflow';
import { chainNodes, node } from '../../test/nodes';
import type { Credentials, Environment } from '../../test/e2e/environment';
import { eventually, type Rest } from '../../test/e2e/n8n/rest';
import { webhook } from '../../test/e2e/n8n/workflows';

/** Creates a credential, and returns the reference for nodes. */
export async function createCredential(
	rest: Rest,
	name: string,
	type: string,
	data: object,
): Promise<Credentials> {
	const { id } = await rest.post<{ id: string }>('/rest/credentials', { name, type, data });
	return { [type]: { id, name } };
}

/** Returns a node that adds a row of texts to a table in PostgreSQL for each item. @param texts expressions */
export function insertNode(name: string, table: string, texts: string[], credentials?: Credentials): INode {
	const query = `=INSERT INTO ${table} VALUES (${texts.map((text) => `'{{ ${text} }}'`).join(', ')})`;
	const parameters = { operation: 'executeQuery', query, options: {} };
	// Versions 2.1 to 2.6 change how n8n itself reads times from PostgreSQL, which stops the durable scheduler.
	return node(name, 'n8n-nodes-base.postgres', parameters, { typeVersion: 2, credentials });
}

/** Calls a webhook, with a body in JSON. */
export type CallWebhook = (body?: object) => Promise<void>;

/**
 * Creates and activates an n8n workflow of a webhook and these nodes in a row.
 *
 * @param parameters of the webhook
 */
export async function createWebhook(
	{ n8n, workflows }: Environment,
	nodes: INode[],
	parameters: INode['parameters'] = {},
	settings?: IWorkflowSettings,
): Promise<{ id: string; call: CallWebhook }> {
	const path = crypto.randomUUID();
	const start = webhook(path, { httpMethod: 'POST', ...parameters });
	const saved = await workflows.create(chainNodes(start, ...nodes), settings);
	await workflows.activate(saved);
	const call: CallWebhook = async (body = {}) => {
		const request = {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		};
		// In n8n 2, a workflow is active some time before its webhook responds.
		await eventually('the webhook', async () => {
			const response = await fetch(`${n8n.baseUrl}/webhook/${path}`, request);
			if (!response.ok && response.status !== 404) throw new Error(`The webhook: ${await response.text()}`);
			return response.ok;
		});
	};
	return { id: saved.id, call };
}
