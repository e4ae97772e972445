import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { isObject } from '../utils';
import type { ParameterValues } from './parameter';

/** n8n resolves a parameter at each call, so one without an expression is read once, and others in batches. */
export class ParameterReader {
	/** As stored, with expressions unresolved. */
	private readonly stored: Map<string, unknown>;
	private readonly readers = new Map<string, (itemIndex: number) => unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		this.stored = new Map(Object.entries(context.getNode().parameters));
	}

	read(name: string, itemIndex: number, fallback?: unknown): unknown {
		const { context, stored, readers } = this;
		const reader = readers.get(name);
		if (reader) return reader(itemIndex);
		const read = (index: number): unknown => context.getNodeParameter(name, index, fallback);
		if (!stored.has(name)) return read(itemIndex);
		if (hasExpression(stored.get(name))) {
			const batch = new ItemBatch(context.getInputData().length, read);
			readers.set(name, (index) => batch.get(index));
			return batch.get(itemIndex);
		}
		const value = read(itemIndex);
		readers.set(name, () => value);
		return value;
	}

	valuesOf(itemIndex: number): ParameterValues {
		const { context } = this;
		return {
			...parameterValues((name, fallback) => this.read(name, itemIndex, fallback)),
			get input() {
				return stripToolFields(context.getInputData()[itemIndex]?.json ?? {}, context.getNode());
			},
		};
	}
}

/**
 * Returns parameter values that are read by a function, without an input item.
 *
 * @param collection name of the collection whose entries are the options
 */
export function parameterValues(field: ParameterValues['field'], collection = 'options'): ParameterValues {
	return {
		field,
		option(name) {
			const options = field(collection, {});
			return isObject(options) ? new Map(Object.entries(options)).get(name) : undefined;
		},
		input: {},
	};
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/** Fields that n8n's Chat Trigger puts into an agent's input. */
const CHAT_TRIGGER_FIELDS = ['action', 'chatInput', 'files', 'sessionId', 'user'];

/**
 * Removes n8n's additions to a tool's input: the model's values for the node's fields, and the call's ID.
 *
 * @param node with its parameters as they were saved
 */
function stripToolFields(input: IDataObject, { type, parameters }: INode): IDataObject {
	// n8n derives the tool, and its name, from the node.
	if (!type.endsWith('Tool')) return input;
	const isChat = 'chatInput' in input && 'sessionId' in input;
	const added = new Set(['toolCallId', ...(isChat ? CHAT_TRIGGER_FIELDS : []), ...fromAiNames(parameters)]);
	return Object.fromEntries(Object.entries(input).filter(([name]) => !added.has(name)));
}

const fromAiNames = (parameters: unknown): string[] =>
	[...JSON.stringify(parameters).matchAll(/\$fromAI\(\s*\\?['"`]([\w-]+)/gi)].map(([, name]) => name);

/** Reading each item between requests takes twice as long, because the CPU caches then lack code and data. */
const BATCH_SIZE = 50;

/** Reads a value for an item, and ahead for the items that follow. */
export class ItemBatch<Value> {
	private firstItem = 0;
	private values: Value[] = [];

	constructor(
		private readonly itemCount: number,
		private readonly read: (itemIndex: number) => Value,
	) {}

	/** @throws what `read` throws for this item */
	get(itemIndex: number): Value {
		const position = itemIndex - this.firstItem;
		if (position >= 0 && position < this.values.length) return this.values[position];
		const value = this.read(itemIndex);
		// Items before the batch are still in progress, and those after them need the batch.
		if (position < 0) return value;
		this.firstItem = itemIndex;
		this.values = [value];
		const end = Math.min(itemIndex + BATCH_SIZE, this.itemCount);
		try {
			for (let next = itemIndex + 1; next < end; next++) this.values.push(this.read(next));
		} catch {
			// Reading that item throws again.
		}
		return value;
	}
}
