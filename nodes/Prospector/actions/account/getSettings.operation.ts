// Account › Get Prospecting Settings. Returns them as the service sends them. Tests: test/workflow/operations.test.ts.
import { fieldSelection } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { defineOperation, requestResource } from '../operation';

export const getSettings = defineOperation({
	option: {
		name: 'Get Prospecting Settings',
		value: 'getSettings',
		action: 'Get prospecting settings',
		description: 'Read the time zone and the states set for prospecting',
	},
	parameters: { fieldSelection: fieldSelection('e.g. timezone') },
	execute: async (_values, itemContext) =>
		await requestResource(itemContext, { endpoint: endpoints.getConfig }),
});
