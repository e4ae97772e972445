import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

const description: INodeTypeDescription = {
	displayName: 'Manual Trigger',
	name: 'n8n-nodes-base.manualTrigger',
	group: ['trigger'],
	version: 1,
	description: 'Passes on the one item that an execution begins with',
	defaults: { name: 'Manual Trigger' },
	inputs: [],
	outputs: [NodeConnectionTypes.Main],
	properties: [],
};

/** Stands in for n8n's own trigger, whose package is a gigabyte. */
export const manualTrigger: INodeType = {
	description,
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};
