// Run › Get. With *Wait for Completion* it returns when the run has ended, and with *Return Results* its results.
// Tests: test/unit/actions/waitForRun.test.ts, test/workflow/waiting.test.ts.
import { withOutcome } from '../../model/runStatus';
import { pageSizeOfResults } from '../../parameters/getManyOptions';
import { runLocator } from '../../parameters/locators';
import { RUN_FIELDS_PLACEHOLDER, selectionWithSimplify } from '../../parameters/fieldSelection';
import { addedStatuses, waitForCompletionOptions } from '../../parameters/executionOptions';
import { endpoints } from '../../api/endpoints';
import { defineOperation, requestResource } from '../operation';
import { waitForResults, waitForRun } from '../waitForRun';

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
		pageSize: pageSizeOfResults,
		addedStatuses,
		fieldSelection: selectionWithSimplify(RUN_FIELDS_PLACEHOLDER),
	},
	async execute({ runId, wait, pageSize, addedStatuses }, itemContext) {
		if (wait === undefined) {
			const request = { endpoint: endpoints.getRun, ids: { run_id: runId } };
			return await requestResource(itemContext, request, (run) => withOutcome(run, addedStatuses));
		}
		return async () => {
			const ended = await waitForRun(itemContext, { runId }, { ...wait, ...addedStatuses });
			const isRunReturned = ended.outcome !== 'open' && !wait.returnResults;
			return isRunReturned
				? [itemContext.selector.toItem(withOutcome(ended.run, addedStatuses), ended.requestId)]
				: await waitForResults(itemContext, { runId }, ended, pageSize);
		};
	},
});
