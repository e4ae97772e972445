import type { FieldSelection } from '../model/resource';
import { field, fieldsAndOptions, option, type Parameter } from './parameter';
import { stringList, toggle } from './parse';

const simplify = field(toggle, {
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** Which fields to return. @param placeholder an example of field names */
export function fieldSelection(placeholder = 'e.g. name, status'): Parameter<FieldSelection> {
	const { options, read } = option(stringList('name, status'), {
		displayName: 'Fields to Return',
		name: 'fieldsToReturn',
		placeholder,
		description: 'Fields to keep, separated by commas. ID and request ID always stay. Replaces Simplify.',
	});
	return { options, read: (values) => ({ simplify: false, fields: read(values) }) };
}

/** Like {@link fieldSelection}, with *Simplify*. */
export function selectionWithSimplify(placeholder?: string): Parameter<FieldSelection> {
	const fieldsToReturn = fieldSelection(placeholder);
	return {
		...fieldsAndOptions([simplify, fieldsToReturn]),
		read: (values) => ({ ...fieldsToReturn.read(values), simplify: simplify.read(values) }),
	};
}

export const RESULT_FIELDS_EXAMPLE = 'e.g. lead_id, company_name';
