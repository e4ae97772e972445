import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { CREDENTIAL } from '../transport/connection';
import { inputError } from '../transport/errors';
import { n8nClient } from '../transport/n8nClient';
import { requestTimeout } from './fields/requestTimeout';
import { findOperation } from './resources';

/** Every input item through its operation, one after the other; output in the order of input. */
export async function router(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	const count = context.getInputData().length;
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		try {
			const items = await runItem(context, itemIndex);
			for (const json of items) output.push({ json, pairedItem: { item: itemIndex } });
		} catch (caught) {
			const error = asNodeError(context, caught, itemIndex, count);
			if (!context.continueOnFail()) throw error;
			output.push({ json: { error: inOneSentence(error) }, pairedItem: { item: itemIndex } });
			if (context.getExecutionCancelSignal()?.aborted) break;
		}
	}
	return output;
}

async function runItem(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const resource = context.getNodeParameter('resource', itemIndex) as string;
	const name = context.getNodeParameter('operation', itemIndex) as string;
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		throw inputError(context.getNode(), {
			message: `There is no operation '${name}' for the resource '${resource}'`,
			description: "Pick one in 'Operation'",
		});
	}
	const credential = await context.getCredentials(CREDENTIAL, itemIndex);
	const client = n8nClient(context, credential, requestTimeout(context, itemIndex));
	return await operation.execute({ context, client, itemIndex });
}

type NodeError = NodeApiError | NodeOperationError;

function asNodeError(
	context: IExecuteFunctions,
	caught: unknown,
	itemIndex: number,
	count: number,
): NodeError {
	const error =
		caught instanceof NodeApiError || caught instanceof NodeOperationError
			? caught
			: new NodeOperationError(context.getNode(), caught as Error);
	error.context.itemIndex = itemIndex;
	if (count > 1) error.message += ` [Item ${itemIndex}]`;
	return error;
}

/** All that is left of an exception under *Continue*: n8n keeps only this text. */
function inOneSentence({ message, description }: NodeError): string {
	return [message, description]
		.filter(Boolean)
		.map((part) => `${part}`.replace(/\.$/, '') + '.')
		.join(' ');
}
