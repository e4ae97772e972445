import { fieldSelection } from '../parameters/fieldSelection';
import { endpoints } from '../api/endpoints';
import { defineOperation, requestResource, type Resource } from './operation';

/** Contract, section 5.1, rule 3. */
const getIdentity = defineOperation({
	option: {
		name: 'Get Identity',
		value: 'getIdentity',
		action: 'Get identity of API key',
		description: 'Read who the API key belongs to and which workspace it opens',
	},
	parameters: { selection: fieldSelection() },
	execute: async (_, item) => await requestResource(item, { endpoint: endpoints.getIdentity }),
});

/** Contract, section 4, operation 1. */
const getSettings = defineOperation({
	option: {
		name: 'Get Prospecting Settings',
		value: 'getSettings',
		action: 'Get prospecting settings',
		description: 'Read the time zone and the states set for prospecting',
	},
	parameters: { selection: fieldSelection('e.g. timezone') },
	execute: async (_, item) => await requestResource(item, { endpoint: endpoints.getConfig }),
});

export const account: Resource = {
	option: {
		name: 'Account',
		value: 'account',
		description: 'The API key, its workspace and the prospecting settings',
	},
	operations: [getIdentity, getSettings],
};
