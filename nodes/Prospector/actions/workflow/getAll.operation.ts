// Workflow › Get Many. Returns no Prospector workflow twice. Tests: test/workflow/operations.test.ts.
import { getManyOptions, queryFilters } from '../../parameters/getManyOptions';
import { selectionWithSimplify } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { getMany } from '../getMany';
import { defineOperation } from '../operation';

export const getManyWorkflows = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many Prospector workflows',
		description: 'List the Prospector workflows of the workspace',
	},
	canRunConcurrently: true,
	parameters: { listOptions: getManyOptions, fieldSelection: selectionWithSimplify(), filters: queryFilters },
	async execute({ listOptions, filters }, itemContext) {
		return await getMany(itemContext, { endpoint: endpoints.listWorkflows }, { ...listOptions, ...filters });
	},
});
