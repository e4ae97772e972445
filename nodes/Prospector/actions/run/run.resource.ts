import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const run: Resource = {
	option: {
		name: 'Run',
		value: 'run',
		description: 'One pass of a Prospector workflow, which finds results',
	},
	operations: [get, getAll],
};
