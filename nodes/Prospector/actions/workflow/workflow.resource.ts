import type { Resource } from '../operation';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { run } from './run.operation';
import { update } from './update.operation';

export const workflow: Resource = {
	option: { name: 'Workflow', value: 'workflow', description: 'A Prospector workflow: what to look for' },
	operations: [create, remove, get, getAll, run, update],
};
