import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Job, Means } from '../job';
import { readAllPages, resultsPath, runPath, withRequestId, type OneBody, type PageBody } from './service';

/** The type of a node that shows what n8n itself costs: it calls n8n's HTTP helper and pushes items, no more. */
export const HELPER = 'bench.helper';

/** What its one parameter holds. */
export type HelperPlan = Pick<Job, 'task'> & { sideBySide: Extract<Means, { by: 'helper' }>['sideBySide'] };

export const helperNode: INodeType = {
	description: {
		displayName: 'Helper',
		name: HELPER,
		group: ['transform'],
		version: 1,
		description: "Calls n8n's HTTP helper, and does nothing else",
		defaults: { name: 'Helper' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'prospectorApi', required: true }],
		properties: [{ displayName: 'Plan', name: 'plan', type: 'json', default: '{}' }],
	},
	async execute(this: IExecuteFunctions) {
		const { task, sideBySide } = JSON.parse(this.getNodeParameter('plan', 0) as string) as HelperPlan;
		const get = await getter(this);
		if (task.kind === 'list') {
			const resources = await readAllPages(
				task.pageSize,
				async (qs) => (await get(resultsPath(task.runId), qs)) as PageBody,
			);
			return [resources.map((resource) => toItem(resource, 0))];
		}
		const bodies: OneBody[] = [];
		const left = task.runIds.entries();
		const worker = async () => {
			for (const [item, runId] of left) bodies[item] = (await get(runPath(runId))) as OneBody;
		};
		await Promise.all(Array.from({ length: sideBySide }, worker));
		return [bodies.map((body, item) => toItem(withRequestId(body.data, body), item))];
	},
};

const toItem = (json: object, item: number) => ({ json: json as IDataObject, pairedItem: { item } });

/** Hands over the credential, or the helper would decrypt it for every request: this is its cheapest use. */
async function getter(context: IExecuteFunctions) {
	const data = await context.getCredentials('prospectorApi');
	const credentialsDecrypted = { id: '', name: '', type: 'prospectorApi', data };
	return async (path: string, qs = {}): Promise<unknown> =>
		await context.helpers.httpRequestWithAuthentication.call(
			context,
			'prospectorApi',
			{ url: `${data.baseUrl as string}${path}`, qs, json: true },
			{ credentialsDecrypted },
		);
}
