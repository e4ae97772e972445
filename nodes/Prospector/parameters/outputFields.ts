import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NODE_ADDED_FIELDS } from '../model/resource';
import { field, fieldsAndOptions, option, type Parameter } from './parameter';
import { parseBoolean, stringList } from './parse';

export interface FieldSelection {
	/** Whether to return only {@link SIMPLIFIED_FIELDS}. */
	simplify: boolean;
	/** Fields to return, instead of what `simplify` keeps; undefined if none is named. */
	fields?: string[];
}

const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Field names; undefined if none is named. */
export const fieldNames = (property: Pick<INodeProperties, 'name' | 'placeholder' | 'description'>) =>
	option(parseFieldNames, { displayName: 'Fields to Return', type: 'string', default: '', ...property });

function parseFieldNames(value: unknown, label: string): string[] | undefined {
	const names = stringList('name, status')(value, label);
	// toOutputItem renames this field.
	const renamed = names.map((name) => (name === 'error' ? 'error_details' : name));
	return renamed.length > 0 ? renamed : undefined;
}

/** @param isSimplified the default of Simplify */
export function selectionOf(
	isSimplified: boolean,
	fields: Parameter<string[] | undefined>,
): Parameter<FieldSelection> {
	const simplify = field(parseBoolean, { ...simplifyProperty, default: isSimplified });
	return {
		...fieldsAndOptions([simplify, fields]),
		read: (values) => ({ simplify: simplify.read(values), fields: fields.read(values) }),
	};
}

const outputFields = fieldNames({
	name: 'outputFields',
	placeholder: 'e.g. name, status',
	description:
		'The only fields to return of each item, separated by commas; the ID and what this node adds, such as request_id, always come along. Replaces Simplify.',
});

export const simplifiedSelection = selectionOf(false, outputFields);

export const fieldSelection: Parameter<FieldSelection> = {
	options: outputFields.options,
	read: (values) => ({ simplify: false, fields: outputFields.read(values) }),
};

/** Contract, section 2.3. */
const SIMPLIFIED_FIELDS = ['name', 'status', 'workflow_id', 'lead_id', 'company_name', 'timezone', 'states'];

const ALWAYS_INCLUDED = new Set(['id', ...NODE_ADDED_FIELDS]);

/** Returns an item with the selected fields, in its own order. */
export function selectFields(
	item: IDataObject,
	{ simplify: isSimplified, fields }: FieldSelection,
): IDataObject {
	if (fields === undefined && !isSimplified) return item;
	const selected = new Set(fields ?? SIMPLIFIED_FIELDS);
	// The order of lists is not documented, so only this field tells which run is the newest.
	if (fields === undefined && 'workflow_id' in item) selected.add('created_at');
	return Object.fromEntries(
		Object.entries(item).filter(([name]) => selected.has(name) || ALWAYS_INCLUDED.has(name)),
	);
}

export function unknownFields(items: IDataObject[], { fields = [] }: FieldSelection): string[] {
	return items.length === 0 ? [] : fields.filter((name) => !items.some((item) => Object.hasOwn(item, name)));
}
