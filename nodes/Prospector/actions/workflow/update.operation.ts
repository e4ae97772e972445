import { toOutputItem } from '../../model/resource';
import { body } from '../../parameters/body/body';
import { workflowLocator } from '../../parameters/locators';
import { fieldSelection } from '../../parameters/outputFields';
import { endpoints } from '../../transport/request/endpoints';
import { defineOperation } from '../operation';

/** Contract, section 4, operation 5. */
export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update Prospector workflow',
		description: 'Change the given fields of a Prospector workflow and leave the others alone',
	},
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to change'),
		body,
		selection: fieldSelection,
	},
	async execute(values, { client }) {
		const { data, requestId } = await client.request({
			endpoint: endpoints.updateWorkflow,
			ids: { workflow_id: values.workflowId },
			body: values.body,
		});
		return [toOutputItem(data[0], requestId)];
	},
});
