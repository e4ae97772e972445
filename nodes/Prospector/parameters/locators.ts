import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { checkResourceId } from '../model/resourceId';
import { extractId } from '../actions/fields/idIn';
import { readParameter } from './readParameters';
import { valueOrThrow } from '../actions/fields/unwrap';

/** Text that does not begin like a web address. Checked by the editor, and by n8n before an execution. */
const NO_WEB_ADDRESS = /^(?!\s*\w[\w+.-]*:\/\/)\s*\S.*$/;

interface Locator {
	displayName: string;
	name: string;
	searchListMethod: string;
	placeholder: string;
}

/** A field that names something that exists: picked from a searchable list, or by its ID. */
function locator(
	{ displayName, name, searchListMethod, placeholder }: Locator,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder,
				validation: [
					{
						type: 'regex',
						properties: {
							regex: NO_WEB_ADDRESS.source,
							errorMessage: 'Enter the ID alone, not a web address',
						},
					},
				],
			},
		],
	};
}

const WORKFLOW: Locator = {
	displayName: 'Workflow',
	name: 'workflowId',
	searchListMethod: 'searchWorkflows',
	placeholder: 'e.g. wf_1a2b3c',
};

const RUN: Locator = {
	displayName: 'Run',
	name: 'runId',
	searchListMethod: 'searchRuns',
	placeholder: 'e.g. run_1a2b3c',
};

export const workflowLocator = (description: string) => locator(WORKFLOW, description);
export const runLocator = (description: string) => locator(RUN, description);

export const readWorkflowId = (context: IExecuteFunctions, itemIndex: number) =>
	readLocator(context, WORKFLOW, itemIndex);
export const readRunId = (context: IExecuteFunctions, itemIndex: number) =>
	readLocator(context, RUN, itemIndex);

function readLocator(context: IExecuteFunctions, { name, displayName }: Locator, itemIndex: number): string {
	return valueOrThrow(
		context,
		checkResourceId(extractId(readParameter(context, name, itemIndex, '')), displayName),
	);
}
