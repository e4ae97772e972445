import type { IDataObject } from 'n8n-workflow';
import { coerceValue } from './coerceValue';
import { field } from './parameter';
import { parseNamedValues } from './parseNamedValues';

/** Fields by name, because n8n's mapper offers only known ones, and the service may take more. */
export const otherFields = field(parseOtherFields, {
	displayName: 'Other Fields',
	name: 'otherFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	displayOptions: { show: { enterValues: ['fields'] } },
	description: 'Fields that are not in the list above. They replace a field of the same name above.',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. industry',
					description: 'Name of the field, spelled as in the service',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Array', value: 'array', description: 'A list, as JSON or an expression' },
						{
							name: 'Automatic',
							value: 'automatic',
							description: 'Typed values as text, expressions as what they return',
						},
						{ name: 'Boolean', value: 'boolean', description: 'True or false' },
						{ name: 'Empty (Null)', value: 'null', description: 'Clears the field' },
						{ name: 'Number', value: 'number', description: 'A number' },
						{ name: 'Object', value: 'object', description: 'A JSON object, typed or as an expression' },
						{ name: 'String', value: 'string', description: 'Text, even if it looks like a number' },
					],
					default: 'automatic',
					description: 'What kind of value to send',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					displayOptions: { hide: { type: ['null'] } },
					description: 'The value to send. If an expression returns nothing, the field is left out.',
				},
			],
		},
	],
});

/** @throws UserError */
function parseOtherFields(collection: unknown, label: string): IDataObject {
	const example = '[{ "name": "industry", "value": "Freight" }]';
	const values = [...parseNamedValues(collection, { label, list: 'field', example })].map(
		([name, { type, value }]): [string, unknown] => [name, coerceValue(value, type, name)],
	);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as IDataObject;
}
