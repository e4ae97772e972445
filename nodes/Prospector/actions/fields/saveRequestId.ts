import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { parseBoolean } from './boolean';
import { readOption } from '../../parameters/readParameters';
import { valueOrThrow } from './unwrap';

export const saveRequestIdOption: INodeProperties = {
	displayName: 'Save Request ID',
	name: 'saveRequestId',
	type: 'boolean',
	default: true,
	description:
		"Whether to save the request ID as custom data of the execution, so that it can be found by it in n8n's list of executions",
};

/** @returns whether request ids are to be saved with the execution */
export const readSaveRequestId = (context: IExecuteFunctions, itemIndex: number): boolean =>
	valueOrThrow(
		context,
		parseBoolean(readOption(context, 'saveRequestId', itemIndex) ?? true, 'Save Request ID'),
	);
