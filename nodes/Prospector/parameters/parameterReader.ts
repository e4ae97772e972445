// Reads the parameters of an execution from n8n. Used by the item processor; a value without an expression is read
// once.
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Turns } from '../transport/turns';
import { isTool } from '../utils';
import type { RawParameters } from './parameter';

/** n8n resolves a parameter at each call (n8n-behaviour.md#parameters). Those without an expression are read once. */
export class ParameterReader {
	private readonly isTool: boolean;
	private readonly constantNames: Set<string>;
	private readonly constantValues = new Map<string, unknown>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly turns: Turns,
	) {
		// Once, because n8n copies the node at each call (n8n-behaviour.md#nodes).
		const node = context.getNode();
		this.isTool = isTool(node);
		const entries = Object.entries(node.parameters);
		this.constantNames = new Set(entries.filter(([, value]) => !hasExpression(value)).map(([name]) => name));
	}

	read(name: string, itemIndex: number, fallback?: unknown): unknown {
		if (this.constantValues.has(name)) return this.constantValues.get(name);
		const value: unknown = this.context.getNodeParameter(name, itemIndex, fallback);
		if (this.constantNames.has(name)) this.constantValues.set(name, value);
		return value;
	}

	rawParameters(itemIndex: number): RawParameters {
		return {
			input: this.context.getInputData()[itemIndex]?.json ?? {},
			...{ isTool: this.isTool, turns: this.turns },
			getField: (name, fallback) => this.read(name, itemIndex, fallback),
		};
	}
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/** Returns what the model calls the value that it defines in a parameter of a node; undefined if it defines none. */
export const fromAiName = (parameter: string): string | undefined =>
	/\$fromAI\(\s*['"`]([\w-]+)/i.exec(parameter)?.[1];
