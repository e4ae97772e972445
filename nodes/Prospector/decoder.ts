/** Converts a value to JSON and back. `decode` throws a TypeError unless the JSON is what `encode` returns. */
export interface JsonCodec<T> {
	encode(value: T): unknown;
	decode(json: unknown): T;
}

/** What a codec converts. */
export type Stored<C> = C extends JsonCodec<infer T> ? T : never;

const plain = <T>(isValid: (json: unknown) => boolean): JsonCodec<T> => ({
	encode: (value) => value,
	decode(json) {
		if (!isValid(json)) throw new TypeError('Invalid JSON');
		return json as T;
	},
});

export const number = plain<number>(Number.isFinite);
export const string = plain<string>((json) => typeof json === 'string');
export const boolean = plain<boolean>((json) => typeof json === 'boolean');
/** True; otherwise the field is absent. */
export const flag = plain<true>((json) => json === true);
export const oneOf = <T extends string>(...values: T[]) =>
	plain<T>((json) => values.some((one) => one === json));

const list = plain<unknown[]>(Array.isArray);
const pair = plain<[unknown, unknown]>((json) => Array.isArray(json) && json.length === 2);

export const pairOf = <T>({ encode, decode }: JsonCodec<T>): JsonCodec<[T, T]> => ({
	encode: ([first, second]) => [encode(first), encode(second)],
	decode(json) {
		const [first, second] = pair.decode(json);
		return [decode(first), decode(second)];
	},
});

/** A Map, stored as a list of its entries: `__proto__` is a key like any other. */
export const mapOf = <T>({ encode, decode }: JsonCodec<T>): JsonCodec<Map<string, T>> => ({
	encode: (map) => [...map].map(([key, value]) => [key, encode(value)]),
	decode(json) {
		const entries = list.decode(json).map(pair.decode);
		return new Map(entries.map(([key, value]) => [string.decode(key), decode(value)]));
	},
});

type Codecs<T> = { [Name in keyof T]: JsonCodec<T[Name]> };

/**
 * An object with required and optional fields, stored as a list of their values, because names would take most of the
 * space. An absent field is null, or left out at the end.
 */
export function fields<Required, Optional = object>(
	required: Codecs<Required>,
	optional?: Codecs<Optional>,
): JsonCodec<Required & Partial<Optional>> {
	const requiredFields = Object.entries<JsonCodec<unknown>>(required);
	const all = [...requiredFields, ...Object.entries<JsonCodec<unknown>>(optional ?? {})];
	return {
		encode(value) {
			const values = new Map<string, unknown>(Object.entries(value));
			const json = all.map(([name, codec]) => {
				const field = values.get(name);
				return field === undefined ? null : codec.encode(field);
			});
			while (json.at(-1) === null) json.pop();
			return json;
		},
		decode(json) {
			const values = list.decode(json);
			const isPresent = (index: number) => index < requiredFields.length || (values[index] ?? null) !== null;
			const present = all.flatMap(([name, codec], index) =>
				isPresent(index) ? [[name, codec.decode(values[index])]] : [],
			);
			return Object.fromEntries(present) as Required & Partial<Optional>;
		},
	};
}

/** Returns the value in JSON text; undefined if the text can't be used. */
export function decodeJsonText<T>({ decode }: JsonCodec<T>, text: unknown): T | undefined {
	try {
		return decode(JSON.parse(string.decode(text)));
	} catch {
		return undefined;
	}
}
