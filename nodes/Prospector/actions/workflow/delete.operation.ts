import { endpoints } from '../../transport/request/endpoints';
import { readWorkflowId, workflowLocator } from '../../parameters/locators';
import { optionsField } from '../fields/options';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';

/** Contract, section 4, operation 6. Named `remove` since `delete` is a reserved word. */
export const remove: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete Prospector workflow',
		description: 'Remove a Prospector workflow and return what it was',
	},
	properties: [workflowLocator('The Prospector workflow to delete'), optionsField()],
	async execute({ context, client, itemIndex }) {
		const { data, requestId } = await client.request({
			endpoint: endpoints.deleteWorkflow,
			ids: { workflow_id: readWorkflowId(context, itemIndex) },
		});
		return [toOutput(data[0], requestId, { deleted: true })];
	},
};
