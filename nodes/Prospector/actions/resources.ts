import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { config } from './config/config.resource';
import { identity } from './identity/identity.resource';
import type { Operation, Resource } from './operation';
import { result } from './result/result.resource';
import { run } from './run/run.resource';
import { workflow } from './workflow/workflow.resource';

/** In the order in which they are listed: by name. */
export const resources: Resource[] = [config, identity, result, run, workflow];

/** @returns the operation, or undefined where the resource has none of that name */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ option }) => option.value === resource)
		?.operations.find(({ option }) => option.value === operation);
}

/** The resource list, an operation list per resource, and every operation's fields under both. */
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
		...resources.map(operationList),
		...resources.flatMap(({ option: resource, operations }) =>
			operations.flatMap(({ option: operation, properties }) =>
				updateDisplayOptions(
					{ show: { resource: [resource.value], operation: [operation.value] } },
					properties,
				),
			),
		),
	];
}

function operationList({ option, operations }: Resource): INodeProperties {
	const names = operations.map(({ option: { value } }) => value);
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
}
