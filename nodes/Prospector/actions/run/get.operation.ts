// Run › Get. With *Wait for Completion* it returns when the run has ended, and with *Return Results* its results.
// Tests: test/unit/actions/waitForRun.test.ts, test/workflow/waiting.test.ts.
import { toOutputItem } from '../../model/resource';
import { withOutcome } from '../../model/runStatus';
import { runLocator } from '../../parameters/locators';
import { RUN_FIELDS_EXAMPLE, selectionWithSimplify } from '../../parameters/fieldSelection';
import { addedStatuses, waitForCompletionOptions } from '../../parameters/executionOptions';
import { endpoints } from '../../api/endpoints';
import { defineOperation, requestResource } from '../operation';
import { answerWithoutResults, waitForResults, waitForRun } from '../waitForRun';
import { readRunFields } from '../workflowNames';

/** Contract, section 4, operation 9; with waiting also operation 10. */
export const getRun = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get run',
		description: 'Read the status of a run, or wait for it and get its results',
	},
	canRunConcurrently: true,
	parameters: {
		runId: runLocator('The run to get'),
		wait: waitForCompletionOptions,
		addedStatuses,
		fieldSelection: selectionWithSimplify(RUN_FIELDS_EXAMPLE),
	},
	async execute({ runId, wait, addedStatuses }, itemContext) {
		if (wait === undefined) {
			const request = { endpoint: endpoints.getRun, ids: { run_id: runId } };
			return await requestResource(itemContext, request, (run) => withOutcome(run, addedStatuses));
		}
		return async () => {
			const waitOptions = { ...wait, ...addedStatuses };
			const { run, outcome, requestId } = await waitForRun(itemContext, { runId }, waitOptions);
			if (outcome === 'open') return answerWithoutResults(itemContext, runId, outcome, run);
			if (!wait.returnResults) return [toOutputItem(withOutcome(run, addedStatuses), requestId)];
			return await waitForResults(itemContext, runId, outcome, await readRunFields(itemContext, runId, run));
		};
	},
});
