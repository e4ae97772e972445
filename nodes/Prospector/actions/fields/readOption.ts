import type { IExecuteFunctions } from 'n8n-workflow';

/** What a person set for an optional field, or undefined. */
export function readOption(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	const value: unknown = context.getNodeParameter(`options.${name}`, itemIndex, null);
	return value === null || value === '' ? undefined : value;
}
