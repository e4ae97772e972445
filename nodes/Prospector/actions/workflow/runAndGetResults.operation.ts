// Workflow › Run and Get Results, the main job. Starts at most one run per item (limits:
// docs/guarantees.md#what-it-cannot-cover), then watches all runs side by side.
import { preventDuplicates } from '../../parameters/preventDuplicates';
import { pageSize } from '../../parameters/getManyOptions';
import { workflowLocator } from '../../parameters/locators';
import { RESULT_FIELDS_PLACEHOLDER, selectionWithSimplify } from '../../parameters/fieldSelection';
import { addedStatuses, continueRunId, longRunNotice, waitOptions } from '../../parameters/executionOptions';
import { fromAiName } from '../../parameters/parameterReader';
import { endpoints } from '../../api/endpoints';
import type { AwaitedRun } from '../../api/failure/requestError';
import { toUsableId } from '../../model/resource';
import { toText } from '../../utils';
import { defineOperation } from '../operation';
import { sendWrite } from '../sendWrite';
import { waitForResults, waitForRun } from '../waitForRun';

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
		continueRunId,
		wait: waitOptions,
		pageSize,
		addedStatuses,
		fieldSelection: selectionWithSimplify(RESULT_FIELDS_PLACEHOLDER),
		preventDuplicates,
	},
	async execute(values, itemContext) {
		const { workflowId, continueRunId, wait, pageSize, addedStatuses, preventDuplicates } = values;
		const { context, isTool } = itemContext;
		const runIdArgumentName = isTool
			? fromAiName(toText(context.getNode().parameters.continueRunId))
			: undefined;
		const getResults = (runId: string, start?: AwaitedRun['start']) => async () => {
			const awaitedRun = { runId, start, expectedWorkflowId: workflowId, runIdArgumentName };
			const ended = await waitForRun(itemContext, awaitedRun, { ...wait, ...addedStatuses });
			return await waitForResults(itemContext, awaitedRun, ended, pageSize);
		};
		if (continueRunId !== undefined) return getResults(continueRunId);
		const request = { endpoint: endpoints.runWorkflow, ids: { workflow_id: workflowId } };
		const { data, requestId, idempotencyKey } = await sendWrite(itemContext, request, preventDuplicates);
		const isUserKey = preventDuplicates.mode === 'key';
		// The message about a later failure says that the run was started, so that nobody starts a second one.
		return getResults(String(toUsableId(data.id)), { requestId, idempotencyKey, isUserKey });
	},
});
