// The values that Create and Update send. A value is sent as it was entered, or refused.
import type { IDataObject } from 'n8n-workflow';
import { fail, isDate, typeLabel } from '../messages/userMessage';
import { NODE_ADDED_FIELDS, READ_ONLY_FIELDS } from '../model/resource';
import type { Turns } from '../transport/turns';
import { definedFields, isObject, jsonTypeOf } from '../utils';
import {
	isBlank,
	parseExactNumber,
	parseJsonText,
	requireExactNumber,
	requireSendableSize,
	type SentValue,
	toExactJson,
	toPlainValue,
} from './exactJson';
import { field, type Parameter, type RawParameters } from './parameter';
import { entryField, namedValues } from './parse';

interface TypedValue {
	value: unknown;
	/** As n8n's mapper or *Other Fields* names it. */
	type?: unknown;
}

/** Fields by name: the mapper has only known ones, and the service may take more (contract, section 4). */
const otherFields = field(
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

/** What Create and Update send, as JSON. The contract shows none of the fields, so users enter them, or a JSON object. */
export const body: Parameter<Promise<string>> = {
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
					// Otherwise, n8n says that there are none (n8n-behaviour.md#editor).
					noFieldsError: 'The fields could not be loaded. Open the credential to test it.',
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
	async read(values) {
		if (values.getField('enterValues', 'fields') === 'json') {
			const jsonBody = values.getField('jsonBody', '{}');
			const isText = typeof jsonBody === 'string';
			const { value, json } = isText
				? await parseJsonText(jsonBody, 'JSON', values.turns)
				: { value: jsonBody };
			const object = requireObject(value, 'JSON');
			return json ?? toExactJson(object, 'JSON');
		}
		const typedValues = new Map([...readMapper(values), ...Object.entries(otherFields.read(values))]);
		const fields: string[] = [];
		let length = 0;
		for (const [name, typedValue] of typedValues) {
			const { json } = await coerceValue(typedValue, name, values.turns);
			length += name.length + json.length;
			requireSendableSize(typedValues.size, length, 'Fields');
			fields.push(`${JSON.stringify(name)}:${json}`);
		}
		return `{${fields.join()}}`;
	},
};

/** Returns the values that were set, or in automatic mode the input item's own fields. @throws UserError */
function readMapper({ getField, input }: RawParameters): Array<[string, TypedValue]> {
	const mapper = requireObject(getField('fields', {}), 'Fields');
	const { mappingMode, value, schema } = mapper;
	if (mappingMode === 'autoMapInputData') {
		const ownFields = definedFields(input, [...READ_ONLY_FIELDS, ...NODE_ADDED_FIELDS]);
		return filledEntries(ownFields).map(([name, field]) => [name, { value: field }]);
	}
	// An agent or an expression can return the values alone.
	const isMapper = mappingMode !== undefined || isObject(value);
	const values = isMapper ? requireObject(value ?? {}, 'Fields') : mapper;
	const fields: IDataObject[] = Array.isArray(schema) ? schema.filter(isObject) : [];
	const typesByName = new Map<unknown, unknown>(fields.map(({ id, type }) => [id, type]));
	// The editor stores lists and objects as JSON text (n8n-behaviour.md#editor).
	return filledEntries(values).map(([name, field]) => [
		name,
		{ value: field, type: typeof field === 'string' ? typesByName.get(name) : undefined },
	]);
}

/** Returns the fields that are not blank: the editor stores null for empty ones (n8n-behaviour.md#editor). */
function filledEntries(values: IDataObject) {
	requireSendableSize(Object.keys(values).length, 0, 'Fields');
	return Object.entries(values).filter(([, value]) => !isBlank(value));
}

/** What a value of each type is called, and how to enter one. Values of other types are sent as they are. */
const EXPECTED_VALUES = new Map<unknown, { label: string; advice: string }>([
	['array', { label: 'a list', advice: 'Enter JSON such as ["a", "b"]' }],
	['boolean', { label: 'true or false', advice: 'Enter one of them' }],
	['number', { label: 'a number', advice: 'Enter a number' }],
	['object', { label: 'an object', advice: 'Enter JSON such as { "a": 1 }' }],
	['string', { label: 'text', advice: 'Use a value inside it' }],
]);

/**
 * Returns a value as the type of its field, converted from text.
 *
 * @param name of the field
 * @throws UserError if it is not of the type, or can't be sent as it is
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

/** @throws UserError unless the value is an object */
function requireObject(value: unknown, label: string): IDataObject {
	if (isObject(value) && !isDate(value)) return value;
	return fail(
		`'${label}' is ${typeLabel(value)} instead of an object`,
		'Enter an object, e.g. { "name": "Logistics companies in Austria" }',
	);
}
