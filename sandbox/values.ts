export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** For property names from clients: without a prototype, `constructor` and `__proto__` have no special meaning. */
export function copyWithoutPrototype<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
	return Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries));
}

export const isIntegerBetween = (value: unknown, min: number, max: number): value is number =>
	Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

/** 100 years: maximum of time spans in settings and of clock changes, so that all times stay valid dates. */
export const MAX_SPAN_MS = 36_525 * 86_400_000;

/** Maximum number of workflows or runs of a seed and of results of a run. */
export const MAX_SEED_COUNT = 1_000_000;

/** JSON.stringify overflows the stack on values with thousands of levels. */
const MAX_JSON_DEPTH = 500;

export const isTooDeep = (value: unknown, depth = MAX_JSON_DEPTH): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(depth === 0 || Object.values(value).some((inner) => isTooDeep(inner, depth - 1)));

/** Whether JSON.stringify keeps the whole value. Undefined properties count as absent. */
export function isJson(value: unknown, depth = MAX_JSON_DEPTH): boolean {
	if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object' || depth === 0) return false;
	return Object.values(value).every((inner) => inner === undefined || isJson(inner, depth - 1));
}
