import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isProblem, kindOf, type Checked } from '../../transport/checked';
import { isObject } from '../../transport/reply';
import { unwrap } from './unwrap';

/** Fields that the service sets itself (contract, section 2.2), and those that this node adds to its items. */
export const READ_ONLY_FIELDS = ['id', 'object', 'created_at', 'updated_at'];
const OWN_FIELDS = [
	'request_id',
	'idempotency_key',
	'deleted',
	'error_details',
	'run_id',
	'run_request_id',
	'run_status',
];

/** The body of Create and Update: picked fields, or a JSON object. The contract shows none of its fields. */
export const bodyFields: INodeProperties[] = [
	{
		displayName: 'Specify Body',
		name: 'specifyBody',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to give the values of the Prospector workflow',
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
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
		displayOptions: { show: { specifyBody: ['fields'] } },
		description:
			"The values to send, with fields learned from your workspace's own workflows. Only what is set is sent. Use JSON for a field that is not listed.",
	},
	{
		displayName: 'JSON',
		name: 'jsonBody',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "name": "Logistics companies in Austria" }',
		displayOptions: { show: { specifyBody: ['json'] } },
		description: 'The values to send, as a JSON object or an expression that gives one',
	},
];

/**
 * The body that the fields above describe for one item.
 *
 * @throws NodeOperationError when it is not a JSON object
 */
export function readBody(context: IExecuteFunctions, itemIndex: number): IDataObject {
	if (context.getNodeParameter('specifyBody', itemIndex, 'fields') === 'json') {
		return unwrap(context, checkJsonObject(context.getNodeParameter('jsonBody', itemIndex, '{}')));
	}
	const mapper: unknown = context.getNodeParameter('fields', itemIndex, {});
	const input = context.getInputData()[itemIndex]?.json ?? {};
	return unwrap(context, mappedBody(mapper, input));
}

/**
 * The values of a resource mapper: what was set, or in automatic mode the item without what only the service sets.
 *
 * @param mapper the parameter's value
 * @param input the input item's data
 */
export function mappedBody(mapper: unknown, input: IDataObject): Checked<IDataObject> {
	const parsed = checkJsonObject(mapper, 'Fields');
	if (isProblem(parsed)) return parsed;
	const { mappingMode, value } = parsed.value;
	if (mappingMode === 'autoMapInputData') {
		const withheld = [...READ_ONLY_FIELDS, ...OWN_FIELDS];
		return { value: pick(input, (name) => !withheld.includes(name)) };
	}
	// An agent or an expression may give the values themselves.
	const values = mappingMode !== undefined || isObject(value) ? (value ?? {}) : parsed.value;
	const checked = checkJsonObject(values, 'Fields');
	if (isProblem(checked)) return checked;
	// The editor keeps a null for every field that is shown and left empty.
	return { value: pick(checked.value, (name) => checked.value[name] !== null) };
}

/**
 * Checks a JSON body: text or an expression's object.
 *
 * @param label the field as it is shown
 */
export function checkJsonObject(value: unknown, label = 'JSON'): Checked<IDataObject> {
	let parsed = value;
	if (typeof value === 'string') {
		try {
			parsed = JSON.parse(value);
		} catch {
			return {
				message: `'${label}' is not valid JSON`,
				description: `Check quotation marks, commas and brackets. To send no values, enter {}`,
			};
		}
	}
	if (isObject(parsed) && !isDate(parsed)) return { value: parsed };
	return {
		message: `'${label}' holds ${isDate(parsed) ? 'a date' : kindOf(parsed)} where an object is expected`,
		description: `Put the values into an object, e.g. { "name": "Logistics companies in Austria" }`,
	};
}

/** A date of any library is an object to JavaScript, and text to JSON. */
const isDate = (value: unknown) => isObject(value) && typeof value.toJSON === 'function';

function pick(values: IDataObject, wanted: (name: string) => boolean): IDataObject {
	return Object.fromEntries(
		Object.entries(values).filter(([name, value]) => value !== undefined && wanted(name)),
	);
}
