// The Prospector node as n8n loads it: its description, its operations and what the editor calls. It only connects
// these; `actions/` does the work. Tests: test/unit/description.test.ts, test/workflow/operations.test.ts.
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
		builderHint: {
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-prospector.prospectorTrigger',
					relationHint: 'Starts the n8n workflow on new results and on runs that have finished or failed',
				},
				{
					nodeType: 'n8n-nodes-base.wait',
					relationHint: 'For runs that take hours: Run, Wait, Run › Get, then If on run_outcome',
				},
				{
					nodeType: 'n8n-nodes-base.dataTable',
					relationHint: 'Keeps one row per lead: upsert with lead_id as the key',
				},
			],
		},
		defaults: { name: 'Prospector' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' }],
		properties: nodeProperties(),
	};

	methods;
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	/** n8n passes nothing (n8n-behaviour.md#nodes); tests pass their own clock. */
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
