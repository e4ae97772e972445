import { toOutputItem } from '../../model/resource';
import { body } from '../../parameters/body/body';
import { keyChoice } from '../../parameters/idempotencyKey';
import { fieldSelection } from '../../parameters/outputFields';
import { saveRequestIdOption } from '../../parameters/requestSettings';
import type { ApiRequest } from '../../transport/request/apiRequest';
import { endpoints } from '../../transport/request/endpoints';
import { defineOperation } from '../operation';
import { requestAndSaveId } from '../requestIds';

/** Contract, section 4, operation 3. */
export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create Prospector workflow',
		description: 'Add a Prospector workflow to the workspace; a retry of the same execution adds no other',
	},
	parameters: { body, keyChoice, saveRequestId: saveRequestIdOption, selection: fieldSelection },
	async execute(values, item) {
		const request: ApiRequest = { endpoint: endpoints.createWorkflow, body: values.body };
		const idempotencyKey = item.idempotencyKey(values.keyChoice, 'create', request);
		const { data, requestId } = await requestAndSaveId(
			item,
			{ ...request, idempotencyKey },
			values.saveRequestId,
		);
		return [toOutputItem(data[0], requestId, { idempotency_key: idempotencyKey ?? null })];
	},
});
