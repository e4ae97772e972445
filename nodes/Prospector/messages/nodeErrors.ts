import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { UserMessage } from './userMessage';
import type { ApiRequest, Failure } from '../transport/failure/failure';
import { toOneLine, truncate } from '../transport/failure/plainText';
import { redactFailure } from '../transport/failure/redactFailure';
import type { Redact } from '../transport/failure/redactSecrets';
import { describeFailure } from './failureMessages';
import { isTransient } from '../transport/retry/retryPolicy';

/** Both together stay below 2,000 characters, since n8n stores them with the execution. */
const MAX_MESSAGE_LENGTH = 700;
const MAX_DESCRIPTION_LENGTH = 1300;

const failures = new WeakMap<object, Failure>();

/** @returns what an exception of {@link apiError} stands for */
export const getFailure = (thrown: unknown): Failure | undefined =>
	typeof thrown === 'object' && thrown !== null ? failures.get(thrown) : undefined;

/** Whether an exception stands for a response with one of these statuses. */
export function hasStatus(thrown: unknown, ...statuses: number[]): boolean {
	const failure = getFailure(thrown);
	return failure?.kind === 'status' && statuses.includes(failure.status);
}

/** Whether an exception stands for a request that the rate limit prevented. */
export const isRateLimited = (thrown: unknown): boolean =>
	getFailure(thrown)?.kind === 'throttled' || hasStatus(thrown, 429);

/** Whether waiting alone can help against what an exception stands for. */
export function isTransientError(thrown: unknown): boolean {
	const failure = getFailure(thrown);
	if (failure === undefined) return false;
	// A maintenance page, or a list that changed while it was being read.
	const isUsuallyTransient = ['throttled', 'unexpectedResponse', 'invalidPagination'].includes(failure.kind);
	return isUsuallyTransient || isTransient(failure);
}

/** Whether the service may have rejected a cursor. The contract does not say how it would: most likely with a 4xx. */
export function isCursorError(thrown: unknown): boolean {
	const failure = getFailure(thrown);
	if (failure?.kind !== 'status') return failure?.kind === 'invalidPagination';
	return failure.status >= 400 && failure.status < 500 && ![401, 403, 429].includes(failure.status);
}

/**
 * The exception for a request that ended badly, as n8n shows it.
 *
 * @param redact removes the API key, which the service or a person may have repeated
 */
export function apiError(node: INode, failure: Failure, call: ApiRequest, redact: Redact): NodeApiError {
	const { message, description } = presentable(describeFailure(redactFailure(failure, redact), call), redact);
	const shown = { message: failure.kind === 'canceled' ? message : escapeCanceled(message), description };
	const httpCode = failure.kind === 'status' ? String(failure.status) : undefined;
	// Never built from what the HTTP helper threw: that quotes the request, and its texts would win over ours.
	const error = new NodeApiError(node, { message: shown.message }, { ...shown, httpCode });
	failures.set(error, failure);
	return restoreMessage(error, shown);
}

/** The exception for something that a person can mend in the node or the credential. */
export function inputError(
	node: INode,
	problem: UserMessage,
	redact: Redact = (text) => text,
): NodeOperationError {
	const { message, description } = presentable(problem, redact);
	return operationError(node, { message: escapeCanceled(message), description });
}

/**
 * The exception for a wait that ended because the execution was stopped.
 *
 * @param during completes "The execution was canceled while …"
 */
export function stoppedError(node: INode, during: string, description: string): NodeOperationError {
	return operationError(node, { message: `The execution was canceled while ${during}`, description });
}

/** Without the API key, on one line, and bounded. Redacted first: half a key would no longer match. */
export const presentable = ({ message, description }: UserMessage, redact: Redact): UserMessage => ({
	message: truncate(toOneLine(redact(message)), MAX_MESSAGE_LENGTH),
	description: truncate(toOneLine(redact(description)), MAX_DESCRIPTION_LENGTH),
});

function operationError(node: INode, words: UserMessage): NodeOperationError {
	return restoreMessage(new NodeOperationError(node, words.message, words), words);
}

/** n8n swaps whole messages that happen to contain a code such as EPERM, as an id may: ours are put back. */
function restoreMessage<E extends NodeApiError | NodeOperationError>(error: E, words: UserMessage): E {
	error.message = words.message;
	error.description = words.description;
	error.messages = [];
	return error;
}

/**
 * n8n takes every execution whose last message contains this word for a stopped one, and removes its Retry button. An
 * id, a key or a status may contain it too.
 */
const escapeCanceled = (message: string) => message.replace(/canceled/g, 'CANCELED');
