import type { FieldSelection } from '../model/selectFields';
import { field, fieldsAndOptions, option, type Parameter } from './parameter';
import { parseBoolean, stringList } from './parse';

const simplify = field(parseBoolean, {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const fieldsToReturn = (placeholder: string) =>
	option(parseFieldNames, {
		displayName: 'Fields to Return',
		name: 'fieldsToReturn',
		type: 'string',
		default: '',
		placeholder,
		description: 'Fields to keep, separated by commas. ID and request ID always stay. Replaces Simplify.',
	});

function parseFieldNames(value: unknown, label: string): string[] | undefined {
	const names = stringList('name, status')(value, label);
	// toOutputItem renames this field.
	const renamed = names.map((name) => (name === 'error' ? 'error_details' : name));
	return renamed.length > 0 ? renamed : undefined;
}

/** Which fields to return. @param placeholder an example of field names */
export function fieldSelection(placeholder = 'e.g. name, status'): Parameter<FieldSelection> {
	const fields = fieldsToReturn(placeholder);
	return { options: fields.options, read: (values) => ({ simplify: false, fields: fields.read(values) }) };
}

/** Like {@link fieldSelection}, with *Simplify*. */
export function selectionWithSimplify(placeholder?: string): Parameter<FieldSelection> {
	const selection = fieldSelection(placeholder);
	return {
		...fieldsAndOptions([simplify, selection]),
		read: (values) => ({ ...selection.read(values), simplify: simplify.read(values) }),
	};
}

export const RESULT_FIELDS_EXAMPLE = 'e.g. lead_id, company_name';
