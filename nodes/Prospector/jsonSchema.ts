/** Returns a value parsed from JSON if it is valid. @throws Error */
export type Decoder<T> = (value: unknown) => T;

const decoder =
	<T>(isValid: (value: unknown) => boolean): Decoder<T> =>
	(value) => {
		if (!isValid(value)) throw new TypeError('Invalid JSON');
		return value as T;
	};

export const number = decoder<number>(Number.isFinite);
export const string = decoder<string>((value) => typeof value === 'string');
export const boolean = decoder<boolean>((value) => typeof value === 'boolean');
export const oneOf = <T extends string>(...values: T[]) =>
	decoder<T>((value) => values.some((one) => one === value));

const list = decoder<unknown[]>(Array.isArray);
const pair = decoder<[unknown, unknown]>((value) => Array.isArray(value) && value.length === 2);
const record = decoder<object>((value) => typeof value === 'object' && value !== null);

export const pairOf =
	<T>(item: Decoder<T>): Decoder<[T, T]> =>
	(value) => {
		const [first, second] = pair(value);
		return [item(first), item(second)];
	};

/** A Map, stored as a list of its entries: `__proto__` is a key like any other. */
export const mapOf =
	<T>(item: Decoder<T>): Decoder<Map<string, T>> =>
	(value) =>
		new Map(
			list(value)
				.map(pair)
				.map(([key, content]) => [string(key), item(content)]),
		);

type Decoders<T> = { [Name in keyof T]: Decoder<T[Name]> };

/** An object with required and optional fields. Other fields are dropped. */
export function object<Required, Optional = object>(
	required: Decoders<Required>,
	optional?: Decoders<Optional>,
): Decoder<Required & Partial<Optional>> {
	const requiredFields = Object.entries<Decoder<unknown>>(required);
	const optionalFields = Object.entries<Decoder<unknown>>(optional ?? {});
	return (value) => {
		const fields = new Map(Object.entries(record(value)));
		const present = [...requiredFields, ...optionalFields.filter(([name]) => fields.has(name))];
		const decoded = present.map(([name, decode]) => [name, decode(fields.get(name))]);
		return Object.fromEntries(decoded) as Required & Partial<Optional>;
	};
}

/** Parses JSON text, and checks every field. Returns undefined if it can't be used. */
export function parseAs<T>(decode: Decoder<T>, text: unknown): T | undefined {
	try {
		return decode(JSON.parse(string(text)));
	} catch {
		return undefined;
	}
}
