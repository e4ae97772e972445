import { endpoints } from '../../transport/endpoints';
import { readRunId, runLocator } from '../fields/locators';
import { readOptionsField } from '../fields/options';
import type { Operation } from '../operation';
import { toOutput } from '../output';

/** Contract, section 4, operation 9. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get run',
		description: 'Read the status of a run and the Prospector workflow it belongs to',
	},
	sideBySide: true,
	properties: [runLocator('The run to read'), readOptionsField()],
	async execute({ context, client, itemIndex }) {
		const { data, requestId } = await client.call({
			endpoint: endpoints.getRun,
			ids: { run_id: readRunId(context, itemIndex) },
		});
		return [toOutput(data[0], requestId)];
	},
};
