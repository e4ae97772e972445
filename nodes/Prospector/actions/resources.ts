import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../parameters/parameter';
import { lowerFirst } from '../utils';
import { account } from './account';
import { allParameters, type Resource } from './operation';
import { result } from './result';
import { run } from './run';
import { workflow } from './workflow';

/** In order of use. The first resource is the default, and so is the first operation of each. */
export const resources: Resource[] = [workflow, run, result, account];

/** Returns the list of resources, a list of operations for each, and the fields of each operation. */
export function nodeProperties(): INodeProperties[] {
	const firstResource = resources[0].option.value;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ option }) => option),
			default: firstResource,
		},
		...resources.map(({ option, operations }): INodeProperties => {
			const firstOperation = operations[0].option.value;
			return {
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: [option.value] } },
				options: operations.map((operation) => operation.option),
				default: firstOperation,
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

/** Returns an expression for the words below the node on the canvas, such as "get many runs". */
export function nodeSubtitle(): string {
	const entries = resources.flatMap(({ option, operations }) =>
		operations.map((operation) => [
			`${option.value}:${operation.option.value}`,
			lowerFirst(operation.option.action ?? ''),
		]),
	);
	// Flat, because n8n takes two closing braces for the end of the expression.
	return `={{ ${JSON.stringify(Object.fromEntries(entries))}[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
}
