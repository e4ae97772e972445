import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

const byName = (a: INodeProperties, b: INodeProperties) => a.displayName.localeCompare(b.displayName);

/** The collection of an operation's optional fields, in alphabetical order. */
export function optionsField(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort(byName),
	};
}

/** What a person set for an optional field, or undefined. */
export function readOption(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	const value: unknown = context.getNodeParameter(`options.${name}`, itemIndex, null);
	return value === null || value === '' ? undefined : value;
}
