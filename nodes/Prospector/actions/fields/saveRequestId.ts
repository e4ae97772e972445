import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { checkBoolean } from './boolean';
import { readOption } from './readOption';
import { unwrap } from './unwrap';

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
	unwrap(context, checkBoolean(readOption(context, 'saveRequestId', itemIndex) ?? true, 'Save Request ID'));
