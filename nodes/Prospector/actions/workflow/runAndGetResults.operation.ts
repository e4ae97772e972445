// Workflow › Run and Get Results, the main job. Starts at most one run per item, then watches all runs side by side.
import type { IDataObject } from 'n8n-workflow';
import { type StartedRun, withStartedRun } from '../../api/failure/requestError';
import { preventDuplicates } from '../../parameters/preventDuplicates';
import { workflowLocator } from '../../parameters/locators';
import { RESULT_FIELDS_EXAMPLE, selectionWithSimplify } from '../../parameters/fieldSelection';
import { addedStatuses, continueRunId, longRunNotice, waitOptions } from '../../parameters/executionOptions';
import { endpoints } from '../../api/endpoints';
import { toText } from '../../utils';
import { defineOperation } from '../operation';
import { createResource } from '../createResource';
import { answerWithoutResults, runIdArgumentOf, waitForResults, waitForRun } from '../waitForRun';
import { readRunFields } from '../workflowNames';

/** Contract, section 4, operations 4, 7, 9 and 10. */
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
		addedStatuses,
		fieldSelection: selectionWithSimplify(RESULT_FIELDS_EXAMPLE),
		preventDuplicates,
	},
	async execute({ workflowId, continueRunId, wait, addedStatuses, ...values }, itemContext) {
		const waitOptions = { ...wait, ...addedStatuses };
		// A request that fails after the start must not lead the user to start a second run.
		const finish = async (runId: string, startFields: IDataObject, startedRun?: StartedRun) => {
			const awaitedRun = { runId, expectedWorkflowId: workflowId, startedRun };
			const waiting = waitForRun(itemContext, awaitedRun, waitOptions);
			const { run, outcome } = await withStartedRun(waiting, startedRun);
			if (outcome === 'open') return answerWithoutResults(itemContext, runId, outcome, run);
			const runFields = await readRunFields(itemContext, runId, {
				...run,
				workflow_id: toText(run.workflow_id) || workflowId,
			});
			const reading = waitForResults(itemContext, runId, outcome, { ...runFields, ...startFields });
			return await withStartedRun(reading, startedRun && { ...startedRun, hasFinished: true });
		};
		if (continueRunId !== undefined) return async () => await finish(continueRunId, {});
		const request = { endpoint: endpoints.runWorkflow, ids: { workflow_id: workflowId } };
		const created = await createResource(itemContext, request, values.preventDuplicates);
		const { id: runId, outputItem, idempotencyKey, isUserKey } = created;
		const { idempotency_key, request_id: run_request_id } = outputItem;
		const startedRun = { runId, idempotencyKey, isUserKey, runIdArgument: runIdArgumentOf(itemContext) };
		return async () => await finish(runId, { idempotency_key, run_request_id }, startedRun);
	},
});
