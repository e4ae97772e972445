import type { INodeProperties } from 'n8n-workflow';
import { requestTimeoutOption } from './requestTimeout';

const byName = (a: INodeProperties, b: INodeProperties) => a.displayName.localeCompare(b.displayName);

/** The collection of an operation's optional fields, in alphabetical order; the one that all have is among them. */
export function optionsField(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options, requestTimeoutOption].sort(byName),
	};
}
