import { preventDuplicates } from '../../parameters/preventDuplicates';
import { workflowLocator } from '../../parameters/locators';
import { RESULT_FIELDS_EXAMPLE, selectionWithSimplify } from '../../parameters/fieldSelection';
import { longRunNotice, waitOptions } from '../../parameters/executionOptions';
import { endpoints } from '../../api/endpoints';
import { defineOperation } from '../operation';
import { withErrorDetails, createResource } from '../createResource';
import { waitForResults, waitForRun } from '../waitForRun';
import { readRunFields, requireWorkflow } from '../workflowNames';

/** Contract, section 4, operations 7, 9 and 10. */
export const runAndGetResults = defineOperation({
	option: {
		name: 'Run and Get Results',
		value: 'runAndGetResults',
		action: 'Run Prospector workflow and get results',
		description: 'Start a run, wait until it has finished and return one item per company it found',
	},
	parameters: {
		notice: longRunNotice,
		workflowId: workflowLocator('The Prospector workflow to run'),
		waitOptions,
		fieldSelection: selectionWithSimplify(RESULT_FIELDS_EXAMPLE),
		preventDuplicates,
	},
	// Before anything is started.
	prepare: async ({ workflowId }, itemContext) => await requireWorkflow(itemContext, workflowId),
	async execute({ workflowId, waitOptions, ...values }, itemContext) {
		const request = { endpoint: endpoints.runWorkflow, ids: { workflow_id: workflowId } };
		const startedRun = await createResource(itemContext, request, values.preventDuplicates);
		const { id, requestId: run_request_id, idempotencyKey: idempotency_key = null } = startedRun;
		const waitAndFetchResults = async () => {
			const { run } = await waitForRun(itemContext, id, waitOptions, { ...startedRun, workflowId });
			Object.assign(startedRun, { hasFinished: true });
			const runFields = await readRunFields(itemContext, id, { ...run, workflow_id: workflowId });
			return await waitForResults(itemContext, id, { ...runFields, idempotency_key, run_request_id });
		};
		// A failed request must not lead the user to start a second run.
		return await withErrorDetails(waitAndFetchResults(), { startedRun });
	},
});
