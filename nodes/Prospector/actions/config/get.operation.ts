import { simplifiedSelection } from '../../parameters/outputFields';
import { endpoints } from '../../transport/request/endpoints';
import { defineOperation, requestResource } from '../operation';

/** Contract, section 4, operation 1. */
export const get = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get prospecting config',
		description: 'Read the time zone and states that prospecting uses',
	},
	concurrent: true,
	parameters: { selection: simplifiedSelection },
	async execute(_, item) {
		return await requestResource(item, { endpoint: endpoints.getConfig });
	},
});
