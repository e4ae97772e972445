import { endpoints } from '../../transport/request/endpoints';
import { bodyFields, readBody } from '../../parameters/body/bodyFields';
import { readWorkflowId, workflowLocator } from '../../parameters/locators';
import { optionsField } from '../fields/options';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';

/** Contract, section 4, operation 5. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update Prospector workflow',
		description: 'Change the given fields of a Prospector workflow and leave the others alone',
	},
	properties: [workflowLocator('The Prospector workflow to change'), ...bodyFields, optionsField()],
	async execute({ context, client, itemIndex }) {
		const { data, requestId } = await client.request({
			endpoint: endpoints.updateWorkflow,
			ids: { workflow_id: readWorkflowId(context, itemIndex) },
			body: readBody(context, itemIndex),
		});
		return [toOutput(data[0], requestId)];
	},
};
