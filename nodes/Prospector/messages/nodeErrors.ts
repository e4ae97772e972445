import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { RequestError } from '../api/failure/requestError';
import type { Caller } from './advice';
import { describeFailure } from './failureMessages';
import { type Redact, redactAndTruncate, redactorFor } from './redact';
import { UserError, type UserMessage } from './userMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** The n8n context of a call, for which API keys are registered. */
type NodeContext = { getNode(): INode };

/** Both together have at most 2,000 characters, because n8n stores them with the execution. */
const MAX_MESSAGE_LENGTH = 700;
const MAX_DESCRIPTION_LENGTH = 1300;

/** Returns the texts on one line, bounded and without the API key; the description gets a full stop. */
export const makePresentable = ({ message, description }: UserMessage, redact: Redact): UserMessage => ({
	message: redactAndTruncate(message, redact, MAX_MESSAGE_LENGTH),
	description: redactAndTruncate(description && `${description}.`, redact, MAX_DESCRIPTION_LENGTH),
});

/** @param context the one with which the client was opened */
export function toNodeError(context: NodeContext, thrown: unknown, caller: Caller): NodeError {
	const node = context.getNode();
	if (thrown instanceof RequestError) {
		const { failure } = thrown;
		const texts = failureMessage(context, thrown, caller);
		const httpCode = failure.kind === 'status' ? String(failure.status) : undefined;
		// Not built from what the HTTP helper threw: that quotes the request, and its texts would win over ours.
		return restoreMessage(new NodeApiError(node, { message: texts.message }, { ...texts, httpCode }), texts);
	}
	if (thrown instanceof UserError) {
		const unescapedTexts = makePresentable(thrown.userMessage, redactorFor(context));
		const texts = thrown.options.isCanceled ? unescapedTexts : maskWordCanceled(unescapedTexts);
		return restoreMessage(new NodeOperationError(node, texts.message, texts), texts);
	}
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	return new NodeOperationError(node, thrown as Error);
}

function failureMessage(context: object, error: RequestError, caller: Caller): UserMessage {
	const redact = redactorFor(context);
	const texts = makePresentable(describeFailure(error, caller, redact), redact);
	return error.failure.kind === 'canceled' ? texts : maskWordCanceled(texts);
}

/** With *Continue*, and for the model that uses a tool, n8n keeps only one text. */
export const toSingleMessage = ({ message, description }: Pick<NodeError, 'message' | 'description'>) =>
	description ? `${message}. ${description}` : `${message}.`;

/** Only for polls that have a baseline, and failures after which a later poll finds everything. Returns the error. */
export function addCatchUpNote(error: NodeError): NodeError {
	const sentence = 'Nothing is lost: the next poll catches up.';
	error.description = error.description ? `${error.description} ${sentence}` : sentence;
	return error;
}

/** n8n replaces messages that contain a code such as EPERM, which can be part of an ID. */
function restoreMessage(error: NodeError, { message, description }: UserMessage): NodeError {
	error.message = message;
	error.description = description;
	error.messages = [];
	return error;
}

/** n8n takes a message with this word, which an ID can contain, for a cancellation and removes the Retry button. */
const maskWordCanceled = ({ message, description }: UserMessage): UserMessage => ({
	message: message.replace(/canceled/g, 'CANCELED'),
	description,
});

/** Returns the log line before a retry. */
export function retryLogLine(context: NodeContext, requestError: RequestError, delayMs: number): string {
	const delayText = delayMs > 0 ? `in ${(delayMs / 1000).toFixed(1)} s` : 'as soon as the limit allows';
	const { message } = failureMessage(context, requestError, 'node');
	return `${context.getNode().name}: ${message}. Trying again ${delayText}`;
}
