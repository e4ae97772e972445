// What a parameter is: its field in the editor, its default and its parser together. All parameters of both nodes are
// built with it. Tests: test/unit/parameters/executionOptions.test.ts, test/unit/description.test.ts.
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Turns } from '../transport/turns';
import { isObject } from '../utils';

/** Parameters of a node for one input item, as n8n returns them. */
export interface RawParameters {
	getField(name: string, fallback?: unknown): unknown;
	input: IDataObject;
	isTool: boolean;
	/** For work on what was entered. */
	turns: Turns;
}

/** One value that an operation or the trigger needs: how the editor asks for it, and how it is read. */
export interface Parameter<T> {
	/** Fields that are always shown. */
	fields?: INodeProperties[];
	/** Entries of Options. */
	options?: INodeProperties[];
	/** @throws UserError when the value can't be used */
	read(values: RawParameters): T;
}

export type ParameterMap = Record<string, Parameter<unknown>>;

export type ValuesOf<P extends ParameterMap> = {
	[Name in keyof P]: NonNullable<P[Name]> extends Parameter<infer T> ? Awaited<T> : never;
};

/** A kind of value. */
export interface ValueKind<T> {
	/** How the editor asks for it, besides what the parameter itself says. */
	property?: Partial<INodeProperties>;
	/** @param label the field's name in the editor. @throws UserError */
	parse(value: unknown, label: string): T;
}

type Property = Partial<INodeProperties> & Pick<INodeProperties, 'displayName' | 'name'>;

const propertyOf = (kind: ValueKind<unknown>, property: Property) =>
	({ ...kind.property, ...property }) as INodeProperties;

/** Display conditions of a field that only a tool has, and of one that a tool does not have. */
export const onlyForTool = { show: { '@tool': [true] } };
export const hiddenForTool = { hide: onlyForTool.show };

/**
 * A tool's parameter that the model defines by default, as the editor writes it; '' for another caller.
 *
 * @param valueName what the model calls the value
 * @param hint tells the model what to pass
 */
export const fieldFilledByModel = <T>(
	{ parse }: Pick<ValueKind<T>, 'parse'>,
	property: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	valueName: string,
	hint: string,
): Parameter<T> => ({
	fields: [
		{
			...property,
			type: 'string',
			default: `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${valueName}', \`${hint}\`, 'string', '') }}`,
			displayOptions: onlyForTool,
		},
	],
	read(values) {
		const value = values.isTool ? values.getField(property.name, '') : '';
		return parse(isWordForNothing(value) ? '' : value, property.displayName);
	},
});

/** Whether a model has written that there is no value. */
const isWordForNothing = (value: unknown): boolean =>
	typeof value === 'string' && /^\s*(?:none|nothing|null|undefined)\s*$/i.test(value);

export function field<T>(kind: ValueKind<T>, definition: Property): Parameter<T> {
	const property = propertyOf(kind, definition);
	return {
		fields: [property],
		read: (values) => kind.parse(values.getField(property.name, property.default), property.displayName),
	};
}

/** A parameter with one entry of Options, whose default applies if it was not added or is empty. */
export function option<T>(kind: ValueKind<T>, definition: Property): Parameter<T> {
	const { options, read } = maybeOption(kind, definition);
	const { default: defaultValue, displayName } = propertyOf(kind, definition);
	return { options, read: (values) => read(values) ?? kind.parse(defaultValue, displayName) };
}

/** Like {@link option}, but undefined if it was not added or is empty. */
export const maybeOption = <T>(kind: ValueKind<T>, definition: Property): Parameter<T | undefined> => ({
	options: [propertyOf(kind, definition)],
	read(values) {
		const value = readOption(values, definition.name);
		return isBlank(value) ? undefined : kind.parse(value, definition.displayName);
	},
});

/** Returns an entry of Options; undefined if it was not added. */
export function readOption({ getField }: RawParameters, name: string): unknown {
	const options = getField('options', {});
	return isObject(options) ? new Map(Object.entries(options)).get(name) : undefined;
}

/** Whether nothing was entered. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Returns the fields and options of several parameters, for one that is read from all of them. */
export const fieldsAndOptions = (parameters: Array<Parameter<unknown>>) => ({
	fields: parameters.flatMap(({ fields = [] }) => fields),
	options: parameters.flatMap(({ options = [] }) => options),
});

/** Several parameters as one. */
export const groupParameters = <P extends ParameterMap>(parameters: P): Parameter<ValuesOf<P>> => ({
	...fieldsAndOptions(Object.values(parameters)),
	read: (values) =>
		Object.fromEntries(
			Object.entries(parameters).map(([name, parameter]) => [name, parameter.read(values)]),
		) as ValuesOf<P>,
});

/** @throws UserError when a value can't be used */
export async function readParameters<P extends ParameterMap>(
	parameters: P,
	values: RawParameters,
): Promise<ValuesOf<P>> {
	const entries = Object.entries(parameters).map(
		async ([name, parameter]) => [name, await parameter.read(values)] as const,
	);
	return Object.fromEntries(await Promise.all(entries)) as ValuesOf<P>;
}

/**
 * Returns the properties of n8n's editor: fields in the order of the parameters, then Options in alphabetical order,
 * but an option that is shown for a value of another option comes after that option.
 */
export function propertiesOf(parameters: ParameterMap): INodeProperties[] {
	const { fields, options } = fieldsAndOptions(Object.values(parameters));
	const optionsByName = new Map(options.map((entry) => [entry.name, entry]));
	const sortKeyOf = ({ displayName, displayOptions }: INodeProperties): string => {
		const [controllingName = ''] = Object.keys(displayOptions?.show ?? {});
		const controllingOption = optionsByName.get(controllingName);
		return controllingOption ? `${controllingOption.displayName} › ${displayName}` : displayName;
	};
	return [
		...fields,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [...optionsByName.values()].sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1)),
		},
	];
}
