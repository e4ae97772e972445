// Workflow › Get. Returns the Prospector workflow with the requested ID, or fails. Tests:
// test/unit/actions/router.test.ts, test/workflow/operations.test.ts.
import { workflowLocator } from '../../parameters/locators';
import { selectionWithSimplify } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { defineOperation, requestResource } from '../operation';

export const getWorkflow = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get Prospector workflow',
		description: 'Read the name, status and other fields of one Prospector workflow',
	},
	canRunConcurrently: true,
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to get'),
		fieldSelection: selectionWithSimplify(),
	},
	async execute({ workflowId }, itemContext) {
		const request = { endpoint: endpoints.getWorkflow, ids: { workflow_id: workflowId } };
		return await requestResource(itemContext, request);
	},
});
