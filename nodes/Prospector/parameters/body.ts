import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { NODE_ADDED_FIELDS, READ_ONLY_FIELDS } from '../model/resource';
import { definedFields, isObject } from '../utils';
import type { Parameter } from './parameter';
import { coerceValue, otherFields } from './otherFields';
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
			builderHint: { propertyHint: "Use 'json' and jsonBody, or 'fields' if the user wants a form" },
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
					refreshIncompleteSchemaOnOpen: true,
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
		if (values.getField('enterValues', 'fields') === 'json') {
			return requireSerializable(parseJsonObject(values.getField('jsonBody', '{}'), 'JSON'), 'JSON');
		}
		const fields = requireSerializable(parseMapper(values.getField('fields', {}), values.input), 'Fields');
		return { ...fields, ...requireSerializable(otherFields.read(values) as IDataObject, 'Other Fields') };
	},
};

/** Returns the values that were set, or in automatic mode the input item's own fields. @throws UserError */
function parseMapper(mapper: unknown, input: IDataObject): IDataObject {
	const mapperObject = parseJsonObject(mapper, 'Fields');
	const { mappingMode, value, schema } = mapperObject;
	if (mappingMode === 'autoMapInputData') {
		return definedFields(input, [...READ_ONLY_FIELDS, ...NODE_ADDED_FIELDS]);
	}
	// An agent or an expression can return the values alone.
	const isMapper = mappingMode !== undefined || isObject(value);
	// The editor stores null for every field that is shown and left empty.
	const values = definedFields(parseJsonObject(isMapper ? (value ?? {}) : mapperObject, 'Fields'));
	const fields = (Array.isArray(schema) ? schema.filter(isObject) : []) as unknown as ResourceMapperField[];
	const typesByName = new Map(fields.map(({ id, type }) => [id, type]));
	// The editor stores typed values as text.
	const coercedEntries = Object.entries(values).map(([name, fieldValue]) => [
		name,
		typeof fieldValue === 'string' ? coerceValue(fieldValue, typesByName.get(name), name) : fieldValue,
	]);
	return Object.fromEntries(coercedEntries) as IDataObject;
}
