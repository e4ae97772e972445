/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import {
	NodeHelpers,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IVersionedNodeType,
} from 'n8n-workflow';
import { CredentialStore, NodeTypes, outputOf, run, type WorkflowFile } from '../../../scripts/engine';
import { byId, chainNodes, node, PROSPECTOR } from '../../../test/nodes';
import { resultsPath, runPath, type Job, type Work } from '../job';
import { HELPER, helperNode, type HelperPlan } from './helperNode';

const HTTP_REQUEST = { type: 'n8n-nodes-base.httpRequest', version: 4.5 };
const SPLIT_OUT = { type: 'n8n-nodes-base.splitOut', version: 1 };

/** A workflow, executed by n8n's engine. */
export async function loadN8n(job: Job): Promise<Work> {
	const nodeTypes = await NodeTypes.load(job.packageDirectory);
	if (job.means.by === 'httpRequest') addBaseNodes(nodeTypes);
	nodeTypes.add(HELPER, helperNode);
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, apiKey, task } = job;
	const reference = await credentials.add('bench', 'prospectorApi', { baseUrl, apiKey });
	const workflow = workflowFor(job, reference);
	const input = task.kind === 'reads' ? task.runIds.map((runId) => ({ json: { runId } })) : undefined;
	return async () => {
		// Manual executions keep more data for the editor.
		const ended = await run({ nodeTypes, credentials, workflow, input, mode: 'trigger' });
		const { error } = ended.data.resultData;
		if (error) throw new Error(`The execution failed: ${error.message} ${error.description ?? ''}`.trim());
		const items = outputOf(ended, workflow.nodes[workflow.nodes.length - 1].name);
		const good = items.filter((item) => item.error === undefined && item.json.error === undefined);
		const resources = good.map(({ json }) => resourceIn(json));
		return { resources, failedItems: items.length - good.length, held: ended };
	};
}

/** The HTTP Request node puts out the whole response. */
const resourceIn = (json: INodeExecutionData['json']) => ('id' in json ? json : json.data);

type NodeClass = new () => INodeType | IVersionedNodeType;

/** Adds n8n's HTTP Request and Split Out. Their package has 400 more nodes, which n8n loads on demand too. */
function addBaseNodes(nodeTypes: NodeTypes): void {
	shareWithEngine('n8n-workflow');
	const load = createRequire(join(__dirname, '../../../test/n8n/package.json'));
	const nodes = 'n8n-nodes-base/dist/nodes';
	const { HttpRequest } = load(`${nodes}/HttpRequest/HttpRequest.node.js`) as { HttpRequest: NodeClass };
	const { SplitOut } = load(`${nodes}/Transform/SplitOut/SplitOut.node.js`) as { SplitOut: NodeClass };
	const versionOf = (type: NodeClass, version: number) =>
		NodeHelpers.getVersionedNodeType(new type(), version);
	nodeTypes
		.add(HTTP_REQUEST.type, versionOf(HttpRequest, HTTP_REQUEST.version))
		.add(SPLIT_OUT.type, versionOf(SplitOut, SPLIT_OUT.version));
}

/**
 * n8n has one copy of this package for all nodes. A second copy would cost the HTTP Request node memory, and it would
 * not recognize n8n's exceptions.
 */
function shareWithEngine(name: string): void {
	const shared = require.resolve(name);
	const loader = Module as unknown as { _resolveFilename: (request: string, ...rest: unknown[]) => string };
	const resolve = loader._resolveFilename.bind(loader);
	loader._resolveFilename = (request, ...rest) => (request === name ? shared : resolve(request, ...rest));
}

/** Returns the workflow that a user would build for the job. Its items have every field, as those of all contenders. */
function workflowFor(job: Job, credentials: INode['credentials']): WorkflowFile {
	const { task, means, baseUrl, continueOnFail } = job;
	const extra: Partial<INode> = {
		credentials,
		...(continueOnFail && { onError: 'continueRegularOutput' }),
	};
	if (means.by === 'prospector') {
		const parameters =
			task.kind === 'list'
				? {
						resource: 'result',
						operation: 'getAll',
						runId: byId(task.runId),
						returnAll: true,
						simplify: false,
						// The node also checks the status of the run first, with one request more than the other contenders.
						options: { pageSize: task.pageSize },
					}
				: { resource: 'run', operation: 'get', runId: byId('={{ $json.runId }}'), simplify: false };
		return chainNodes(node('Prospector', PROSPECTOR, parameters, extra));
	}
	if (means.by === 'helper') {
		const plan: HelperPlan = { task, concurrency: means.concurrency };
		return chainNodes(node('Helper', HELPER, { plan: JSON.stringify(plan) }, extra));
	}
	if (means.by === 'undici') throw new Error('undici works without n8n');
	const request = (parameters: IDataObject) =>
		node(
			'HTTP Request',
			HTTP_REQUEST.type,
			{
				method: 'GET',
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'prospectorApi',
				...parameters,
			},
			{ ...extra, typeVersion: HTTP_REQUEST.version },
		);
	if (task.kind === 'reads') {
		const url = `=${baseUrl}${runPath('{{ $json.runId }}')}`;
		return chainNodes(
			request({ url, options: means.batching ? { batching: { batch: means.batching } } : {} }),
		);
	}
	const splitOut = { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} };
	return chainNodes(
		request({ url: baseUrl + resultsPath(task.runId), ...paginationParameters(task.pageSize) }),
		node('Split Out', SPLIT_OUT.type, splitOut, { typeVersion: SPLIT_OUT.version }),
	);
}

/** The node's option 'Pagination', as the API's contract describes it. */
const paginationParameters = (pageSize: number): IDataObject => ({
	sendQuery: true,
	queryParameters: { parameters: [{ name: 'limit', value: `${pageSize}` }] },
	options: {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: {
					parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.pagination.next_cursor }}' }],
				},
				paginationCompleteWhen: 'other',
				completeExpression: '={{ !$response.body.pagination.has_more }}',
			},
		},
	},
});
