import { fail, typeLabel } from '../messages/userMessage';
import { jsonTypeOf } from '../utils';
import { namedValues } from './namedValues';
import { field } from './parameter';
import { parseJson } from './parse';

/** Fields by name, because n8n's mapper offers only known ones, and the service may take more. */
export const otherFields = field(
	namedValues(
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
		'[{ "name": "industry", "value": "Freight" }]',
		({ type, value }, name) => coerceValue(value, type, name),
	),
	{
		displayName: 'Other Fields',
		name: 'otherFields',
		displayOptions: { show: { enterValues: ['fields'] } },
		description: 'Fields that are not in the list above. They replace a field of the same name above.',
	},
);

/** The types of fields whose values are checked, for messages. */
const CHECKED_TYPES = new Map<unknown, { label: string; advice: string }>([
	['array', { label: 'a list', advice: 'Enter JSON such as ["a", "b"]' }],
	['boolean', { label: 'true or false', advice: 'Enter one of them' }],
	['number', { label: 'a number', advice: 'Enter a number' }],
	['object', { label: 'an object', advice: 'Enter JSON such as { "a": 1 }' }],
]);

/** Returns text as the type of its field. @param name of the field @throws UserError */
export function coerceText(text: string, type: unknown, name: string): unknown {
	const checkedType = CHECKED_TYPES.get(type);
	if (checkedType === undefined) return text;
	const value = parseTypedText(text, type, name);
	if (jsonTypeOf(value) === type) return value;
	return fail(
		`'${name}' is ${typeLabel(value)} instead of ${checkedType.label}`,
		`${checkedType.advice}, or set 'Enter Values' to Using JSON`,
	);
}

/** Returns the text itself if it is no number, or neither true nor false. */
function parseTypedText(text: string, type: unknown, name: string): unknown {
	if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
	if (type !== 'boolean') return parseJson(text, name);
	const word = text.trim().toLowerCase();
	return word === 'true' || word === 'false' ? word === 'true' : text;
}

/** Returns an entry of *Other Fields* as the type chosen there; undefined to leave it out. @throws UserError */
function coerceValue(value: unknown, type: unknown, name: string): unknown {
	if (type === 'null') return null;
	// NaN would become null in JSON.
	if (value === undefined || value === null || Number.isNaN(value)) return undefined;
	const isText = typeof value === 'string';
	const checkedType = CHECKED_TYPES.get(type);
	if (checkedType && isText) return coerceText(value, type, name);
	const isValid = checkedType
		? jsonTypeOf(value) === type
		: type !== 'string' || !['object', 'function', 'symbol'].includes(typeof value);
	if (!isValid) {
		fail(
			`'${name}' in 'Other Fields' is not ${checkedType?.label ?? 'text'}`,
			"Change the value or its 'Type'",
		);
	}
	return type === 'string' ? String(value) : value;
}
