/** Whether a value is a JSON object: neither a list nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object whose names come from a client: without a prototype, `constructor` and `__proto__` are names like any other. */
export function record<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
	return Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries));
}

/** Whether a value is a whole number from `low` to `high`. */
export const isWhole = (value: unknown, low: number, high: number): value is number =>
	Number.isInteger(value) && Number(value) >= low && Number(value) <= high;

/**
 * Upper bound for every time span in settings, and for how far the clock can be moved. It keeps all times valid dates:
 * 100 years.
 */
export const MAX_SPAN_MS = 36_525 * 86_400_000;

/** Maximum number of things that one number can ask for: workflows or runs of a seed, results of a run. */
export const MAX_SEEDED = 1_000_000;

/** JSON.stringify is recursive and overflows the stack on values with thousands of levels. */
const MAX_JSON_DEPTH = 500;

/** Whether JSON has more levels than the sandbox keeps. */
export const isTooDeep = (value: unknown, depth = MAX_JSON_DEPTH): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(depth === 0 || Object.values(value).some((inner) => isTooDeep(inner, depth - 1)));

/** Whether JSON.stringify can write a value without loss. Fields that are undefined count as absent. */
export function isJson(value: unknown, depth = MAX_JSON_DEPTH): boolean {
	if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object' || depth === 0) return false;
	return Object.values(value).every((inner) => inner === undefined || isJson(inner, depth - 1));
}
