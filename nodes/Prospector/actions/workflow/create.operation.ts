import { endpoints } from '../../transport/request/endpoints';
import type { ApiRequest } from '../../transport/failure/failure';
import { bodyFields, readBody } from '../../parameters/body/bodyFields';
import { idempotencyKeyOptions, readIdempotencyKey } from '../../parameters/idempotencyKey';
import { optionsField } from '../fields/options';
import { saveRequestIdOption } from '../fields/saveRequestId';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';
import { requestAndSaveId } from '../tracing/tracedCall';

/** Contract, section 4, operation 3. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create Prospector workflow',
		description: 'Add a Prospector workflow to the workspace; a retry of the same execution adds no other',
	},
	properties: [...bodyFields, optionsField(...idempotencyKeyOptions, saveRequestIdOption)],
	async execute(itemRun) {
		const { context, itemIndex, notes } = itemRun;
		const call: ApiRequest = { endpoint: endpoints.createWorkflow, body: readBody(context, itemIndex) };
		const idempotencyKey = readIdempotencyKey(context, 'create', call, itemIndex, notes);
		const { data, requestId } = await requestAndSaveId(itemRun, { ...call, idempotencyKey });
		return [toOutput(data[0], requestId, { idempotency_key: idempotencyKey ?? null })];
	},
};
