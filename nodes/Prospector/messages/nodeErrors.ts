// Makes n8n's errors from exceptions. Called where the node, the trigger or the editor's methods end; no message of the
// package contains an API key, or a word for which n8n would replace the text (n8n-behaviour.md#messages).
import { type IExecuteFunctions, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { RequestError } from '../api/failure/requestError';
import { describeFailure } from './failureMessages';
import { type Redact, redactAndTruncate, type Redactor } from './redact';
import { isTool } from '../utils';
import { type Caller, UserError, type UserMessage } from './userMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** A call of n8n: its context, and what removes its API keys from texts. */
export interface N8nCall<Context = { getNode(): INode; getTimezone?(): string }> {
	context: Context;
	redactor: Redactor;
}

/** Together at most 2,000 characters, because n8n stores them with the execution (n8n-behaviour.md#messages). */
const MAX_MESSAGE_LENGTH = 700;
const MAX_DESCRIPTION_LENGTH = 1300;

/** Returns the texts on one line, bounded and without the API key; the description gets a full stop. */
export const sanitizeMessage = ({ message, description }: UserMessage, redact: Redact): UserMessage => ({
	message: redactAndTruncate(message, redact, MAX_MESSAGE_LENGTH),
	description: redactAndTruncate(description && `${description}.`, redact, MAX_DESCRIPTION_LENGTH),
});

/** A model sees no operations. AI Agent 2 replaces a text that contains a code (n8n-behaviour.md#ai-agents). */
const rewordForModel = (text: string) =>
	text
		.replaceAll('Run › Get Many', 'a tool that gets many runs')
		.replaceAll('Run › Get', 'a tool that gets a run')
		.replaceAll('Result › Get Many', 'a tool that gets many results')
		.replaceAll('Workflow › Get Many', 'a tool that gets many Prospector workflows')
		.replaceAll('Workflow › Run', 'a tool that runs a Prospector workflow')
		.replace(/\{\{ \$json\.(\w+) \}\}/g, '$1')
		.replace(/ \([A-Z][A-Z0-9_]{3,}\)/g, '');

/**
 * Returns who shows the messages of the node. Retry does not help with *Continue*, in a sub-workflow, or without a stored
 * execution (n8n-behaviour.md#messages).
 */
export function callerOf(context: IExecuteFunctions): Caller {
	if (isTool(context.getNode())) return 'tool';
	const mode = context.getMode();
	const { saveManualExecutions, saveDataErrorExecution } = context.getWorkflowSettings();
	const isStored = mode === 'manual' ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
	return isStored && mode !== 'integrated' && !context.continueOnFail() ? 'node' : 'nodeWithoutRetry';
}

/** How n8n shows an error. */
interface ErrorDisplay {
	/** Index of the input item that has failed. */
	itemIndex?: number;
	/** Whether the message names that item. */
	isItemNamed?: boolean;
	/** Whether n8n shows only the message, which then contains the description. */
	isMessageOnly?: boolean;
	/** Follows the description. */
	note?: string;
}

/** Returns an error for n8n. One that n8n made itself keeps its texts. */
export function toNodeError(
	call: N8nCall,
	thrown: unknown,
	caller: Caller,
	{ itemIndex, isItemNamed, isMessageOnly, note }: ErrorDisplay = {},
): NodeError {
	const isOfN8n = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	const error = isOfN8n ? thrown : createError(call, thrown, caller);
	if (itemIndex !== undefined) error.context.itemIndex = itemIndex;
	if (isItemNamed) error.message += ` [item ${itemIndex}]`;
	if (note !== undefined) error.description = [error.description, note].filter(Boolean).join(' ');
	if (isMessageOnly) Object.assign(error, { message: toSingleMessage(error), description: undefined });
	return error;
}

function createError(call: N8nCall, thrown: unknown, caller: Caller): NodeError {
	const node = call.context.getNode();
	if (!(thrown instanceof RequestError || thrown instanceof UserError))
		return new NodeOperationError(node, thrown as Error);
	const texts = describeException(call, thrown, caller);
	const { failure } = thrown instanceof RequestError ? thrown : {};
	const httpCode = failure?.kind === 'status' ? String(failure.status) : undefined;
	// Not from what the helper threw: its texts quote the request, and would win (n8n-behaviour.md#http-helper).
	const error = failure
		? new NodeApiError(node, { message: texts.message }, { httpCode })
		: new NodeOperationError(node, texts.message);
	// n8n replaces messages that contain a code such as EPERM, as an ID can (n8n-behaviour.md#messages).
	return Object.assign(error, texts, { messages: [] });
}

/** Returns the texts about an exception, as n8n shows them. */
function describeException(
	{ context, redactor: { redact } }: N8nCall,
	thrown: RequestError | UserError,
	caller: Caller,
): UserMessage {
	const isRequestError = thrown instanceof RequestError;
	const isCanceled = isRequestError ? thrown.failure.kind === 'canceled' : thrown.isCanceled;
	const userMessage = isRequestError
		? describeFailure(thrown, caller, redact, context.getTimezone?.())
		: thrown.messageFor(caller);
	const { message, description } = sanitizeMessage(userMessage, redact);
	// n8n takes this word, which an ID can contain, for a cancellation (n8n-behaviour.md#messages).
	const avoidWord = (text: string) => (isCanceled ? text : text.replace(/canceled/g, 'CANCELED'));
	if (caller !== 'tool') return { message: avoidWord(message), description };
	// A model gets both as one message.
	return { message: rewordForModel(avoidWord(message)), description: rewordForModel(avoidWord(description)) };
}

/** For *Continue* and for models: n8n keeps only one text (n8n-behaviour.md#messages). */
export const toSingleMessage = ({ message, description }: Pick<NodeError, 'message' | 'description'>) =>
	description ? `${message}. ${description}` : `${message}.`;

/** Returns the log line before a retry. */
export function retryLogLine(call: N8nCall, requestError: RequestError, delayMs: number): string {
	const delayText = delayMs > 0 ? `in ${(delayMs / 1000).toFixed(1)} s` : 'as soon as the limit allows';
	const { message } = describeException(call, requestError, 'node');
	return `${call.context.getNode().name}: ${message}. Trying again ${delayText}`;
}
