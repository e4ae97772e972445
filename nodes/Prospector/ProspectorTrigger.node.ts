// The polling trigger as n8n loads it: its description and its poll. It only connects these; `trigger/` does the work.
// Tests: test/unit/description.test.ts, test/workflow/trigger.test.ts.
import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { prospectorApiTest } from './methods/credentialTest';
import { editorMethod } from './methods/editorMethod';
import { getWorkflows, searchWorkflows } from './methods/listSearch';
import { propertiesOf } from './parameters/parameter';
import { type Dependencies, systemDependencies } from './transport/dependencies';
import { pollTrigger, type TriggerMemory } from './trigger/pollTrigger';
import { triggerParameters } from './trigger/settings';

export class ProspectorTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Prospector Trigger',
		name: 'prospectorTrigger',
		icon: { light: 'file:../../icons/prospector.svg', dark: 'file:../../icons/prospector.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ { newResult: "new result", newRun: "new run", runFailed: "run failed", runFinished: "run finished", runStatusChanged: "run status changed" }[$parameter["event"]] }}',
		// n8n shows node and trigger as one entry, with this description (n8n-behaviour.md#editor).
		description: 'Run Prospector workflows, get the leads they find, or start when new leads arrive',
		builderHint: {
			searchHint: 'Only watches. To start a run of a Prospector workflow, use prospector',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-prospector.prospector',
					relationHint: 'Starts runs, and reads what a run has found',
				},
				{
					nodeType: 'n8n-nodes-base.dataTable',
					relationHint: 'Keeps one row per lead: upsert with lead_id as the key',
				},
			],
		},
		defaults: { name: 'Prospector Trigger' },
		polling: true,
		// Without it, n8n promises a single mock event (n8n-behaviour.md#editor).
		triggerPanel: {
			header: 'Shows up to ten of the newest items. No run is started.',
			executionsHelp:
				"<b>Fetch Test Event</b> shows up to ten of the newest items. No run is started.<br /><br /><b>Once the n8n workflow is active (published)</b>, it is executed when there are new items. These executions show up in the <a data-key='executions'>executions list</a>, but not in the editor.",
			activationHint: 'You can activate (publish) the n8n workflow without a test.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' }],
		properties: propertiesOf(triggerParameters),
	};

	methods;
	poll: (this: IPollFunctions) => Promise<INodeExecutionData[][] | null>;

	/** n8n creates one node per process, and passes nothing (n8n-behaviour.md#nodes); tests pass their own clock. */
	constructor(dependencies: Dependencies = systemDependencies) {
		const triggerMemories = new Map<string, TriggerMemory>();
		this.methods = {
			credentialTest: { prospectorApiTest },
			listSearch: { searchWorkflows: editorMethod(dependencies, searchWorkflows) },
			loadOptions: { getWorkflows: editorMethod(dependencies, getWorkflows) },
		};
		this.poll = async function () {
			return await pollTrigger(this, dependencies, triggerMemories);
		};
	}
}
