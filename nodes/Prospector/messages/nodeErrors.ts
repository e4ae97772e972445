import { type IExecuteFunctions, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { RequestError } from '../api/failure/requestError';
import { describeFailure } from './failureMessages';
import { type Redact, redactAndTruncate, redactorFor } from './redact';
import { isTool } from '../utils';
import { type Caller, UserError, type UserMessage } from './userMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** The n8n context of a call, for which API keys are registered. */
type NodeContext = { getNode(): INode; getTimezone?(): string };

/** Both together have at most 2,000 characters, because n8n stores them with the execution. */
const MAX_MESSAGE_LENGTH = 700;
const MAX_DESCRIPTION_LENGTH = 1300;

/** Returns the texts on one line, bounded and without the API key; the description gets a full stop. */
export const sanitizeMessage = ({ message, description }: UserMessage, redact: Redact): UserMessage => ({
	message: redactAndTruncate(message, redact, MAX_MESSAGE_LENGTH),
	description: redactAndTruncate(description && `${description}.`, redact, MAX_DESCRIPTION_LENGTH),
});

/** A model sees no operations. AI Agent before version 3 replaces a text with a code (ECONNRESET) by advice to retry. */
const rewordForModel = (text: string) =>
	text
		.replaceAll('Run › Get Many', 'a tool that gets many runs')
		.replaceAll('Run › Get', 'a tool that gets a run')
		.replaceAll('Result › Get Many', 'a tool that gets many results')
		.replaceAll('Workflow › Get Many', 'a tool that gets many Prospector workflows')
		.replaceAll('Workflow › Run', 'a tool that runs a Prospector workflow')
		.replace(/\{\{ \$json\.(\w+) \}\}/g, '$1')
		.replace(/ \([A-Z][A-Z0-9_]{3,}\)/g, '');

/** n8n offers no Retry with *Continue*, for a part of another execution, and for an execution that it does not store. */
export function callerOf(context: IExecuteFunctions): Caller {
	if (isTool(context.getNode())) return 'tool';
	const mode = context.getMode();
	const { saveManualExecutions, saveDataErrorExecution } = context.getWorkflowSettings();
	const isStored = mode === 'manual' ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
	return isStored && mode !== 'integrated' && !context.continueOnFail() ? 'node' : 'nodeWithoutRetry';
}

/** @param context the one with which the client was opened */
export function toNodeError(context: NodeContext, thrown: unknown, caller: Caller): NodeError {
	const node = context.getNode();
	if (!(thrown instanceof RequestError || thrown instanceof UserError)) {
		const isNodeError = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
		return isNodeError ? thrown : new NodeOperationError(node, thrown as Error);
	}
	const userMessage = describeException(context, thrown, caller);
	// n8n replaces messages that contain a code such as EPERM, which can be part of an ID.
	return Object.assign(createError(node, thrown, userMessage), userMessage, { messages: [] });
}

function createError(node: INode, thrown: RequestError | UserError, userMessage: UserMessage): NodeError {
	if (thrown instanceof UserError) return new NodeOperationError(node, userMessage.message, userMessage);
	const { failure } = thrown;
	const httpCode = failure.kind === 'status' ? String(failure.status) : undefined;
	// Not built from what the HTTP helper threw: that quotes the request, and its texts would win over ours.
	return new NodeApiError(node, { message: userMessage.message }, { ...userMessage, httpCode });
}

/** Returns the texts about an exception, as n8n shows them. */
function describeException(
	context: Partial<NodeContext>,
	thrown: RequestError | UserError,
	caller: Caller,
): UserMessage {
	const redact = redactorFor(context);
	const isRequestError = thrown instanceof RequestError;
	const isCanceled = isRequestError ? thrown.failure.kind === 'canceled' : thrown.options.isCanceled;
	const userMessage = isRequestError
		? describeFailure(thrown, caller, redact, context.getTimezone?.())
		: thrown.messageFor(caller);
	const { message, description } = sanitizeMessage(userMessage, redact);
	// n8n takes a message with this word, which an ID can contain, for a cancellation and removes the Retry button.
	const text = isCanceled ? message : message.replace(/canceled/g, 'CANCELED');
	if (caller !== 'tool') return { message: text, description };
	return { message: rewordForModel(text), description: rewordForModel(description) };
}

/** With *Continue*, and for the model that uses a tool, n8n keeps only one text. */
export const toSingleMessage = ({ message, description }: Pick<NodeError, 'message' | 'description'>) =>
	description ? `${message}. ${description}` : `${message}.`;

/** Moves the advice into the message of an error, and returns the error. */
export function withAdviceInMessage(error: NodeError): NodeError {
	error.message = toSingleMessage(error);
	error.description = undefined;
	return error;
}

/**
 * Only for polls that have a baseline, and failures after which a later poll finds everything. Returns the error.
 *
 * @param taskName what the poll was doing, e.g. `listing the Prospector workflows`
 */
export function addCatchUpNote(error: NodeError, taskName?: string): NodeError {
	const task = taskName && `It failed when ${taskName}.`;
	const sentences = [error.description, task, 'After that, the next poll catches up: nothing is lost.'];
	error.description = sentences.filter(Boolean).join(' ');
	return error;
}

/** Returns the log line before a retry. */
export function retryLogLine(context: NodeContext, requestError: RequestError, delayMs: number): string {
	const delayText = delayMs > 0 ? `in ${(delayMs / 1000).toFixed(1)} s` : 'as soon as the limit allows';
	const { message } = describeException(context, requestError, 'node');
	return `${context.getNode().name}: ${message}. Trying again ${delayText}`;
}
