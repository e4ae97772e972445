import type { INodeProperties } from 'n8n-workflow';
import { maxConcurrentRequestsOption } from './maxConcurrentRequests';
import { maxWaitOption } from './maxWait';
import { requestTimeoutOption } from './requestTimeout';
import { outputFieldsOption } from '../../parameters/outputFields';

const byName = (a: INodeProperties, b: INodeProperties) => a.displayName.localeCompare(b.displayName);

/** The collection of an operation's optional fields, in alphabetical order; those that all have are among them. */
export function optionsField(...options: INodeProperties[]): INodeProperties {
	const forAll = [maxWaitOption, outputFieldsOption, requestTimeoutOption].filter(
		({ name }) => !options.some((option) => option.name === name),
	);
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options, ...forAll].sort(byName),
	};
}

/** The same for operations that only read, whose items are worked on side by side. */
export const readOptionsField = (...options: INodeProperties[]) =>
	optionsField(maxConcurrentRequestsOption, ...options);
