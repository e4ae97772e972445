import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const result: Resource = {
	option: { name: 'Result', value: 'result', description: 'A company that a run found, linked to a lead' },
	operations: [getAll],
};
