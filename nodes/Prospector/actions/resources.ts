import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../parameters/parameter';
import { get as getConfig } from './config/get.operation';
import { get as getIdentity } from './identity/get.operation';
import { allParameters, type Operation } from './operation';
import { getAll as getManyResults } from './result/getAll.operation';
import { get as getRun } from './run/get.operation';
import { getAll as getManyRuns } from './run/getAll.operation';
import { create } from './workflow/create.operation';
import { remove } from './workflow/delete.operation';
import { get as getWorkflow } from './workflow/get.operation';
import { getAll as getManyWorkflows } from './workflow/getAll.operation';
import { run } from './workflow/run.operation';
import { update } from './workflow/update.operation';

/** Sorted by name, as n8n's rules require. */
export const resources: Array<Pick<Operation, 'option'> & { operations: Operation[] }> = [
	{
		option: { name: 'Config', value: 'config', description: 'Settings of prospecting in the workspace' },
		operations: [getConfig],
	},
	{
		option: { name: 'Identity', value: 'identity', description: 'The API key and its workspace' },
		operations: [getIdentity],
	},
	{
		option: {
			name: 'Result',
			value: 'result',
			description: 'A company that a run found, linked to a lead',
		},
		operations: [getManyResults],
	},
	{
		option: {
			name: 'Run',
			value: 'run',
			description: 'One pass of a Prospector workflow, which finds results',
		},
		operations: [getRun, getManyRuns],
	},
	{
		option: { name: 'Workflow', value: 'workflow', description: 'A Prospector workflow: what to look for' },
		operations: [create, remove, getWorkflow, getManyWorkflows, run, update],
	},
];

/** Returns the list of resources, a list of operations for each, and the fields of each operation. */
export function nodeProperties(): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ option }) => option),
			default: 'workflow',
		},
		...resources.map(({ option, operations }): INodeProperties => {
			const names = operations.map((operation) => operation.option.value);
			const first = names.includes('getAll') ? 'getAll' : names[0];
			return {
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: [option.value] } },
				options: operations.map((operation) => operation.option),
				default: first,
			};
		}),
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
