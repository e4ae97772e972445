import { endpoints } from '../../transport/request/endpoints';
import { readOptionsField } from '../fields/options';
import { simplifyField } from '../../parameters/outputFields';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';

/** Contract, section 4, operation 1. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get prospecting config',
		description: 'Read the time zone and states that prospecting uses',
	},
	concurrent: true,
	properties: [simplifyField, readOptionsField()],
	async execute({ client }) {
		const { data, requestId } = await client.request({ endpoint: endpoints.getConfig });
		return [toOutput(data[0], requestId)];
	},
};
