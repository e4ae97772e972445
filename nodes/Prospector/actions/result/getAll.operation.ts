import { endpoints } from '../../transport/endpoints';
import { listFields, listOptions, runList } from '../fields/list';
import { readRunId, runLocator } from '../fields/locators';
import { readOptionsField } from '../fields/options';
import type { Operation } from '../operation';

/** Contract, section 4, operation 10. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many results',
		description: 'List what a run found: companies, each linked to a lead',
	},
	sideBySide: true,
	properties: [runLocator('The run whose results to list'), ...listFields, readOptionsField(...listOptions)],
	async execute(itemRun) {
		const runId = readRunId(itemRun.context, itemRun.itemIndex);
		return await runList(itemRun, { endpoint: endpoints.listResults, ids: { run_id: runId } });
	},
};
