import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ApiRequest } from '../transport/failure/failure';
import { checkIdempotencyKey, deriveIdempotencyKey } from '../transport/request/idempotencyKey';
import { typeLabel } from '../transport/values';
import { endpointPath } from '../transport/path';
import { stableExecutionId, relativeRunIndex } from '../actions/stableExecutionId';
import type { HintCollector } from '../actions/hintCollector';
import { aboutKeysNotSent } from '../messages/hintMessages';
import { valueOrThrow } from '../actions/fields/unwrap';

export const idempotencyKeyOptions: INodeProperties[] = [
	{
		displayName: 'Idempotency Key',
		name: 'idempotencyKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. daily-leads-{{ $today.toISODate() }}',
		description:
			'Requests with the same key are carried out once, whichever execution sends them. With several items, put something of the item into it.',
	},
	{
		displayName: 'Idempotency Key Mode',
		name: 'idempotencyKeyMode',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Once per execution, node, loop round and item, however often it is retried',
			},
			{ name: 'Custom', value: 'custom', description: 'Once per key that you give, such as one per day' },
			{ name: 'None', value: 'none', description: 'Every request counts: a retry may do it again' },
		],
		default: 'automatic',
		description: 'What keeps a retry from doing the same thing twice',
	},
];

/**
 * The key for one item's write, made once, before the first try.
 *
 * @returns undefined where none is to be sent
 * @throws NodeOperationError when a custom key cannot be sent
 */
export function readIdempotencyKey(
	context: IExecuteFunctions,
	operation: string,
	call: ApiRequest,
	itemIndex: number,
	notes: HintCollector,
): string | undefined {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const { idempotencyKey: key } = options;
	// Whoever adds a key and leaves the mode alone means it to be used, an empty one included: to send an automatic
	// key in its place would start what the person wanted to be started once.
	const mode = options.idempotencyKeyMode || ('idempotencyKey' in options ? 'custom' : 'automatic');
	if (mode === 'none') return undefined;
	if (mode === 'custom') return valueOrThrow(context, checkIdempotencyKey(key ?? ''));
	if (mode !== 'automatic') {
		return valueOrThrow(context, {
			message:
				typeof mode === 'string'
					? `'Idempotency Key Mode' has no choice '${mode}'`
					: `'Idempotency Key Mode' holds ${typeLabel(mode)}, which is none of its choices`,
			description: 'Choose automatic, custom or none',
		});
	}
	if (key !== undefined && key !== '') notes.keysNotUsed++;
	const execution = stableExecutionId(context, itemIndex);
	if (execution === undefined) {
		if (notes.keysNotSent++ === 0) context.logger.warn(`${context.getNode().name}: ${aboutKeysNotSent(1)}`);
		return undefined;
	}
	return deriveIdempotencyKey({
		instanceId: context.getInstanceId(),
		workflowId: context.getWorkflow().id ?? '',
		execution,
		nodeId: context.getNode().id || context.getNode().name,
		operation,
		path: endpointPath(call.endpoint, call.ids),
		runIndex: relativeRunIndex(context, itemIndex),
		itemIndex,
	});
}
