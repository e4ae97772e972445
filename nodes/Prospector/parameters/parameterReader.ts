// Reads the parameters of an execution from n8n. Used by the item processor; a value without an expression is read
// once.
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import type { Turns } from '../transport/turns';
import { isTool } from '../utils';
import type { RawParameters } from './parameter';

/** n8n resolves a parameter at each call (n8n-behaviour.md#parameters). Those without an expression are read once. */
export class ParameterReader {
	/** Kept, because n8n copies the node at each call (n8n-behaviour.md#nodes). */
	private readonly node: INode;
	private readonly constantNames: Set<string>;
	private readonly constantValues = new Map<string, unknown>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly turns: Turns,
	) {
		this.node = context.getNode();
		const entries = Object.entries(this.node.parameters);
		this.constantNames = new Set(entries.filter(([, value]) => !hasExpression(value)).map(([name]) => name));
	}

	read(name: string, itemIndex: number, fallback?: unknown): unknown {
		if (this.constantValues.has(name)) return this.constantValues.get(name);
		const value: unknown = this.context.getNodeParameter(name, itemIndex, fallback);
		if (this.constantNames.has(name)) this.constantValues.set(name, value);
		return value;
	}

	rawParameters(itemIndex: number): RawParameters {
		const { json = {} } = this.context.getInputData()[itemIndex] ?? {};
		const input = removeToolFields(json, this.node);
		return {
			...{ input, isTool: isTool(this.node), turns: this.turns },
			getField: (name, fallback) => this.read(name, itemIndex, fallback),
		};
	}
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/** Fields of Chat Trigger in an agent's input (n8n-behaviour.md#ai-agents). */
const CHAT_TRIGGER_FIELDS = ['action', 'chatInput', 'files', 'sessionId', 'user'];

/** Removes n8n's additions to a tool's input: the model's values and the call's ID (n8n-behaviour.md#ai-agents). */
function removeToolFields(input: IDataObject, node: INode): IDataObject {
	if (!isTool(node)) return input;
	const { parameters } = node;
	const isChat = 'chatInput' in input && 'sessionId' in input;
	const n8nKeys = new Set(['toolCallId', ...(isChat ? CHAT_TRIGGER_FIELDS : []), ...fromAiNames(parameters)]);
	return Object.fromEntries(Object.entries(input).filter(([name]) => !n8nKeys.has(name)));
}

/** Returns what the model calls the values that it defines. @param parameters of a node, or one of them */
export const fromAiNames = (parameters: unknown): string[] =>
	[...JSON.stringify(parameters).matchAll(/\$fromAI\(\s*\\?['"`]([\w-]+)/gi)].map(([, name]) => name);
