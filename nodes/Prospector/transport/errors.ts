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
	const words = redact(explain(failure, call), secrets);
	const httpCode = failure.kind === 'status' ? String(failure.status) : undefined;
	// Never built from what the HTTP helper threw: that quotes the request, and its texts would win over ours.
	const error = new NodeApiError(node, { message: words.message }, { ...words, httpCode });
	return withWords(error, words);
}

/** The exception for something that a person can mend in the node or the credential; nothing was sent. */
export function inputError(node: INode, problem: Problem): NodeOperationError {
	const error = new NodeOperationError(node, problem.message, { description: problem.description });
	return withWords(error, problem);
}

/** n8n swaps whole messages that happen to contain a code such as EPERM, as an id may: ours are put back. */
function withWords<E extends NodeApiError | NodeOperationError>(error: E, words: Problem): E {
	error.message = words.message;
	error.description = words.description;
	error.messages = [];
	return error;
}

function redact({ message, description }: Problem, secrets: string[]): Problem {
	const clean = (text: string) =>
		secrets.filter(Boolean).reduce((rest, secret) => rest.split(secret).join('[API key]'), text);
	return { message: clean(message), description: clean(description) };
}
