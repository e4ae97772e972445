import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isInvalid, type Validated } from '../../messages/userMessage';
import { isObject, typeLabel } from '../../transport/values';
import { checkJsonObject, parseJson } from '../json';
import { fromText } from './mappedBody';

const LABEL = 'Additional Fields';

/** Fields by hand: n8n's mapper offers only what was learned, and the service may take more. */
export const additionalFieldsField: INodeProperties = {
	displayName: LABEL,
	name: 'additionalFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	displayOptions: { show: { specifyBody: ['fields'] } },
	description:
		'Fields that are not listed above, by name. A field that is also set above is sent as it is here.',
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
					description: 'The name of the field, as the service spells it',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Array', value: 'array', description: 'A list, as JSON or from an expression' },
						{
							name: 'As Given',
							value: 'asGiven',
							description: 'What is typed as text, else what the expression gives',
						},
						{ name: 'Boolean', value: 'boolean', description: 'True or false' },
						{ name: 'Null', value: 'null', description: 'No value, which may clear the field' },
						{ name: 'Number', value: 'number' },
						{ name: 'Object', value: 'object', description: 'A JSON object, typed or from an expression' },
						{ name: 'String', value: 'string', description: 'Always text, also of a number' },
					],
					default: 'asGiven',
					description: 'What kind of value to send',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					displayOptions: { hide: { type: ['null'] } },
					description:
						'The value to send. The field is left out when an expression gives nothing, such as a value that the item lacks.',
				},
			],
		},
	],
};

/**
 * The values of the fields that were added by hand.
 *
 * @param collection the parameter's value
 */
export function additionalValues(collection: unknown): Validated<IDataObject> {
	const entries = entriesOf(collection);
	if (isInvalid(entries)) return entries;
	const values = new Map<string, unknown>();
	for (const entry of entries.value) {
		const { name: given, type, value } = isObject(entry) ? entry : {};
		const name = typeof given === 'string' ? given.trim() : '';
		if (name === '') return { message: `A field in '${LABEL}' has no name`, description: NAME_IT };
		if (values.has(name)) {
			return {
				message: `'${name}' stands twice in '${LABEL}'`,
				description: 'Remove one of the two, so that it is clear which value to send',
			};
		}
		const checked = typedValue(value, type, name);
		if (isInvalid(checked)) return checked;
		values.set(name, checked.value);
	}
	const set = [...values].filter(([, value]) => value !== undefined);
	return { value: Object.fromEntries(set) as IDataObject };
}

/** As the editor keeps them; an agent or an expression may also give the list of them alone, or JSON text. */
function entriesOf(collection: unknown): Validated<unknown[]> {
	const given =
		typeof collection === 'string' && collection.trim() ? parseJson(collection, LABEL) : undefined;
	if (given && isInvalid(given)) return given;
	const value = given ? given.value : collection || {};
	if (Array.isArray(value)) return { value };
	const checked = checkJsonObject(value, LABEL);
	if (isInvalid(checked)) return { ...checked, description: FIELDS_ADVICE };
	const { field = [], ...others } = checked.value;
	if (Object.keys(others).length === 0) return { value: [field].flat() };
	return {
		message: `'${LABEL}' holds '${Object.keys(others)[0]}' where a list of fields is expected`,
		description: FIELDS_ADVICE,
	};
}

const FIELDS_ADVICE = 'Give each field its name and value, e.g. [{ "name": "industry", "value": "Freight" }]';

const NAME_IT = "Enter the field's name as the service spells it, or remove the entry";

/** @returns undefined for what is not to be sent */
function typedValue(value: unknown, type: unknown, name: string): Validated<unknown> {
	if (type === 'null') return { value: null };
	// NaN would become null on its way.
	if (value === undefined || value === null || Number.isNaN(value)) return { value: undefined };
	switch (type) {
		case 'array':
		case 'boolean':
		case 'number':
		case 'object':
			return typeof value === 'string' ? fromText(value, type, name) : sameKind(value, type, name);
		case 'string':
			return ['object', 'function', 'symbol'].includes(typeof value)
				? notOfType(value, 'text', name)
				: { value: String(value) };
		default:
			return { value };
	}
}

const EXPECTED = { array: 'a list', boolean: 'a boolean', number: 'a number', object: 'an object' } as const;

function sameKind(value: unknown, type: keyof typeof EXPECTED, name: string): Validated<unknown> {
	const kind = Array.isArray(value) ? 'array' : typeof value;
	return kind === type ? { value } : notOfType(value, EXPECTED[type], name);
}

const notOfType = (value: unknown, expected: string, name: string): Validated<unknown> => ({
	message: `'${name}' in '${LABEL}' holds ${typeLabel(value)} where ${expected} is expected`,
	description: "Change the value, or its 'Type'",
});
