import { NodeHelpers, type INodeType, type IVersionedNodeType } from 'n8n-workflow';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import type { NodeTypes } from '../../../engine';

export const HTTP_REQUEST = { type: 'n8n-nodes-base.httpRequest', version: 4.5 };
export const SPLIT_OUT = { type: 'n8n-nodes-base.splitOut', version: 1 };

type NodeClass = new () => INodeType | IVersionedNodeType;

/** Adds the two of n8n's own nodes that take part. Their package holds 400 more, which n8n loads on demand too. */
export function addBaseNodes(nodeTypes: NodeTypes): void {
	shareWithEngine(['n8n-workflow']);
	const load = createRequire(join(__dirname, '../../n8n/package.json'));
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
 * In n8n there is one copy of these packages for all nodes. Here the nested package has its own, which would cost the
 * HTTP Request node memory, and make it take n8n's exceptions for foreign ones.
 */
function shareWithEngine(packages: string[]): void {
	const shared = new Map(packages.map((name) => [name, require.resolve(name)]));
	const loader = Module as unknown as { _resolveFilename: (request: string, ...rest: unknown[]) => string };
	const resolve = loader._resolveFilename.bind(loader);
	loader._resolveFilename = (request, ...rest) => shared.get(request) ?? resolve(request, ...rest);
}
