// Reads the parameters of an execution from n8n. Used by the item processor. n8n resolves a parameter at each call
// (n8n-behaviour.md#parameters): those without an expression are read once.
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Turns } from '../transport/turns';
import { isTool } from '../utils';
import type { RawParameters } from './parameter';

/** Returns a function that reads the parameters of an item. */
export function createParameterReader(context: IExecuteFunctions, turns: Turns) {
	// Once, because n8n copies the node at each call (n8n-behaviour.md#nodes).
	const node = context.getNode();
	const parameters = Object.entries(node.parameters);
	const constantNames = new Set(
		parameters.filter(([, value]) => !hasExpression(value)).map(([name]) => name),
	);
	const constantValues = new Map<string, unknown>();
	return (itemIndex: number): RawParameters => ({
		input: context.getInputData()[itemIndex]?.json ?? {},
		isTool: isTool(node),
		turns,
		getField(name, fallback) {
			if (constantValues.has(name)) return constantValues.get(name);
			const value: unknown = context.getNodeParameter(name, itemIndex, fallback);
			if (constantNames.has(name)) constantValues.set(name, value);
			return value;
		},
	});
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/** Returns what the model calls the value that it defines in a parameter of a node; undefined if it defines none. */
export const fromAiName = (parameter: string): string | undefined =>
	/\$fromAI\(\s*['"`]([\w-]+)/i.exec(parameter)?.[1];
