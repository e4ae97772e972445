import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

export type NodeError = NodeApiError | NodeOperationError;

/**
 * What was caught, as n8n shows it, with the item it belongs to.
 *
 * @param count of input items: a single one needs no number
 */
export function toNodeError(
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

/**
 * What an execution of the node ends with. Of a tool's failure n8n gives the model of an AI agent the message alone, so
 * there it also says what to do.
 */
export function toToolError(context: IExecuteFunctions, error: NodeError): NodeError {
	// n8n names the tool that it derives from a node like the node, with this at the end.
	if (context.getNode().type.endsWith('Tool')) error.message = toSingleMessage(error);
	return error;
}

/** All that is left of an exception under *Continue*: n8n keeps only this text. */
export function toSingleMessage({ message, description }: NodeError): string {
	return [message, description]
		.filter(Boolean)
		.map((part) => `${part}`.replace(/\.$/, '') + '.')
		.join(' ');
}
