// Workflow › Delete. A retry succeeds if an earlier attempt has deleted the Prospector workflow. Tests:
// test/unit/actions/sendWrite.test.ts, test/workflow/operations.test.ts.
import { workflowLocator } from '../../parameters/locators';
import { endpoints } from '../../api/endpoints';
import { defineOperation } from '../operation';
import { writeItem } from '../sendWrite';

export const deleteWorkflow = defineOperation({
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete Prospector workflow',
		description: 'Remove a Prospector workflow from the workspace',
	},
	parameters: { workflowId: workflowLocator('The Prospector workflow to delete') },
	async execute({ workflowId }, itemContext) {
		const request = { endpoint: endpoints.deleteWorkflow, ids: { workflow_id: workflowId } };
		return await writeItem(itemContext, request, {
			addDerivedFields: (workflow) => ({ ...workflow, deleted: true }),
		});
	},
});
