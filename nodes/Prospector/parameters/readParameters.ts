import type { IExecuteFunctions } from 'n8n-workflow';
import { isObject } from '../transport/values';
import { ItemBatch } from './itemBatch';

interface ParameterCache {
	/** As they are stored, with expressions unresolved. */
	stored: ReadonlyMap<string, unknown>;
	/** Values that are the same for all items. */
	constants: Map<string, unknown>;
	/** Resolved expressions, by the parameter's name. */
	batches: Map<string, ItemBatch<unknown>>;
}

const caches = new WeakMap<IExecuteFunctions, ParameterCache>();

/**
 * Returns the value of a parameter for an item. One without an expression is read once for all items, because n8n
 * resolves and validates it at each call; others are read in batches.
 */
export function readParameter(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	fallback?: unknown,
): unknown {
	const { stored, constants, batches } = cacheOf(context);
	if (constants.has(name)) return constants.get(name);
	const known = batches.get(name);
	if (known) return known.get(itemIndex);
	const read = (index: number): unknown => context.getNodeParameter(name, index, fallback);
	if (!stored.has(name)) return read(itemIndex);
	if (!hasExpression(stored.get(name))) {
		const value = read(itemIndex);
		constants.set(name, value);
		return value;
	}
	const batch = new ItemBatch(context.getInputData().length, read);
	batches.set(name, batch);
	return batch.get(itemIndex);
}

/** Returns the value of an option, or undefined if it was not added or is empty. */
export function readOption(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	const value = readOptionOrEmpty(context, name, itemIndex);
	return value === '' ? undefined : value;
}

/** Like {@link readOption}, but returns an empty text as it is. */
export function readOptionOrEmpty(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	const options = readParameter(context, 'options', itemIndex, {});
	if (!isObject(options)) return undefined;
	return Object.entries(options).find(([option]) => option === name)?.[1] ?? undefined;
}

function cacheOf(context: IExecuteFunctions): ParameterCache {
	const known = caches.get(context);
	if (known) return known;
	const stored = new Map(Object.entries(context.getNode().parameters));
	const cache: ParameterCache = { stored, constants: new Map(), batches: new Map() };
	caches.set(context, cache);
	return cache;
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
