import type { IDataObject, INode } from 'n8n-workflow';

/** What n8n's Chat Trigger puts into an agent's input: about the conversation, and nothing for the service. */
const CHAT_TRIGGER_FIELDS = ['action', 'chatInput', 'files', 'sessionId', 'user'];

/**
 * The input item as a person knows it. Where an agent calls the node as its tool, n8n merges into the agent's input what
 * the model gave for the node's fields, under the names that they have for it, and the id of the call.
 *
 * @param node with its parameters as they were saved
 */
export function stripToolFields(input: IDataObject, { type, parameters }: INode): IDataObject {
	// n8n derives the tool, and its name, from the node.
	if (!type.endsWith('Tool')) return input;
	const ofChat = 'chatInput' in input && 'sessionId' in input;
	const added = new Set(['toolCallId', ...(ofChat ? CHAT_TRIGGER_FIELDS : []), ...fromAiNames(parameters)]);
	return Object.fromEntries(Object.entries(input).filter(([name]) => !added.has(name)));
}

const fromAiNames = (parameters: unknown): string[] =>
	[...JSON.stringify(parameters).matchAll(/\$fromAI\(\s*\\?['"`]([\w-]+)/gi)].map(([, name]) => name);
