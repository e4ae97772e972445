import { runLocator } from '../../parameters/locators';
import { simplifiedSelection } from '../../parameters/outputFields';
import { waitOptions } from '../../parameters/waiting';
import { endpoints } from '../../transport/request/endpoints';
import { defineOperation, requestResource } from '../operation';
import { waitAndFetchResults } from '../waitForRun';

/** Contract, section 4, operation 9; with waiting also operation 10. */
export const get = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get run with its status',
		description:
			'Read the status of a run and the Prospector workflow it belongs to, or wait until it has finished',
	},
	concurrent: true,
	parameters: {
		runId: runLocator('The run to read'),
		wait: waitOptions,
		selection: simplifiedSelection,
	},
	async execute({ runId, wait }, item) {
		if (wait !== undefined) return await waitAndFetchResults(item, { runId }, wait);
		return await requestResource(item, { endpoint: endpoints.getRun, ids: { run_id: runId } });
	},
});
