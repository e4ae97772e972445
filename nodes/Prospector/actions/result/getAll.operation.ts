import { endpoints } from '../../transport/request/endpoints';
import { listFields, listOptions, readListPlan, getMany } from '../../parameters/getMany';
import { readRunId, runLocator } from '../../parameters/locators';
import { readOptionsField } from '../fields/options';
import { readFinishedStatuses, unfinishedOptions } from '../fields/unfinished';
import { warnIfUnfinished } from './warnIfUnfinished';
import { simplifyField } from '../../parameters/outputFields';
import type { Operation } from '../operation';

/** Contract, section 4, operation 10. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many results of run',
		description: 'List what a run found: companies, each linked to a lead',
	},
	concurrent: true,
	properties: [
		runLocator('The run whose results to list'),
		...listFields,
		simplifyField,
		readOptionsField(...listOptions, ...unfinishedOptions),
	],
	async execute(itemRun) {
		const { context, client, itemIndex, notes } = itemRun;
		const runId = readRunId(context, itemIndex);
		const plan = readListPlan(context, itemIndex);
		const finished = readFinishedStatuses(context, itemIndex);
		// Whoever goes on from a cursor was warned when the list began.
		if (finished !== undefined && plan.startCursor === undefined) {
			await warnIfUnfinished(client, runId, finished, notes);
		}
		return await getMany(itemRun, { endpoint: endpoints.listResults, ids: { run_id: runId } }, plan);
	},
};
