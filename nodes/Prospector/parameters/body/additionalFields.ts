import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { invalid, typeLabel } from '../../messages/userMessage';
import { isObject } from '../../utils';
import { parseJson } from '../json';
import { coerceText } from '../parse';

const LABEL = 'Additional Fields';

/** Fields by name, because n8n's mapper offers only known ones, and the service may take more. */
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

/** @throws UserError */
export function parseAdditionalFields(collection: unknown): IDataObject {
	const values = new Map<string, unknown>();
	for (const entry of entriesOf(collection)) {
		const { name: rawName, type, value } = isObject(entry) ? entry : {};
		const name = typeof rawName === 'string' ? rawName.trim() : '';
		if (name === '') {
			invalid(
				`A field in '${LABEL}' has no name`,
				"Enter the field's name as the service spells it, or remove the entry",
			);
		}
		if (values.has(name)) {
			invalid(
				`'${name}' stands twice in '${LABEL}'`,
				'Remove one of the two, so that it is clear which value to send',
			);
		}
		values.set(name, coerceValue(value, type, name));
	}
	return Object.fromEntries([...values].filter(([, value]) => value !== undefined)) as IDataObject;
}

const FIELDS_ADVICE = 'Give each field its name and value, e.g. [{ "name": "industry", "value": "Freight" }]';

/** An agent or an expression can return n8n's object, a list of fields, or the JSON text of either. */
function entriesOf(collection: unknown): unknown[] {
	const isText = typeof collection === 'string' && collection.trim() !== '';
	const value = isText ? parseJson(collection, LABEL) : collection || {};
	if (Array.isArray(value)) return value;
	if (!isObject(value)) {
		return invalid(`'${LABEL}' holds ${typeLabel(value)} where an object is expected`, FIELDS_ADVICE);
	}
	const { field = [], ...others } = value;
	if (Object.keys(others).length === 0) return [field].flat();
	return invalid(
		`'${LABEL}' holds '${Object.keys(others)[0]}' where a list of fields is expected`,
		FIELDS_ADVICE,
	);
}

const TYPE_LABELS = { array: 'a list', boolean: 'a boolean', number: 'a number', object: 'an object' };

/** Returns undefined for a value that must not be sent. */
function coerceValue(value: unknown, type: unknown, name: string): unknown {
	if (type === 'null') return null;
	// NaN would become null in JSON.
	if (value === undefined || value === null || Number.isNaN(value)) return undefined;
	const reject = (expected: string) =>
		invalid(
			`'${name}' in '${LABEL}' holds ${typeLabel(value)} where ${expected} is expected`,
			"Change the value, or its 'Type'",
		);
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
