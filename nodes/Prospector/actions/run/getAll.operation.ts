// Run › Get Many. Returns no run twice. Tests: test/unit/actions/getMany.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { withOutcome } from '../../model/runStatus';
import { addedStatuses } from '../../parameters/executionOptions';
import { getManyOptions, runListFilters } from '../../parameters/getManyOptions';
import { workflowLocator } from '../../parameters/locators';
import { RUN_FIELDS_PLACEHOLDER, selectionWithSimplify } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { getMany } from '../getMany';
import { defineOperation } from '../operation';

export const getManyRuns = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many runs',
		description: 'List the runs of a Prospector workflow',
	},
	canRunConcurrently: true,
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to list the runs of'),
		listOptions: getManyOptions,
		fieldSelection: selectionWithSimplify(RUN_FIELDS_PLACEHOLDER),
		filters: runListFilters,
		addedStatuses,
	},
	async execute({ workflowId, listOptions, filters, addedStatuses }, itemContext) {
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } };
		const addDerivedFields = (run: IDataObject) => withOutcome(run, addedStatuses);
		return await getMany(itemContext, request, { ...listOptions, ...filters, addDerivedFields });
	},
});
