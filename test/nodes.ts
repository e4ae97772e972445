import type { IDataObject, INode, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { WorkflowFile } from '../engine';

export const PROSPECTOR = 'n8n-nodes-prospector.prospector';

/** A node as an n8n workflow holds it, in version 1 of its type unless `extra` says otherwise. */
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

/** Nodes in a row, each connected to the next. */
export const chainNodes = (...nodes: INode[]): WorkflowFile => ({
	nodes,
	connections: Object.fromEntries(
		nodes
			.slice(1)
			.map((next, i) => [nodes[i].name, { main: [[{ node: next.name, type: 'main', index: 0 }]] }]),
	),
});

/** A resource locator's value. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** The description of a node type that is made for a test: one input, without fields unless `more` says otherwise. */
export const describeType = (
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
