import type { IDataObject, INode, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { WorkflowFile } from '../scripts/engine';

export const PROSPECTOR = 'n8n-nodes-prospector.prospector';

/** n8n's package of nodes for AI. */
export const LANGCHAIN = '@n8n/n8n-nodes-langchain';

/** Returns a node of an n8n workflow, by default in version 1 of its type. */
export const node = (
	name: string,
	type: string,
	parameters: IDataObject,
	extra: Partial<INode> = {},
): INode => ({
	id: `id of ${name}`,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as INode['parameters'],
	...extra,
});

/** Returns an n8n workflow in which each node is connected to the next one. */
export const chainNodes = (...nodes: INode[]): WorkflowFile => ({
	nodes,
	connections: Object.fromEntries(
		nodes
			.slice(1)
			.map((next, i) => [nodes[i].name, { main: [[{ node: next.name, type: 'main', index: 0 }]] }]),
	),
});

/** Returns the value of a resource locator. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** Returns the description of a node type for a test, by default with one input and without fields. */
export const describeNodeType = (
	name: string,
	outputs = 1,
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: 'Only for tests',
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
	outputs: Array.from({ length: outputs }, () => NodeConnectionTypes.Main),
	properties: [],
	...more,
});
