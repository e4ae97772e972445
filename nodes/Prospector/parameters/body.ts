// The values that Create and Update send. A value is sent as it was entered, or refused.
import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { NODE_ADDED_FIELDS, READ_ONLY_FIELDS } from '../model/resource';
import { isObject } from '../utils';
import {
	isBlank,
	parseExactJson,
	parseJsonText,
	requireSendableSize,
	type SentValue,
	toExactJson,
} from './exactJson';
import { coerceValue, otherFields, type TypedValue } from './otherFields';
import type { Parameter, RawParameters } from './parameter';
import { requireObject } from './parse';

/** What Create and Update send. */
export interface Body {
	/** As it is sent. */
	json: string;
	values: IDataObject;
}

/** The contract shows none of the fields, so users enter them, or a JSON object. */
export const body: Parameter<Promise<Body>> = {
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
			const parsed =
				typeof jsonBody === 'string' ? await parseJsonText(jsonBody, 'JSON', values.turns) : undefined;
			const object = requireObject(parsed ? parsed.value : jsonBody, 'JSON');
			return { json: parsed?.json ?? toExactJson(object, 'JSON'), values: object };
		}
		const typedValues = new Map([...(await readMapper(values)), ...Object.entries(otherFields.read(values))]);
		const fields: Array<[string, SentValue]> = [];
		let length = 0;
		for (const [name, typedValue] of typedValues) {
			const sentValue = await coerceValue(typedValue, name, values.turns);
			length += name.length + sentValue.json.length;
			requireSendableSize(typedValues.size, length, 'Fields');
			fields.push([name, sentValue]);
		}
		return {
			json: `{${fields.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join()}}`,
			values: Object.fromEntries(fields.map(([name, { value }]) => [name, value])) as IDataObject,
		};
	},
};

/** Returns the values that were set, or in automatic mode the input item's own fields. @throws UserError */
async function readMapper({ getField, input, turns }: RawParameters): Promise<Array<[string, TypedValue]>> {
	const parseObject = async (value: unknown) => {
		const isText = typeof value === 'string';
		return requireObject(isText ? await parseExactJson(value, 'Fields', turns) : value, 'Fields');
	};
	const mapper = await parseObject(getField('fields', {}));
	const { mappingMode, value, schema } = mapper;
	if (mappingMode === 'autoMapInputData') {
		const entries = filledEntries(input).map(([name, field]): [string, TypedValue] => [
			name,
			{ value: field },
		]);
		return entries.filter(([name]) => ![...READ_ONLY_FIELDS, ...NODE_ADDED_FIELDS].includes(name));
	}
	// An agent or an expression can return the values alone.
	const isMapper = mappingMode !== undefined || isObject(value);
	const values = isMapper ? await parseObject(value ?? {}) : mapper;
	const fields = (Array.isArray(schema) ? schema.filter(isObject) : []) as unknown as ResourceMapperField[];
	const typesByName = new Map(fields.map(({ id, type }) => [id, type]));
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
