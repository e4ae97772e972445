import { fail, typeLabel } from '../messages/userMessage';
import { jsonTypeOf } from '../utils';
import { entryField, namedValues } from './namedValues';
import { field } from './parameter';
import { parseJson } from './parse';

/** Fields by name, because n8n's mapper offers only known ones, and the service may take more. */
export const otherFields = field(
	namedValues(
		{
			displayName: 'Field',
			name: 'field',
			values: [
				entryField('Name', 'Name of the field, spelled as in the service', { placeholder: 'e.g. industry' }),
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
				entryField('Value', 'The value to send. If an expression returns nothing, the field is left out.', {
					displayOptions: { hide: { type: ['null'] } },
				}),
			],
		},
		'[{ "name": "industry", "value": "Freight" }]',
		({ type, value }, name) => coerceEntry(value, type, name),
	),
	{
		displayName: 'Other Fields',
		name: 'otherFields',
		displayOptions: { show: { enterValues: ['fields'] } },
		description: 'Fields that are not in the list above. They replace a field of the same name above.',
	},
);

/** What a value of each type is called, and how to enter one. Values of other types are sent as they are. */
const EXPECTED_VALUES = new Map<unknown, { label: string; advice: string }>([
	['array', { label: 'a list', advice: 'Enter JSON such as ["a", "b"]' }],
	['boolean', { label: 'true or false', advice: 'Enter one of them' }],
	['number', { label: 'a number', advice: 'Enter a number' }],
	['object', { label: 'an object', advice: 'Enter JSON such as { "a": 1 }' }],
	['string', { label: 'text', advice: 'Use a value inside it' }],
]);

/** Returns a value as the type of its field, converted from text. @param name of the field @throws UserError */
export function coerceValue(value: unknown, type: unknown, name: string): unknown {
	const expected = EXPECTED_VALUES.get(type);
	const typedValue = typeof value === 'string' ? parseTypedText(value, type, name) : value;
	if (expected === undefined || jsonTypeOf(typedValue) === type) return typedValue;
	return fail(
		`'${name}' is ${typeLabel(typedValue)} instead of ${expected.label}`,
		`${expected.advice}, or set 'Enter Values' to Using JSON`,
	);
}

/** Returns the text itself if it is not of the type. @throws UserError for invalid JSON */
function parseTypedText(text: string, type: unknown, name: string): unknown {
	if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
	if (type === 'array' || type === 'object') return parseJson(text, name);
	if (type !== 'boolean') return text;
	const word = text.trim().toLowerCase();
	return ['true', 'false'].includes(word) ? word === 'true' : text;
}

/** Returns an entry of *Other Fields* as the type chosen there; undefined to leave it out. @throws UserError */
function coerceEntry(value: unknown, type: unknown, name: string): unknown {
	if (type === 'null') return null;
	// NaN would become null in JSON.
	if (value === undefined || value === null || Number.isNaN(value)) return undefined;
	const isConvertible = type === 'string' && ['number', 'boolean'].includes(typeof value);
	return isConvertible ? String(value) : coerceValue(value, type, name);
}
