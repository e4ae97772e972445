import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INodeType } from 'n8n-workflow';
import { describeNodeType } from '../../../test/nodes';
import { resultsPath, type Task } from '../job';

export const HELPER = 'bench.helper';

/** The node's parameter. */
type ListTask = Extract<Task, { kind: 'list' }>;

interface Page {
	data: IDataObject[];
	pagination: { next_cursor: string | null; has_more: boolean };
	request_id: string;
}

/** Reads a list, and only calls n8n's HTTP helper and outputs items. Shows what n8n itself costs. */
export const helperNode: INodeType = {
	description: describeNodeType(HELPER, 1, {
		inputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'prospectorApi', required: true }],
		properties: [{ displayName: 'Task', name: 'task', type: 'json', default: '{}' }],
	}),
	async execute(this: IExecuteFunctions) {
		const { runId, pageSize } = JSON.parse(this.getNodeParameter('task', 0) as string) as ListTask;
		const data = await this.getCredentials('prospectorApi');
		// Otherwise the helper would decrypt the credential for every request.
		const credentialsDecrypted = { id: '', name: '', type: 'prospectorApi', data };
		const url = `${data.baseUrl as string}${resultsPath(runId)}`;
		const items: Array<{ json: IDataObject; pairedItem: { item: number } }> = [];
		for (let cursor: string | null = ''; cursor !== null;) {
			const page = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'prospectorApi',
				{ url, qs: { limit: `${pageSize}`, ...(cursor && { cursor }) }, json: true },
				{ credentialsDecrypted },
			)) as Page;
			for (const resource of page.data) {
				// A copy with another field would have a hidden class per object in Node.js 20.
				const json = Object.assign(resource, { request_id: page.request_id });
				items.push({ json, pairedItem: { item: 0 } });
			}
			cursor = page.pagination.has_more ? page.pagination.next_cursor : null;
		}
		return [items];
	},
};
