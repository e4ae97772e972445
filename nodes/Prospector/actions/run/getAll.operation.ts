import { endpoints } from '../../transport/request/endpoints';
import { listFields, listOptions, getMany } from '../../parameters/getMany';
import { readWorkflowId, workflowLocator } from '../../parameters/locators';
import { readOptionsField } from '../fields/options';
import { simplifyField } from '../../parameters/outputFields';
import type { Operation } from '../operation';

/** Contract, section 4, operation 8. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many runs of Prospector workflow',
		description: 'List the runs of a Prospector workflow',
	},
	concurrent: true,
	properties: [
		workflowLocator('The Prospector workflow whose runs to list'),
		...listFields,
		simplifyField,
		readOptionsField(...listOptions),
	],
	async execute(itemRun) {
		const workflowId = readWorkflowId(itemRun.context, itemRun.itemIndex);
		return await getMany(itemRun, { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } });
	},
};
