import { toOutputItem } from '../../model/resource';
import { body } from '../../parameters/body/body';
import { keyChoice } from '../../parameters/idempotencyKey';
import { fieldSelection } from '../../parameters/outputFields';
import { saveRequestIdOption } from '../../parameters/requestSettings';
import { endpoints } from '../../transport/request/endpoints';
import { defineOperation } from '../operation';
import { requestOnce } from '../requestIds';

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
		const request = { endpoint: endpoints.createWorkflow, body: values.body };
		const { data, requestId, idempotencyKey } = await requestOnce(item, 'create', request, values);
		return [toOutputItem(data[0], requestId, { idempotency_key: idempotencyKey ?? null })];
	},
});
