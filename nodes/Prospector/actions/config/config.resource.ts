import type { Resource } from '../operation';
import { get } from './get.operation';

export const config: Resource = {
	option: { name: 'Config', value: 'config', description: 'Settings of prospecting in the workspace' },
	operations: [get],
};
