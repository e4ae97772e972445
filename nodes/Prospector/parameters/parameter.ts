import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** Parameters of a node for one input item, as n8n returns them. */
export interface ParameterValues {
	field(name: string, fallback?: unknown): unknown;
	/** Returns an entry of Options; undefined if it was not added. */
	option(name: string): unknown;
	/** Whether an entry of Options was added, even if an expression returned nothing for it. */
	hasOption(name: string): boolean;
	input: IDataObject;
}

/** One value that an operation or the trigger needs: how the editor asks for it, and how it is read. */
export interface Parameter<T> {
	/** Fields that are always shown. */
	fields?: INodeProperties[];
	/** Entries of Options. */
	options?: INodeProperties[];
	/** @throws UserError when the value can't be used */
	read(values: ParameterValues): T;
}

export type Parameters = Record<string, Parameter<unknown>>;

export type ValuesOf<P extends Parameters> = {
	[Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** @param label the field's name in the editor */
type Parse<T> = (value: unknown, label: string) => T;

export const field = <T>(property: INodeProperties, parse: Parse<T>): Parameter<T> => ({
	fields: [property],
	read: (values) => parse(values.field(property.name, property.default), property.displayName),
});

/** A parameter with one entry of Options, whose default applies if it was not added or is empty. */
export const option = <T>(property: INodeProperties, parse: Parse<T>): Parameter<T> => ({
	options: [property],
	read: (values) => parse(optionOrUndefined(values, property.name) ?? property.default, property.displayName),
});

/** Returns an entry of Options; undefined if it was not added or is empty. */
export function optionOrUndefined(values: ParameterValues, name: string): unknown {
	const value = values.option(name);
	return value === '' || value === null ? undefined : value;
}

/** @throws UserError when a value can't be used */
export const readAll = <P extends Parameters>(parameters: P, values: ParameterValues): ValuesOf<P> =>
	Object.fromEntries(
		Object.entries(parameters).map(([name, parameter]) => [name, parameter.read(values)]),
	) as ValuesOf<P>;

/** Returns the properties of n8n's editor: fields in the order of the parameters, then Options by name. */
export function propertiesOf(parameters: Parameters): INodeProperties[] {
	const all = Object.values(parameters);
	const options = new Map(all.flatMap((parameter) => parameter.options ?? []).map((one) => [one.name, one]));
	return [
		...all.flatMap((parameter) => parameter.fields ?? []),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [...options.values()].sort((a, b) => a.displayName.localeCompare(b.displayName)),
		},
	];
}
