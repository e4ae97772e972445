import { body } from '../parameters/body';
import { fieldSelection, RESULT_FIELDS_EXAMPLE, selectionWithSimplify } from '../parameters/fieldSelection';
import { getManyOptions } from '../parameters/getManyOptions';
import { listFilters } from '../parameters/listFilters';
import { workflowLocator } from '../parameters/locators';
import { preventDuplicates } from '../parameters/preventDuplicates';
import { waitOptions } from '../parameters/waitOptions';
import { endpoints } from '../api/endpoints';
import { getMany } from './getMany';
import { defineOperation, requestResource, type Resource } from './operation';
import { addToRequestError, requestOnce } from './requestOnce';
import { fetchResults, waitForRun } from './waitForRun';

/** Contract, section 4, operations 7, 9 and 10. */
const runAndGetResults = defineOperation({
	option: {
		name: 'Run and Get Results',
		value: 'runAndGetResults',
		action: 'Run Prospector workflow and get results',
		description: 'Start a run, wait until it has finished and return one item per company it found',
	},
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to run'),
		wait: waitOptions,
		selection: selectionWithSimplify(RESULT_FIELDS_EXAMPLE),
		preventDuplicates,
	},
	async execute({ workflowId, wait, ...values }, item) {
		const request = { endpoint: endpoints.runWorkflow, ids: { workflow_id: workflowId } };
		const started = await requestOnce(item, request, values.preventDuplicates);
		const { id, requestId, idempotencyKey = null } = started;
		item.answer.startedRunId = id;
		const waitAndFetch = async () => {
			const { run: finished } = await waitForRun(item, id, wait, { ...started, workflowId });
			const extraFields = { idempotency_key: idempotencyKey, run_request_id: requestId };
			return await fetchResults(item, id, finished, extraFields);
		};
		// A failed request must not lead the user to start a second run.
		return await addToRequestError(waitAndFetch(), { startedRun: started });
	},
});

/** Contract, section 4, operation 7. */
const run = defineOperation({
	option: {
		name: 'Run',
		value: 'run',
		action: 'Run Prospector workflow',
		description: 'Start a run and go on at once, without waiting for its results',
	},
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to run'),
		preventDuplicates,
		selection: fieldSelection('e.g. status, workflow_id'),
	},
	async execute(values, item) {
		const request = { endpoint: endpoints.runWorkflow, ids: { workflow_id: values.workflowId } };
		const { output } = await requestOnce(item, request, values.preventDuplicates);
		return [output];
	},
});

/** Contract, section 4, operation 3. */
const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create Prospector workflow',
		description: 'Add a Prospector workflow to the workspace',
	},
	parameters: { body, preventDuplicates, selection: fieldSelection() },
	async execute(values, item) {
		const request = { endpoint: endpoints.createWorkflow, body: values.body };
		const { output } = await requestOnce(item, request, values.preventDuplicates);
		return [output];
	},
});

/** Contract, section 4, operation 4. */
const get = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get Prospector workflow',
		description: 'Read the name, status and other fields of one Prospector workflow',
	},
	concurrent: true,
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to get'),
		selection: selectionWithSimplify(),
	},
	async execute({ workflowId }, item) {
		return await requestResource(item, { endpoint: endpoints.getWorkflow, ids: { workflow_id: workflowId } });
	},
});

/** Contract, section 4, operation 2. */
const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many Prospector workflows',
		description: 'List the Prospector workflows of the workspace',
	},
	concurrent: true,
	parameters: { list: getManyOptions, selection: selectionWithSimplify(), filters: listFilters },
	async execute({ list, filters }, item) {
		return await getMany(item, { endpoint: endpoints.listWorkflows }, list, filters);
	},
});

/** Contract, section 4, operation 5. */
const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update Prospector workflow',
		description: 'Change some fields of a Prospector workflow and keep the others',
	},
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to update'),
		body,
		selection: fieldSelection(),
	},
	async execute(values, item) {
		const ids = { workflow_id: values.workflowId };
		return await requestResource(item, { endpoint: endpoints.updateWorkflow, ids, body: values.body });
	},
});

/** Contract, section 4, operation 6. Not called `delete`, which is a reserved word. */
const remove = defineOperation({
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete Prospector workflow',
		description: 'Remove a Prospector workflow from the workspace',
	},
	parameters: { workflowId: workflowLocator('The Prospector workflow to delete') },
	async execute({ workflowId }, item) {
		const request = { endpoint: endpoints.deleteWorkflow, ids: { workflow_id: workflowId } };
		return await requestResource(item, request, { deleted: true });
	},
});

/** In order of use and not by name, because n8n lists the actions of a node in this order: the main job comes first. */
export const workflow: Resource = {
	option: {
		name: 'Workflow',
		value: 'workflow',
		description: 'A Prospector workflow, which says what to look for',
	},
	operations: [runAndGetResults, run, create, get, getAll, update, remove],
};
