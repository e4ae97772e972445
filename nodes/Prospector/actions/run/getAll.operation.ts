import { getManyOptions } from '../../parameters/getMany';
import { workflowLocator } from '../../parameters/locators';
import { simplifiedSelection } from '../../parameters/outputFields';
import { endpoints } from '../../transport/request/endpoints';
import { getMany } from '../getMany';
import { defineOperation } from '../operation';

/** Contract, section 4, operation 8. */
export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many runs of Prospector workflow',
		description: 'List the runs of a Prospector workflow',
	},
	concurrent: true,
	parameters: {
		workflowId: workflowLocator('The Prospector workflow whose runs to list'),
		list: getManyOptions,
		selection: simplifiedSelection,
	},
	async execute({ workflowId, list }, item) {
		return await getMany(item, { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } }, list);
	},
});
