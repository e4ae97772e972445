import { endpoints } from '../../transport/request/endpoints';
import { readWorkflowId, workflowLocator } from '../../parameters/locators';
import { readOptionsField } from '../fields/options';
import { simplifyField } from '../../parameters/outputFields';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';

/** Contract, section 4, operation 4. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get Prospector workflow',
		description: 'Read the name, status and further fields of a Prospector workflow',
	},
	concurrent: true,
	properties: [workflowLocator('The Prospector workflow to read'), simplifyField, readOptionsField()],
	async execute({ context, client, itemIndex }) {
		const { data, requestId } = await client.request({
			endpoint: endpoints.getWorkflow,
			ids: { workflow_id: readWorkflowId(context, itemIndex) },
		});
		return [toOutput(data[0], requestId)];
	},
};
