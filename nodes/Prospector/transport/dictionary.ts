/** Exists in the type only: it keeps plain objects from passing for dictionaries. */
declare const NULL_PROTOTYPE: unique symbol;

/**
 * Values by keys that can be any text, such as ids. It has no prototype, so `__proto__` and `constructor` are ordinary
 * keys. JSON.parse and structuredClone return plain objects: pass their entries to {@link createDictionary}.
 */
export type Dictionary<T> = Record<string, T> & { readonly [NULL_PROTOTYPE]: true };

export function createDictionary<T>(entries: Iterable<readonly [string, T]> = []): Dictionary<T> {
	return Object.assign(Object.create(null) as Dictionary<T>, Object.fromEntries(entries));
}
