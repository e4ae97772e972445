// Account › Get Identity. Returns who the API key belongs to, as the service sends it. Tests:
// test/workflow/operations.test.ts.
import { fieldSelection } from '../../parameters/fieldSelection';
import { endpoints } from '../../api/endpoints';
import { defineOperation, requestResource } from '../operation';

export const getIdentity = defineOperation({
	option: {
		name: 'Get Identity',
		value: 'getIdentity',
		action: 'Get identity of API key',
		description: 'Read who the API key belongs to and which workspace it opens',
	},
	parameters: { fieldSelection: fieldSelection('') },
	execute: async (_values, itemContext) =>
		await requestResource(itemContext, { endpoint: endpoints.getIdentity }),
});
