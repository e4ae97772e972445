import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INodeType } from 'n8n-workflow';
import { describeNodeType } from '../../../test/nodes';
import {
	readAllPages,
	resultsPath,
	runPath,
	withRequestId,
	type ItemBody,
	type Job,
	type Means,
	type PageBody,
} from '../job';

export const HELPER = 'bench.helper';

/** The node's parameter. */
export type HelperPlan = Pick<Job, 'task'> & Pick<Extract<Means, { by: 'helper' }>, 'concurrency'>;

/** Only calls n8n's HTTP helper and puts out items: shows what n8n itself costs. */
export const helperNode: INodeType = {
	description: describeNodeType(HELPER, 1, {
		inputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'prospectorApi', required: true }],
		properties: [{ displayName: 'Plan', name: 'plan', type: 'json', default: '{}' }],
	}),
	async execute(this: IExecuteFunctions) {
		const { task, concurrency } = JSON.parse(this.getNodeParameter('plan', 0) as string) as HelperPlan;
		const get = await createGet(this);
		if (task.kind === 'list') {
			const path = resultsPath(task.runId);
			const getPage = async (qs: object) => (await get(path, qs)) as PageBody;
			const resources = await readAllPages(task.pageSize, getPage);
			return [resources.map((resource) => toItem(resource, 0))];
		}
		const bodies: ItemBody[] = [];
		const queue = task.runIds.entries();
		const worker = async () => {
			for (const [item, runId] of queue) bodies[item] = (await get(runPath(runId))) as ItemBody;
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return [bodies.map((body, item) => toItem(withRequestId(body.data, body), item))];
	},
};

const toItem = (json: object, item: number) => ({ json: json as IDataObject, pairedItem: { item } });

/** Passes the decrypted credential: otherwise the helper would decrypt it for every request. */
async function createGet(context: IExecuteFunctions) {
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
