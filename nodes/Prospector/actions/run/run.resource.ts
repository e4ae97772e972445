import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const run: Resource = {
	option: { name: 'Run', value: 'run', description: 'One execution of a Prospector workflow' },
	operations: [get, getAll],
};
