import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { parseInteger } from './number';
import { readOption } from '../../parameters/readParameters';
import { valueOrThrow } from './unwrap';

const DEFAULT = 5;
const MOST = 100;

export const maxConcurrentRequestsOption: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST },
	default: DEFAULT,
	description:
		'How many input items are read for side by side, whose output stays in the order of input. The first item settles it for all.',
};

/** @returns how many items may be worked on at a time */
export function readMaxConcurrentRequests(context: IExecuteFunctions): number {
	const set = readOption(context, 'maxConcurrentRequests', 0) ?? DEFAULT;
	return valueOrThrow(context, parseInteger(set, 'Max Concurrent Requests', 1, MOST));
}
