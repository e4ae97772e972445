import { endpoints } from '../../transport/request/endpoints';
import { readOptionsField } from '../fields/options';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';

/** Contract, section 5.1, rule 3. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get identity of API key',
		description: 'Read which API key and workspace the credential stands for',
	},
	concurrent: true,
	properties: [readOptionsField()],
	async execute({ client }) {
		const { data, requestId } = await client.request({ endpoint: endpoints.getIdentity });
		return [toOutput(data[0], requestId)];
	},
};
