import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Validated } from '../../messages/userMessage';
import { additionalFieldsField, additionalValues } from './additionalFields';
import { checkJsonObject } from '../json';
import { mappedBody } from './mappedBody';
import { checkSerializable } from './serializable';
import { stripToolFields } from './toolInput';
import { valueOrThrow } from '../../actions/fields/unwrap';

/** The body of Create and Update: picked and added fields, or a JSON object. The contract shows none of its fields. */
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
			"The values to send, with fields learned from your workspace's own workflows. Only what is set is sent.",
	},
	additionalFieldsField,
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
 * @throws NodeOperationError when it is not a JSON object, or can't be sent as one
 */
export function readBody(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const sendable = (checked: Validated<IDataObject>, label: string) =>
		valueOrThrow(context, checkSerializable(valueOrThrow(context, checked), label));
	if (context.getNodeParameter('specifyBody', itemIndex, 'fields') === 'json') {
		return sendable(checkJsonObject(context.getNodeParameter('jsonBody', itemIndex, '{}')), 'JSON');
	}
	const mapper: unknown = context.getNodeParameter('fields', itemIndex, {});
	const input = context.getInputData()[itemIndex]?.json ?? {};
	const mapped = sendable(mappedBody(mapper, stripToolFields(input, context.getNode())), 'Fields');
	const added: unknown = context.getNodeParameter('additionalFields', itemIndex, {});
	return { ...mapped, ...sendable(additionalValues(added), 'Additional Fields') };
}
