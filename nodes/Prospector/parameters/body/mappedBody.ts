import type { FieldType, IDataObject, ResourceMapperField } from 'n8n-workflow';
import { isInvalid, type Validated } from '../../messages/userMessage';
import { READ_ONLY_FIELDS } from '../../transport/readOnlyFields';
import { isObject, typeLabel } from '../../transport/values';
import { checkJsonObject, parseJson } from '../json';

/** What this node adds to its items, and the service has not asked for. */
export const NODE_ADDED_FIELDS = [
	'request_id',
	'idempotency_key',
	'deleted',
	'error_details',
	'next_cursor',
	'previous_status',
	'run_id',
	'run_request_id',
	'run_status',
];

/**
 * The values of a resource mapper: what was set, or in automatic mode the item without what only the service sets.
 *
 * @param mapper the parameter's value
 * @param input the input item's data
 */
export function mappedBody(mapper: unknown, input: IDataObject): Validated<IDataObject> {
	const parsed = checkJsonObject(mapper, 'Fields');
	if (isInvalid(parsed)) return parsed;
	const { mappingMode, value, schema } = parsed.value;
	if (mappingMode === 'autoMapInputData') {
		const withheld = [...READ_ONLY_FIELDS, ...NODE_ADDED_FIELDS];
		return { value: pick(input, (name, field) => !withheld.includes(name) && field !== null) };
	}
	// An agent or an expression may give the values themselves.
	const values = mappingMode !== undefined || isObject(value) ? (value ?? {}) : parsed.value;
	const checked = checkJsonObject(values, 'Fields');
	if (isInvalid(checked)) return checked;
	// The editor keeps a null for every field that is shown and left empty.
	const set = pick(checked.value, (_, field) => field !== null);
	return convert(
		set,
		Array.isArray(schema) ? (schema.filter(isObject) as unknown as ResourceMapperField[]) : [],
	);
}

function pick(values: IDataObject, wanted: (name: string, value: unknown) => boolean): IDataObject {
	return Object.fromEntries(
		Object.entries(values).filter(([name, value]) => value !== undefined && wanted(name, value)),
	);
}

/** The editor keeps what was typed as text, whatever the type of the field. */
function convert(values: IDataObject, schema: ResourceMapperField[]): Validated<IDataObject> {
	const types = new Map(schema.map(({ id, type }) => [id, type]));
	const converted: Array<[string, unknown]> = [];
	for (const [name, value] of Object.entries(values)) {
		const field = typeof value === 'string' ? fromText(value, types.get(name), name) : { value };
		if (isInvalid(field)) return field;
		converted.push([name, field.value]);
	}
	return { value: Object.fromEntries(converted) as IDataObject };
}

/** Text as the type that the workspace's own workflows have in this field. */
export function fromText(text: string, type: FieldType | undefined, name: string): Validated<unknown> {
	if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text)))
		return { value: Number(text) };
	if (type === 'boolean' && /^(?:true|false)$/i.test(text.trim())) return { value: /true/i.test(text) };
	if (type === 'object' || type === 'array') {
		const parsed = parseJson(text, name);
		if (isInvalid(parsed)) return parsed;
		const fits = type === 'array' ? Array.isArray(parsed.value) : isObject(parsed.value);
		if (fits) return parsed;
		return {
			message: `'${name}' holds ${typeLabel(parsed.value)} where ${type === 'array' ? 'a list' : 'an object'} is expected`,
			description: `Enter JSON such as ${type === 'array' ? '["a", "b"]' : '{ "a": 1 }'}, or use 'JSON' under 'Specify Body'`,
		};
	}
	if (type === 'number' || type === 'boolean') {
		return {
			message: `'${name}' holds text where a ${type} is expected`,
			description: `Enter ${type === 'number' ? 'a number' : 'true or false'}, or use 'JSON' under 'Specify Body'`,
		};
	}
	return { value: text };
}
