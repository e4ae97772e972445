// Workflow › Run. Starts at most one run per item, for an execution and its retries together. Tests:
// test/unit/actions/nodeCall.test.ts, test/workflow/startedRuns.test.ts.
import { withOutcome } from '../../model/runStatus';
import { preventDuplicates } from '../../parameters/preventDuplicates';
import { workflowLocator } from '../../parameters/locators';
import { fieldSelection, RUN_FIELDS_PLACEHOLDER } from '../../parameters/fieldSelection';
import { addedStatuses, realRunNotice } from '../../parameters/executionOptions';
import { endpoints } from '../../api/endpoints';
import { defineOperation } from '../operation';
import { writeItem } from '../sendWrite';

export const startRun = defineOperation({
	option: {
		name: 'Run',
		value: 'run',
		action: 'Run Prospector workflow',
		description: 'Start a run and continue at once, without waiting for its results',
	},
	parameters: {
		notice: realRunNotice,
		workflowId: workflowLocator('The Prospector workflow to run'),
		preventDuplicates,
		fieldSelection: fieldSelection(RUN_FIELDS_PLACEHOLDER),
		addedStatuses,
	},
	async execute({ workflowId, preventDuplicates, addedStatuses }, itemContext) {
		const request = { endpoint: endpoints.runWorkflow, ids: { workflow_id: workflowId } };
		return await writeItem(itemContext, request, {
			preventDuplicates,
			addDerivedFields: (run) => withOutcome(run, addedStatuses),
		});
	},
});
