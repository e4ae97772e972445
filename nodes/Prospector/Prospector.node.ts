import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeProperties, nodeSubtitle } from './actions/resources';
import { router } from './actions/router';
import { prospectorApiTest } from './methods/credentialTest';
import { editorMethod } from './methods/editorMethod';
import { searchRuns, searchWorkflows } from './methods/listSearch';
import { getWorkflowFields } from './methods/getWorkflowFields';
import { type Dependencies, systemDependencies } from './transport/dependencies';

export class Prospector implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Prospector',
		name: 'prospector',
		icon: { light: 'file:../../icons/prospector.svg', dark: 'file:../../icons/prospector.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: nodeSubtitle(),
		description: 'Run Prospector workflows and get the leads they find',
		defaults: { name: 'Prospector' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' }],
		properties: nodeProperties(),
	};

	methods;
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	/** n8n passes nothing; tests pass their own clock. */
	constructor(dependencies: Dependencies = systemDependencies) {
		this.methods = {
			credentialTest: { prospectorApiTest },
			listSearch: {
				searchRuns: editorMethod(dependencies, searchRuns),
				searchWorkflows: editorMethod(dependencies, searchWorkflows),
			},
			resourceMapping: { getWorkflowFields: editorMethod(dependencies, getWorkflowFields) },
		};
		this.execute = async function () {
			return [await router(this, dependencies)];
		};
	}
}
