import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { DEFAULT_FINISHED_STATUSES } from '../waiting/defaultStatuses';
import { parseBoolean } from './boolean';
import { readOption } from '../../parameters/readParameters';
import { parseStatuses } from './statuses';
import { valueOrThrow } from './unwrap';

export const unfinishedOptions: INodeProperties[] = [
	{
		displayName: 'Finished Statuses',
		name: 'finishedStatuses',
		type: 'string',
		default: DEFAULT_FINISHED_STATUSES.join(', '),
		displayOptions: { hide: { warnIfUnfinished: [false] } },
		description:
			"The statuses of a run that has finished, separated by commas, in any letter case. The service does not document its statuses: this list is this node's guess, so adapt it to what your runs show.",
	},
	{
		displayName: 'Warn If Unfinished',
		name: 'warnIfUnfinished',
		type: 'boolean',
		default: true,
		description:
			'Whether to look at the run first and leave a hint when it has not finished, so that more results may follow. Costs one request per run, and none with a Start Cursor.',
	},
];

/** @returns the statuses of a finished run, in lower case; undefined where nobody wants to be warned */
export function readFinishedStatuses(context: IExecuteFunctions, itemIndex: number): string[] | undefined {
	const set = readOption(context, 'warnIfUnfinished', itemIndex) ?? true;
	if (!valueOrThrow(context, parseBoolean(set, 'Warn If Unfinished'))) return undefined;
	const statuses = readOption(context, 'finishedStatuses', itemIndex) ?? DEFAULT_FINISHED_STATUSES;
	const named = valueOrThrow(context, parseStatuses(statuses, 'Finished Statuses'));
	// Without a word every run would count as unfinished, which nobody can mean.
	return named.length > 0 ? named : DEFAULT_FINISHED_STATUSES;
}
