// Workflow › Create. Creates at most one Prospector workflow per item, for an execution and its retries together.
// Tests: test/workflow/operations.test.ts, test/workflow/startedRuns.test.ts.
import { body } from '../../parameters/body';
import { preventDuplicates } from '../../parameters/preventDuplicates';
import { fieldSelection } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { defineOperation } from '../operation';
import { writeItem } from '../sendWrite';

export const createWorkflow = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create Prospector workflow',
		description: 'Add a Prospector workflow to the workspace',
	},
	parameters: { body, preventDuplicates, fieldSelection: fieldSelection() },
	async execute({ body, preventDuplicates }, itemContext) {
		const request = { endpoint: endpoints.createWorkflow, body };
		return await writeItem(itemContext, request, { preventDuplicates });
	},
});
