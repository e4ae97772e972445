// Result › Get Many. Returns no result twice, and each one with the fields of its run. Tests:
// test/unit/actions/router.test.ts, test/unit/actions/getMany.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { namesAnother } from '../../model/resource';
import { runOutcome, statusOf } from '../../model/runStatus';
import { getManyOptions, queryFilters } from '../../parameters/getManyOptions';
import { runLocator } from '../../parameters/locators';
import { RESULT_FIELDS_PLACEHOLDER, selectionWithSimplify } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { isFailure } from '../../api/response';
import { getMany } from '../getMany';
import { defineOperation, type ItemContext } from '../operation';
import { fieldsFromRun } from '../workflowNames';

export const getManyResults = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many results',
		description: 'List the companies that a run found, each with its lead',
	},
	canRunConcurrently: true,
	parameters: {
		runId: runLocator('The run to list the results of'),
		listOptions: getManyOptions,
		fieldSelection: selectionWithSimplify(RESULT_FIELDS_PLACEHOLDER),
		filters: queryFilters,
	},
	async execute({ runId, listOptions, filters }, itemContext) {
		const run = await tryReadRun(itemContext, runId);
		const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
		const extraFields = await fieldsFromRun(itemContext, runId, run);
		return await getMany(itemContext, request, { ...listOptions, ...filters, extraFields });
	},
});

/** Returns a run; {} if it can't be read. Call it before the results are read: a finished run has all of them by then. */
async function tryReadRun({ client, hints }: ItemContext, runId: string): Promise<IDataObject> {
	const response = await client.tryRequest({
		endpoint: endpoints.getRun,
		ids: { run_id: runId },
		// Short, because the results matter more. Other items can be first in the rate limiter.
		timeoutMs: 10_000,
		retryForMs: 2000,
	});
	if (isFailure(response) || namesAnother(response.data[0].id, runId)) return {};
	const [run] = response.data;
	const status = statusOf(run);
	if (status !== '' && runOutcome(status) === 'open') hints.add('unfinishedRuns', runId, status);
	return run;
}
