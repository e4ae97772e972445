// The parameter for fields that the editor does not know, and the types of values. Used by Create and Update; a value
// of another type is refused. Tests: test/unit/parameters/body.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { fail, typeLabel } from '../messages/userMessage';
import type { Turns } from '../transport/turns';
import { jsonTypeOf } from '../utils';
import {
	isBlank,
	parseExactNumber,
	parseJsonText,
	requireExactNumber,
	type SentValue,
	toExactJson,
	toPlainValue,
} from './exactJson';
import { entryField, namedValues } from './namedValues';
import { field } from './parameter';

export interface TypedValue {
	value: unknown;
	/** As n8n's mapper or *Other Fields* names it. */
	type?: unknown;
}

/** Fields by name: the mapper has only known ones, and the service may take more (contract, section 4). */
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
		parseEntry,
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

/**
 * Returns a value as the type of its field, converted from text. @param name of the field @throws UserError if it is not
 * of the type, or can't be sent as it is
 */
export async function coerceValue(
	{ value: enteredValue, type }: TypedValue,
	name: string,
	turns: Turns,
): Promise<SentValue> {
	const expected = EXPECTED_VALUES.get(type);
	const value = toPlainValue(enteredValue) ?? enteredValue;
	const isText = typeof value === 'string';
	const { value: typedValue, json } = isText ? await parseTypedText(value, type, name, turns) : { value };
	if (expected !== undefined && jsonTypeOf(typedValue) !== type) {
		fail(
			`'${name}' is ${typeLabel(typedValue)} instead of ${expected.label}`,
			`${expected.advice}, or set 'Enter Values' to Using JSON`,
		);
	}
	return { value: typedValue, json: json ?? toExactJson(typedValue, name) };
}

/** Returns the text itself if it is not of the type. @throws UserError for invalid JSON, and for a number with other digits */
async function parseTypedText(
	text: string,
	type: unknown,
	name: string,
	turns: Turns,
): Promise<{ value: unknown; json?: string }> {
	if (type === 'array' || type === 'object') return await parseJsonText(text, name, turns);
	const word = text.trim().toLowerCase();
	if (type === 'number') return { value: parseExactNumber(text, name) ?? text };
	return { value: type === 'boolean' && ['true', 'false'].includes(word) ? word === 'true' : text };
}

/** Returns an entry of *Other Fields*; undefined to leave it out. @throws UserError */
function parseEntry({ type, value }: IDataObject, name: string): TypedValue | undefined {
	if (type === 'null') return { value: null };
	if (isBlank(value)) return undefined;
	const isNumber = typeof value === 'number';
	if (type !== 'string' || !(isNumber || typeof value === 'boolean')) return { value, type };
	return { value: String(isNumber ? requireExactNumber(value, name) : value), type };
}
