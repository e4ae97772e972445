import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { prospectorApiTest } from './methods/credentialTest';
import { searchWorkflows } from './methods/listSearch';
import { getWorkflows } from './methods/loadOptions';
import { pollTrigger } from './trigger/pollTrigger';
import { triggerFields } from './trigger/fields';

export class ProspectorTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Prospector Trigger',
		name: 'prospectorTrigger',
		icon: { light: 'file:../../icons/prospector.svg', dark: 'file:../../icons/prospector.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ { newResult: "new result", newRun: "new run", runFailed: "run failed", runStatusChanged: "run status changed" }[$parameter["event"]] }}',
		// n8n shows node and trigger as one entry, with this description.
		description: 'Run Prospector workflows, get the leads they find, or start when new leads arrive',
		defaults: { name: 'Prospector Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' }],
		properties: triggerFields,
	};

	methods = {
		credentialTest: { prospectorApiTest },
		listSearch: { searchWorkflows },
		loadOptions: { getWorkflows },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollTrigger(this);
	}
}
