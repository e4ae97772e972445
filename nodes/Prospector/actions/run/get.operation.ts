import { toOutputItem } from '../../model/resource';
import { runLocator } from '../../parameters/locators';
import { selectionWithSimplify } from '../../parameters/fieldSelection';
import { waitForCompletionOptions } from '../../parameters/executionOptions';
import { endpoints } from '../../api/endpoints';
import { defineOperation, requestResource } from '../operation';
import { waitForResults, waitForRun } from '../waitForRun';
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
		waitOptions: waitForCompletionOptions,
		fieldSelection: selectionWithSimplify(),
	},
	async execute({ runId, waitOptions }, itemContext) {
		if (waitOptions === undefined) {
			return await requestResource(itemContext, { endpoint: endpoints.getRun, ids: { run_id: runId } });
		}
		const { run, requestId } = await waitForRun(itemContext, runId, waitOptions);
		if (!waitOptions.returnResults) return [toOutputItem(run, requestId)];
		const runFields = await readRunFields(itemContext, runId, run);
		return await waitForResults(itemContext, runId, runFields);
	},
});
