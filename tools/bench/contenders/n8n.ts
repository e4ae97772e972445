/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { NodeHelpers, type INodeExecutionData, type INodeType, type IVersionedNodeType } from 'n8n-workflow';
import { CredentialStore, NodeTypes, outputOf, run } from '../../../scripts/engine';
import { chainNodes } from '../../../test/nodes';
import type { Job, Work } from '../job';
import { HELPER, helperNode } from './helperNode';
import { HTTP_REQUEST, nodesFor, SPLIT_OUT } from './nodesFor';

/** A workflow, executed by n8n's engine. */
export async function loadN8n(job: Job): Promise<Work> {
	const nodeTypes = await NodeTypes.load(job.packageDirectory);
	if (job.means.by === 'httpRequest') addBaseNodes(nodeTypes);
	nodeTypes.add(HELPER, helperNode);
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, apiKey, task } = job;
	const reference = await credentials.add('bench', 'prospectorApi', { baseUrl, apiKey });
	const workflow = chainNodes(...nodesFor(job, reference));
	const input = task.kind === 'reads' ? task.runIds.map((runId) => ({ json: { runId } })) : undefined;
	return async () => {
		// Manual executions keep more data for the editor.
		const ended = await run({ nodeTypes, credentials, workflow, input, mode: 'trigger' });
		const { error } = ended.data.resultData;
		if (error) throw new Error(`The execution failed: ${error.message} ${error.description ?? ''}`.trim());
		const items = outputOf(ended, workflow.nodes[workflow.nodes.length - 1].name);
		const good = items.filter((item) => item.error === undefined && item.json.error === undefined);
		const resources = good.map(({ json }) => resourceIn(json));
		return { resources, failedItems: items.length - good.length };
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
