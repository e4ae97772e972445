import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { NODE_ADDED_FIELDS, READ_ONLY_FIELDS } from '../model/resource';
import { isObject } from '../utils';
import type { Parameter } from './parameter';
import { coerceText, otherFields } from './otherFields';
import { parseJsonObject, requireSerializable } from './parse';

/** The body of Create and Update. The contract shows none of its fields, so users enter them, or a JSON object. */
export const body: Parameter<IDataObject> = {
	fields: [
		{
			displayName: 'Enter Values',
			name: 'enterValues',
			type: 'options',
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
			default: 'fields',
			description: 'How to enter the values of the Prospector workflow',
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: 'getWorkflowFields',
					mode: 'add',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: true,
					supportAutoMap: true,
				},
			},
			displayOptions: { show: { enterValues: ['fields'] } },
			description: 'Fields found in your existing Prospector workflows. Empty ones are not sent.',
		},
		...(otherFields.fields ?? []),
		{
			displayName: 'JSON',
			name: 'jsonBody',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "name": "Logistics companies in Austria" }',
			displayOptions: { show: { enterValues: ['json'] } },
			description: 'The values as a JSON object',
		},
	],
	read(values) {
		if (values.field('enterValues', 'fields') === 'json') {
			return requireSerializable(parseJsonObject(values.field('jsonBody', '{}'), 'JSON'), 'JSON');
		}
		const mapped = requireSerializable(parseMapper(values.field('fields', {}), values.input), 'Fields');
		return { ...mapped, ...requireSerializable(otherFields.read(values) as IDataObject, 'Other Fields') };
	},
};

/** Returns the values that were set, or in automatic mode the input item's own fields. @throws UserError */
function parseMapper(mapper: unknown, input: IDataObject): IDataObject {
	const object = parseJsonObject(mapper, 'Fields');
	const { mappingMode, value, schema } = object;
	if (mappingMode === 'autoMapInputData') {
		return definedEntries(input, [...READ_ONLY_FIELDS, ...NODE_ADDED_FIELDS]);
	}
	// An agent or an expression can return the values alone.
	const isMapper = mappingMode !== undefined || isObject(value);
	const values = definedEntries(parseJsonObject(isMapper ? (value ?? {}) : object, 'Fields'));
	const fields = (Array.isArray(schema) ? schema.filter(isObject) : []) as unknown as ResourceMapperField[];
	const types = new Map(fields.map(({ id, type }) => [id, type]));
	// The editor stores typed values as text.
	const coerced = Object.entries(values).map(([name, field]) => [
		name,
		typeof field === 'string' ? coerceText(field, types.get(name), name) : field,
	]);
	return Object.fromEntries(coerced) as IDataObject;
}

/** The editor stores null for every field that is shown and left empty. */
const definedEntries = (values: IDataObject, omitted: string[] = []) =>
	Object.fromEntries(
		Object.entries(values).filter(
			([name, value]) => value !== undefined && value !== null && !omitted.includes(name),
		),
	);
