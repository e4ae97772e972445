import { endpoints } from '../../transport/endpoints';
import { listFields, listOptions, getMany } from '../fields/list';
import { readOptionsField } from '../fields/options';
import { simplifyField } from '../fields/shaping';
import type { Operation } from '../operation';

/** Contract, section 4, operation 2. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many Prospector workflows',
		description: 'List the Prospector workflows of the workspace',
	},
	concurrent: true,
	properties: [...listFields, simplifyField, readOptionsField(...listOptions)],
	async execute(itemRun) {
		return await getMany(itemRun, { endpoint: endpoints.listWorkflows });
	},
};
