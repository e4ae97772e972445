import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { Problem } from './checked';
import type { Call, Failure } from './failure';
import { explain } from './messages';

/**
 * The exception for a request that ended badly, as n8n shows it.
 *
 * @param secrets texts that must not appear in it, whoever quoted them
 */
export function apiError(node: INode, failure: Failure, call: Call, secrets: string[]): NodeApiError {
	// Before anything is shortened, or the rest of a secret that was cut in half would stay.
	const { message, description } = redact(explain(redact(failure, secrets), call), secrets);
	const words = { message: failure.kind === 'stopped' ? message : notStopped(message), description };
	const httpCode = failure.kind === 'status' ? String(failure.status) : undefined;
	// Never built from what the HTTP helper threw: that quotes the request, and its texts would win over ours.
	const error = new NodeApiError(node, { message: words.message }, { ...words, httpCode });
	return withWords(error, words);
}

/** The exception for something that a person can mend in the node or the credential. */
export function inputError(node: INode, { message, description }: Problem): NodeOperationError {
	return operationError(node, { message: notStopped(message), description });
}

/** The exception for a wait that ended because the execution was stopped. */
export function stoppedError(node: INode, { message, description }: Problem): NodeOperationError {
	return operationError(node, { message: `The execution was canceled while ${message}`, description });
}

function operationError(node: INode, words: Problem): NodeOperationError {
	return withWords(new NodeOperationError(node, words.message, words), words);
}

/** n8n swaps whole messages that happen to contain a code such as EPERM, as an id may: ours are put back. */
function withWords<E extends NodeApiError | NodeOperationError>(error: E, words: Problem): E {
	error.message = words.message;
	error.description = words.description;
	error.messages = [];
	return error;
}

/**
 * n8n takes every execution whose last message contains this word for a stopped one, and removes its Retry button. An
 * id, a key or a status may contain it too.
 */
const notStopped = (message: string) => message.replace(/canceled/g, 'CANCELED');

/** A copy in which no text holds a secret. */
function redact<T extends object>(texts: T, secrets: string[]): T {
	const clean = (value: unknown) =>
		typeof value === 'string'
			? secrets.filter(Boolean).reduce((rest, secret) => rest.split(secret).join('[API key]'), value)
			: value;
	return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, clean(value)])) as T;
}
