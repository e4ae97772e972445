// Converts values to compact JSON and back. Used by the trigger to store its state: `decode` rejects values of another
// type, and ignores those that a newer version may have added. Tests: test/unit/trigger/state.test.ts.

/** `decode` throws a TypeError unless the JSON is what `encode` returns. */
export interface JsonCodec<T> {
	encode(value: T): unknown;
	decode(json: unknown): T;
}

/** What a codec converts. */
export type CodecValue<C> = C extends JsonCodec<infer T> ? T : never;

const createPlainCodec = <T>(isValid: (json: unknown) => boolean): JsonCodec<T> => ({
	encode: (value) => value,
	decode(json) {
		if (!isValid(json)) throw new TypeError('Invalid JSON');
		return json as T;
	},
});

export const number = createPlainCodec<number>(Number.isFinite);
export const string = createPlainCodec<string>((json) => typeof json === 'string');
/** True; otherwise the field is absent. */
export const flag = createPlainCodec<true>((json) => json === true);

const list = createPlainCodec<unknown[]>(Array.isArray);
const pair = createPlainCodec<[unknown, unknown]>((json) => Array.isArray(json) && json.length === 2);

/** A key and its value. */
export const entryOf = <T>({ encode, decode }: JsonCodec<T>): JsonCodec<[string, T]> => ({
	encode: ([key, value]) => [key, encode(value)],
	decode(json) {
		const [key, value] = pair.decode(json);
		return [string.decode(key), decode(value)];
	},
});

/** A Map, stored as a list of its entries: `__proto__` is a key like any other. */
export function mapOf<T>(codec: JsonCodec<T>): JsonCodec<Map<string, T>> {
	const entry = entryOf(codec);
	return {
		encode: (map) => [...map].map(entry.encode),
		decode: (json) => new Map(list.decode(json).map(entry.decode)),
	};
}

type FieldCodecs<T> = { [Name in keyof T]: JsonCodec<T[Name]> };

/**
 * An object with required and optional fields, stored as a list of their values, because names would take most of the
 * space. An absent field is null, or left out at the end.
 */
export function objectOf<RequiredFields, OptionalFields = object>(
	required: FieldCodecs<RequiredFields>,
	optional?: FieldCodecs<OptionalFields>,
): JsonCodec<RequiredFields & Partial<OptionalFields>> {
	const requiredFields = Object.entries<JsonCodec<unknown>>(required);
	const allFields = [...requiredFields, ...Object.entries<JsonCodec<unknown>>(optional ?? {})];
	return {
		encode(value) {
			const values = new Map<string, unknown>(Object.entries(value));
			const json = allFields.map(([name, codec]) => {
				const fieldValue = values.get(name);
				return fieldValue === undefined ? null : codec.encode(fieldValue);
			});
			while (json.at(-1) === null) json.pop();
			return json;
		},
		decode(json) {
			const values = list.decode(json);
			const isPresent = (index: number) => index < requiredFields.length || (values[index] ?? null) !== null;
			const presentEntries = allFields.flatMap(([name, codec], index) =>
				isPresent(index) ? [[name, codec.decode(values[index])]] : [],
			);
			return Object.fromEntries(presentEntries) as RequiredFields & Partial<OptionalFields>;
		},
	};
}
