import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INodeType } from 'n8n-workflow';
import { describeNodeType } from '../../test/nodes';

export const HELPER = 'bench.helper';

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
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Page Size', name: 'pageSize', type: 'number', default: 100 },
		],
	}),
	async execute(this: IExecuteFunctions) {
		const [url, limit] = ['url', 'pageSize'].map((name) => this.getNodeParameter(name, 0));
		const data = await this.getCredentials('prospectorApi');
		// Otherwise the helper would decrypt the credential for every request.
		const credentialsDecrypted = { id: '', name: '', type: 'prospectorApi', data };
		const items: Array<{ json: IDataObject; pairedItem: { item: number } }> = [];
		for (let cursor: string | null = ''; cursor !== null;) {
			const page = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'prospectorApi',
				{ url: url as string, qs: { limit, ...(cursor && { cursor }) }, json: true },
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
