import { endpoints } from '../../transport/endpoints';
import { readOptionsField } from '../fields/options';
import { simplifyField } from '../fields/shaping';
import type { Operation } from '../operation';
import { toOutput } from '../output';

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
