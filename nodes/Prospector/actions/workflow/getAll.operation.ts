import { endpoints } from '../../transport/request/endpoints';
import { listFields, listOptions, getMany } from '../../parameters/getMany';
import { readOptionsField } from '../fields/options';
import { simplifyField } from '../../parameters/outputFields';
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
