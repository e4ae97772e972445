// The values that Create and Update send. A value that was entered is sent unchanged, or refused.
import type { IDataObject } from 'n8n-workflow';
import { throwUserError, isDate, typeLabel } from '../messages/userMessage';
import { NODE_ADDED_FIELDS, READ_ONLY_FIELDS } from '../model/resource';
import type { Turns } from '../transport/turns';
import { isObject } from '../utils';
import {
	parseExactNumber,
	parseJsonText,
	requireExactNumber,
	requireSendableSize,
	toExactJson,
} from './exactJson';
import { field, isBlank, type Parameter, type RawParameters } from './parameter';
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

/** The JSON text that Create and Update send. The contract shows none of the fields, so users enter them, or JSON. */
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
			const fieldJson = `${JSON.stringify(name)}:${await toFieldJson(typedValue, name, values.turns)}`;
			length += fieldJson.length;
			requireSendableSize({ fieldCount: typedValues.size, length }, 'Fields');
			fields.push(fieldJson);
		}
		return `{${fields.join()}}`;
	},
};

/** Fields that are not the person's own. */
const ADDED_FIELDS = [...READ_ONLY_FIELDS, ...NODE_ADDED_FIELDS];

/** Returns the values that were set, or in automatic mode the input item's own fields. @throws UserError */
function readMapper({ getField, input, isTool }: RawParameters): Array<[string, TypedValue]> {
	const mapper = requireObject(getField('fields', {}), 'Fields');
	const { mappingMode, value, schema } = mapper;
	if (mappingMode === 'autoMapInputData') {
		// n8n adds fields of the agent and the model to a tool's input (n8n-behaviour.md#ai-agents).
		if (isTool)
			throwUserError(
				"A tool can't map 'Fields' automatically",
				"Let the model fill in single fields, or 'JSON'",
			);
		const ownFields = filledEntries(input).filter(([name]) => !ADDED_FIELDS.includes(name));
		return ownFields.map(([name, field]) => [name, { value: field }]);
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
	requireSendableSize({ fieldCount: Object.keys(values).length }, 'Fields');
	return Object.entries(values).filter(([, value]) => !isBlank(value));
}

/** How JSON of each type begins, what it is called, and how to enter it. Values of other types are sent as they are. */
const EXPECTED_VALUES = new Map<unknown, { start: RegExp; label: string; advice: string }>([
	['array', { start: /^\[/, label: 'a list', advice: 'Enter JSON such as ["a", "b"]' }],
	['boolean', { start: /^[tf]/, label: 'true or false', advice: 'Enter one of them' }],
	['number', { start: /^[\d-]/, label: 'a number', advice: 'Enter a number' }],
	['object', { start: /^\{/, label: 'an object', advice: 'Enter JSON such as { "a": 1 }' }],
	['string', { start: /^"/, label: 'text', advice: 'Use a value inside it' }],
]);

/**
 * Returns a value as JSON of the type of its field.
 *
 * @param name of the field
 * @throws UserError if it is not of the type, or can't be sent as it is
 */
export async function toFieldJson(
	{ value: enteredValue, type }: TypedValue,
	name: string,
	turns: Turns,
): Promise<string> {
	const expected = EXPECTED_VALUES.get(type);
	const { value, json = toExactJson(value, name) } = await toTypedValue(enteredValue, type, name, turns);
	if (expected === undefined || expected.start.test(json)) return json;
	return throwUserError(
		`'${name}' is ${typeLabel(value)} instead of ${expected.label}`,
		`${expected.advice}, or set 'Enter Values' to Using JSON`,
	);
}

/** Returns the value itself if it can't be of the type. @throws UserError for invalid JSON, and for a number with other digits */
async function toTypedValue(
	value: unknown,
	type: unknown,
	name: string,
	turns: Turns,
): Promise<{ value: unknown; json?: string }> {
	if (type === 'string' && typeof value === 'number') return { value: `${requireExactNumber(value, name)}` };
	if (type === 'string' && typeof value === 'boolean') return { value: `${value}` };
	if (typeof value !== 'string') return { value };
	if (type === 'array' || type === 'object') return await parseJsonText(value, name, turns);
	if (type === 'number') return { value: parseExactNumber(value, name) ?? value };
	const word = value.trim().toLowerCase();
	return { value: type === 'boolean' && ['true', 'false'].includes(word) ? word === 'true' : value };
}

/** Returns an entry of *Other Fields*; undefined to leave it out. */
function parseEntry({ type, value }: IDataObject): TypedValue | undefined {
	if (type === 'null') return { value: null };
	return isBlank(value) ? undefined : { value, type };
}

/** @throws UserError unless the value is an object */
function requireObject(value: unknown, label: string): IDataObject {
	if (isObject(value) && !isDate(value)) return value;
	return throwUserError(
		`'${label}' is ${typeLabel(value)} instead of an object`,
		'Enter an object, e.g. { "name": "Logistics companies in Austria" }',
	);
}
