import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { Failure } from '../transport/failure/failure';
import { redactFailure, toOneLine, truncate } from '../transport/failure/plainText';
import type { Redact } from '../transport/failure/redactSecrets';
import { RequestError } from '../transport/failure/requestError';
import type { ApiRequest } from '../transport/request/apiRequest';
import type { Place } from './adviceMessages';
import { describeFailure } from './failureMessages';
import { joinSentences } from './format';
import { UserError, type UserMessage } from './userMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** Both together stay below 2,000 characters, since n8n stores them with the execution. */
const MAX_MESSAGE_LENGTH = 700;
const MAX_DESCRIPTION_LENGTH = 1300;

/** Returns text without the API key, on one line and bounded. */
export const presentable = ({ message, description }: UserMessage, redact: Redact): UserMessage => ({
	// Redacted before it is truncated, because half a key would no longer match.
	message: truncate(toOneLine(redact(message)), MAX_MESSAGE_LENGTH),
	description: truncate(toOneLine(redact(description)), MAX_DESCRIPTION_LENGTH),
});

/** Returns the message for a failure, as it may be shown. */
export function failureMessage(
	failure: Failure,
	request: ApiRequest,
	redact: Redact,
	place: Place,
): UserMessage {
	return presentable(describeFailure(redactFailure(failure, redact), request, place), redact);
}

/**
 * Returns anything that was thrown as an error of n8n.
 *
 * @param place where the error appears
 */
export function toNodeError(node: INode, thrown: unknown, place: Place): NodeError {
	if (thrown instanceof RequestError) {
		const { failure, request, redact } = thrown;
		const { message, description } = failureMessage(failure, request, redact, place);
		const shown = {
			message: failure.kind === 'canceled' ? message : escapeCanceled(message),
			description,
		};
		const httpCode = failure.kind === 'status' ? String(failure.status) : undefined;
		// Not built from what the HTTP helper threw: that quotes the request, and its texts would win over ours.
		return restoreMessage(new NodeApiError(node, { message: shown.message }, { ...shown, httpCode }), shown);
	}
	if (thrown instanceof UserError) {
		const { redact = (text: string) => text, isCanceled } = thrown.options;
		const { message, description } = presentable(thrown.userMessage, redact);
		const shown = { message: isCanceled ? message : escapeCanceled(message), description };
		return restoreMessage(new NodeOperationError(node, shown.message, shown), shown);
	}
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	return new NodeOperationError(node, thrown as Error);
}

/** Returns all sentences as one text: n8n keeps nothing else with *Continue*, and for the model that uses a tool. */
export const toSingleMessage = ({ message, description }: { message: string; description?: string | null }) =>
	`${joinSentences([message, description ?? undefined])}.`;

/** n8n replaces messages that contain a code such as EPERM, which can be part of an ID. */
function restoreMessage<E extends NodeError>(error: E, { message, description }: UserMessage): E {
	error.message = message;
	error.description = description;
	error.messages = [];
	return error;
}

/**
 * n8n takes an execution whose message contains this word for a canceled one, and removes its Retry button. An ID, a key
 * or a status can contain it, too.
 */
const escapeCanceled = (message: string) => message.replace(/canceled/g, 'CANCELED');

/** Returns the line of the log for a retry. */
export function retryLine({ failure, request, redact }: RequestError, delayMs: number): string {
	const { message } = failureMessage(failure, request, redact, 'node');
	const when = delayMs > 0 ? `in ${(delayMs / 1000).toFixed(1)} s` : 'as soon as the limit allows';
	return `${escapeCanceled(message)}. Trying again ${when}`;
}
