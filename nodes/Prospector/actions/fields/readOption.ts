import type { IExecuteFunctions } from 'n8n-workflow';

/** What a person set for an optional field, or undefined. */
export function readOption(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	const value = readOptionOrEmpty(context, name, itemIndex);
	return value === '' ? undefined : value;
}

/** The same where an emptied field says something else than one that was never added. */
export function readOptionOrEmpty(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	return (context.getNodeParameter(`options.${name}`, itemIndex, null) as unknown) ?? undefined;
}
