import { toOutputItem } from '../model/resource';
import { selectionWithSimplify } from '../parameters/fieldSelection';
import { getManyOptions } from '../parameters/getManyOptions';
import { runListFilters } from '../parameters/listFilters';
import { runLocator, workflowLocator } from '../parameters/locators';
import { waitForCompletionOptions } from '../parameters/waitOptions';
import { endpoints } from '../api/endpoints';
import { getMany } from './getMany';
import { defineOperation, requestResource, type Resource } from './operation';
import { fetchResults, waitForRun } from './waitForRun';

/** Contract, section 4, operation 9; with waiting also operation 10. */
const get = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get run',
		description: 'Read the status of a run, or wait for it and get its results',
	},
	concurrent: true,
	parameters: {
		runId: runLocator('The run to get'),
		wait: waitForCompletionOptions,
		selection: selectionWithSimplify(),
	},
	async execute({ runId, wait }, item) {
		if (wait === undefined) {
			return await requestResource(item, { endpoint: endpoints.getRun, ids: { run_id: runId } });
		}
		const { run: finished, requestId } = await waitForRun(item, runId, wait);
		if (wait.returnResults) return await fetchResults(item, runId, finished);
		return [toOutputItem(finished, requestId)];
	},
});

/** Contract, section 4, operation 8. */
const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many runs',
		description: 'List the runs of a Prospector workflow',
	},
	concurrent: true,
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to list the runs of'),
		list: getManyOptions,
		selection: selectionWithSimplify('e.g. status, created_at'),
		filters: runListFilters,
	},
	async execute({ workflowId, list, filters }, item) {
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } };
		return await getMany(item, request, list, filters);
	},
});

export const run: Resource = {
	option: { name: 'Run', value: 'run', description: 'One run of a Prospector workflow' },
	operations: [get, getAll],
};
