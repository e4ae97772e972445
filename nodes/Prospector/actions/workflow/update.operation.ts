// Workflow › Update. Sends only the values that were entered, unchanged. Tests:
// test/unit/actions/sendWrite.test.ts, test/workflow/operations.test.ts.
import { body } from '../../parameters/body';
import { workflowLocator } from '../../parameters/locators';
import { fieldSelection } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { defineOperation } from '../operation';
import { writeItem } from '../sendWrite';

export const updateWorkflow = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update Prospector workflow',
		description: 'Change some fields of a Prospector workflow and keep the others',
	},
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to update'),
		body,
		fieldSelection: fieldSelection(),
	},
	async execute({ workflowId, body }, itemContext) {
		const request = { endpoint: endpoints.updateWorkflow, ids: { workflow_id: workflowId }, body };
		return await writeItem(itemContext, request);
	},
});
