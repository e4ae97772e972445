import type { IExecuteFunctions } from 'n8n-workflow';
import { isObject } from '../../transport/values';

interface ParameterCache {
	/** As they are stored, with expressions unresolved. */
	stored: ReadonlyMap<string, unknown>;
	/** Values that are the same for all items. */
	values: Map<string, unknown>;
}

const caches = new WeakMap<IExecuteFunctions, ParameterCache>();

/**
 * Returns the value of a parameter for an item. One without an expression is read once for all items, because n8n
 * resolves and validates it at each call.
 */
export function readParameter(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	fallback?: unknown,
): unknown {
	const { stored, values } = cacheOf(context);
	if (values.has(name)) return values.get(name);
	const value: unknown = context.getNodeParameter(name, itemIndex, fallback);
	if (stored.has(name) && !hasExpression(stored.get(name))) values.set(name, value);
	return value;
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
	const cache = { stored: new Map(Object.entries(context.getNode().parameters)), values: new Map() };
	caches.set(context, cache);
	return cache;
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
