import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { invalid } from '../../messages/userMessage';
import { parseNamedValues } from '../namedValues';
import { coerceText } from '../parse';

const LABEL = 'Other Fields';

/** Fields by name, because n8n's mapper offers only known ones, and the service may take more. */
export const otherFieldsField: INodeProperties = {
	displayName: LABEL,
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
};

const FIELD = { label: LABEL, list: 'field', example: '[{ "name": "industry", "value": "Freight" }]' };

/** @throws UserError */
export function parseOtherFields(collection: unknown): IDataObject {
	const values = [...parseNamedValues(collection, FIELD)].map(
		([name, { type, value }]): [string, unknown] => [name, coerceValue(value, type, name)],
	);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as IDataObject;
}

const TYPE_LABELS = { array: 'a list', boolean: 'true or false', number: 'a number', object: 'an object' };

/** Returns undefined for a value that must not be sent. */
function coerceValue(value: unknown, type: unknown, name: string): unknown {
	if (type === 'null') return null;
	// NaN would become null in JSON.
	if (value === undefined || value === null || Number.isNaN(value)) return undefined;
	const reject = (expected: string) =>
		invalid(`'${name}' in '${LABEL}' is not ${expected}`, "Change the value or its 'Type'");
	switch (type) {
		case 'array':
		case 'boolean':
		case 'number':
		case 'object': {
			if (typeof value === 'string') return coerceText(value, type, name);
			const actual = Array.isArray(value) ? 'array' : typeof value;
			return actual === type ? value : reject(TYPE_LABELS[type]);
		}
		case 'string':
			return ['object', 'function', 'symbol'].includes(typeof value) ? reject('text') : String(value);
		default:
			return value;
	}
}
