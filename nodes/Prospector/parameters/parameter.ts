import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** Parameters of a node for one input item, as n8n returns them. */
export interface ParameterValues {
	field(name: string, fallback?: unknown): unknown;
	/** Returns an entry of Options; undefined if it was not added. */
	option(name: string): unknown;
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

export const field = <T>(parse: Parse<T>, property: INodeProperties): Parameter<T> => ({
	fields: [property],
	read: (values) => parse(values.field(property.name, property.default), property.displayName),
});

/** A parameter with one entry of Options, whose default applies if it was not added or is empty. */
export const option = <T>(parse: Parse<T>, property: INodeProperties): Parameter<T> => ({
	options: [property],
	read(values) {
		const value = values.option(property.name);
		return parse(isEmpty(value) ? property.default : value, property.displayName);
	},
});

/** Like {@link option}, but undefined if it was not added or is empty. */
export const optionalOption = <T>(parse: Parse<T>, property: INodeProperties): Parameter<T | undefined> => ({
	options: [property],
	read(values) {
		const value = values.option(property.name);
		return isEmpty(value) ? undefined : parse(value, property.displayName);
	},
});

export const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Returns the fields and options of several parameters, for one that is read from all of them. */
export const fieldsAndOptions = (parameters: Array<Parameter<unknown>>) => ({
	fields: parameters.flatMap(({ fields = [] }) => fields),
	options: parameters.flatMap(({ options = [] }) => options),
});

/** @throws UserError when a value can't be used */
export const readParameters = <P extends Parameters>(parameters: P, values: ParameterValues): ValuesOf<P> =>
	Object.fromEntries(
		Object.entries(parameters).map(([name, parameter]) => [name, parameter.read(values)]),
	) as ValuesOf<P>;

/** Returns the properties of n8n's editor: fields in the order of the parameters, then Options by name. */
export function propertiesOf(parameters: Parameters): INodeProperties[] {
	const { fields, options } = fieldsAndOptions(Object.values(parameters));
	const optionsByName = new Map(options.map((one) => [one.name, one]));
	return [
		...fields,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [...optionsByName.values()].sort((a, b) => a.displayName.localeCompare(b.displayName)),
		},
	];
}
