import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { Failure } from '../api/failure/failure';
import {
	type Redact,
	redactBeginning,
	redactFailure,
	toOneLine,
	truncate,
} from '../api/failure/redactSecrets';
import { RequestError } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { checkAddress, type Place } from './adviceMessages';
import { addRequestId, describeFailure } from './failureMessages';
import { UserError, type UserMessage } from './userMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** Both together have at most 2,000 characters, because n8n stores them with the execution. */
const MAX_MESSAGE_LENGTH = 700;
const MAX_DESCRIPTION_LENGTH = 1300;

/** Returns the texts on one line, bounded and without the API key; the description gets a full stop. */
export const presentable = ({ message, description }: UserMessage, redact: Redact): UserMessage => ({
	// Redacted before it is truncated, because half a key would no longer match.
	message: truncate(toOneLine(redactBeginning(message, redact)), MAX_MESSAGE_LENGTH),
	description: truncate(
		toOneLine(redactBeginning(description && `${description}.`, redact)),
		MAX_DESCRIPTION_LENGTH,
	),
});

function failureMessage({ failure, request, redact }: RequestError, place: Place): UserMessage {
	const shown = presentable(describeFailure(redactFailure(failure, redact), request, place), redact);
	return failure.kind === 'canceled' ? shown : escapeCanceled(shown);
}

export function toNodeError(node: INode, thrown: unknown, place: Place): NodeError {
	if (thrown instanceof RequestError) {
		const { failure } = thrown;
		const shown = failureMessage(thrown, place);
		const httpCode = failure.kind === 'status' ? String(failure.status) : undefined;
		// Not built from what the HTTP helper threw: that quotes the request, and its texts would win over ours.
		return restoreMessage(new NodeApiError(node, { message: shown.message }, { ...shown, httpCode }), shown);
	}
	if (thrown instanceof UserError) {
		const { redact = (text: string) => text, isCanceled } = thrown.options;
		const given = presentable(thrown.userMessage, redact);
		const shown = isCanceled ? given : escapeCanceled(given);
		return restoreMessage(new NodeOperationError(node, shown.message, shown), shown);
	}
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	return new NodeOperationError(node, thrown as Error);
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
const escapeCanceled = ({ message, description }: UserMessage): UserMessage => ({
	message: message.replace(/canceled/g, 'CANCELED'),
	description,
});

export function retryLine(failed: RequestError, delayMs: number): string {
	const when = delayMs > 0 ? `in ${(delayMs / 1000).toFixed(1)} s` : 'as soon as the limit allows';
	return `${failureMessage(failed, 'node').message}. Trying again ${when}`;
}

/** A credential test checks the API key, not an operation. */
export function describeFailedTest(failure: Failure, request: ApiRequest): UserMessage {
	const { message, description } = describeFailure(failure, request, 'credentialTest');
	if (failure.kind === 'timeout' || failure.kind === 'truncatedResponse') {
		return { message, description: "Test again. If it stays like this, check 'Base URL'" };
	}
	if (failure.kind !== 'status' || failure.status !== 403) return { message, description };
	// A web server in front of the service refuses without knowing the key.
	if (failure.isHtml) {
		return {
			message: addRequestId("'Base URL' refused the request", failure),
			description: checkAddress(true),
		};
	}
	return {
		message: addRequestId('The API key is valid, but not allowed to use Prospector', failure),
		description:
			"It needs the scopes 'prospector.read' and 'prospector.run'. Ask a workspace admin for such an API key",
	};
}

/** What an API key can do, as far as its identity says. */
export interface KeyAccess {
	canRead: boolean;
	canRun: boolean;
	isReadOnly: boolean;
}

/** The message of a successful test. @param access absent if the key may not read its own identity */
export function connectedMessage(access?: KeyAccess): string {
	if (access === undefined || (access.canRead && access.canRun)) return 'Connected';
	if (!access.canRead) {
		return "Connected. This API key can't read Prospector workflows, runs and results: it lacks the scope 'prospector.read'";
	}
	const reason = access.isReadOnly ? 'belongs to a read-only member' : "lacks the scope 'prospector.run'";
	return `Connected. This API key can't start runs or change Prospector workflows: it ${reason}`;
}
