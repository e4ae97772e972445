// The resources and operations of the node, in the editor's order. The node's description and the item processor read
// this list; an operation that is not in it does not exist. Tests: test/unit/description.test.ts,
// test/workflow/operations.test.ts.
import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../parameters/parameter';
import { lowerFirst } from '../utils';
import { getIdentity } from './account/getIdentity.operation';
import { getSettings } from './account/getSettings.operation';
import { allParameters, type NodeResource, type Operation } from './operation';
import { getManyResults } from './result/getAll.operation';
import { getRun } from './run/get.operation';
import { getManyRuns } from './run/getAll.operation';
import { createWorkflow } from './workflow/create.operation';
import { deleteWorkflow } from './workflow/delete.operation';
import { getWorkflow } from './workflow/get.operation';
import { getManyWorkflows } from './workflow/getAll.operation';
import { startRun } from './workflow/run.operation';
import { runAndGetResults } from './workflow/runAndGetResults.operation';
import { updateWorkflow } from './workflow/update.operation';

/**
 * In order of use and not by name: n8n lists the actions in this order (n8n-behaviour.md#editor). The first resource is
 * the default, and so is the first operation of each.
 */
export const resources: NodeResource[] = [
	{
		option: {
			name: 'Workflow',
			value: 'workflow',
			description: 'A Prospector workflow, which says what to look for',
		},
		operations: [
			runAndGetResults,
			startRun,
			createWorkflow,
			getWorkflow,
			getManyWorkflows,
			updateWorkflow,
			deleteWorkflow,
		],
	},
	{
		option: { name: 'Run', value: 'run', description: 'One run of a Prospector workflow' },
		operations: [getRun, getManyRuns],
	},
	{
		option: { name: 'Result', value: 'result', description: 'A company that a run found, with its lead' },
		operations: [getManyResults],
	},
	{
		option: {
			name: 'Account',
			value: 'account',
			description: 'The API key, its workspace and the prospecting settings',
		},
		operations: [getIdentity, getSettings],
	},
];

/** Returns the list of resources, a list of operations for each, and the fields of each operation. */
export function nodeProperties(): INodeProperties[] {
	return [
		optionsField('Resource', resources),
		...resources.map(({ option, operations }) => ({
			...optionsField('Operation', operations),
			displayOptions: { show: { resource: [option.value] } },
		})),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) =>
				updateDisplayOptions(
					{ show: { resource: [resource.option.value], operation: [operation.option.value] } },
					propertiesOf(allParameters(operation)),
				),
			),
		),
	];
}

function optionsField(displayName: string, choices: Array<Pick<Operation, 'option'>>): INodeProperties {
	const options = choices.map(({ option }) => option);
	const [{ value: firstValue }] = options;
	const name = lowerFirst(displayName);
	return { displayName, name, type: 'options', noDataExpression: true, options, default: firstValue };
}

/** Words of an action that are left out on the canvas. */
const OMITTED_WORDS = / (?:Prospector workflows?|prospecting|of API key)/;

/**
 * Returns an expression for the words below the node on the canvas: at most 20 characters such as "get many runs", and
 * the name of the Prospector workflow that was picked.
 */
export function nodeSubtitle(): string {
	const subtitleEntries = resources.flatMap(({ option, operations }) =>
		operations.map((operation) => [
			`${option.value}:${operation.option.value}`,
			lowerFirst((operation.option.action ?? '').replace(OMITTED_WORDS, '')),
		]),
	);
	const locator = '$parameter.toJSON().workflowId?';
	const name = `(${locator}.mode === "list" && ${locator}.cachedResultName || "").split("\\u00a0")[0]`;
	// Flat, because two closing braces end an expression (n8n-behaviour.md#parameters).
	return `={{ [${JSON.stringify(Object.fromEntries(subtitleEntries))}[$parameter["resource"] + ":" + $parameter["operation"]], ${name}].filter(Boolean).join(": ") }}`;
}
