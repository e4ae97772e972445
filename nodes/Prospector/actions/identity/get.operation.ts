import { fieldSelection } from '../../parameters/outputFields';
import { endpoints } from '../../transport/request/endpoints';
import { defineOperation, requestResource } from '../operation';

/** Contract, section 5.1, rule 3. */
export const get = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get identity of API key',
		description: 'Read which API key and workspace the credential stands for',
	},
	concurrent: true,
	parameters: { selection: fieldSelection },
	async execute(_, item) {
		return await requestResource(item, { endpoint: endpoints.getIdentity });
	},
});
