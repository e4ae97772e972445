// Workflow › Create. Creates at most one Prospector workflow per item, for an execution and its retries together.
// Tests: test/workflow/operations.test.ts, test/workflow/startedRuns.test.ts.
import { body } from '../../parameters/body';
import { preventDuplicates } from '../../parameters/preventDuplicates';
import { fieldSelection } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { defineOperation } from '../operation';
import { addBodyHints } from './bodyHints';
import { createResource } from '../createResource';

/** Contract, section 4, operation 3. */
export const createWorkflow = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create Prospector workflow',
		description: 'Add a Prospector workflow to the workspace',
	},
	parameters: { body, preventDuplicates, fieldSelection: fieldSelection() },
	async execute(values, itemContext) {
		addBodyHints(itemContext, values.body);
		const request = { endpoint: endpoints.createWorkflow, body: values.body.json };
		const { name } = values.body.values;
		const createdWorkflow = await createResource(itemContext, request, values.preventDuplicates, name);
		return [createdWorkflow.outputItem];
	},
});
