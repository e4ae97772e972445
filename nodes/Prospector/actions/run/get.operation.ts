import { endpoints } from '../../transport/request/endpoints';
import { readRunId, runLocator } from '../../parameters/locators';
import { maxWaitForRunOption } from '../fields/maxWait';
import { readOptionsField } from '../fields/options';
import { simplifyField } from '../../parameters/outputFields';
import { readWaitPlan, waitField, waitingOptions } from '../../parameters/waiting';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';
import { waitAndFetchResults } from './waitAndFetchResults';

/** Contract, section 4, operation 9; with waiting also operation 10. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get run with its status',
		description:
			'Read the status of a run and the Prospector workflow it belongs to, or wait until it has finished',
	},
	concurrent: true,
	properties: [
		runLocator('The run to read'),
		waitField,
		simplifyField,
		readOptionsField(...waitingOptions, maxWaitForRunOption),
	],
	async execute(itemRun) {
		const { context, client, itemIndex } = itemRun;
		const runId = readRunId(context, itemIndex);
		const plan = readWaitPlan(context, itemIndex);
		if (plan !== undefined) return await waitAndFetchResults(itemRun, { runId }, plan);
		const { data, requestId } = await client.request({ endpoint: endpoints.getRun, ids: { run_id: runId } });
		return [toOutput(data[0], requestId)];
	},
};
