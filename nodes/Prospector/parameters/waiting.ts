import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { DEFAULT_FAILED_STATUSES, DEFAULT_FINISHED_STATUSES } from '../actions/waiting/defaultStatuses';
import type { WaitOptions } from '../model/runStatus';
import { parseBoolean } from '../actions/fields/boolean';
import { readMaxWaitForRun } from '../actions/fields/maxWait';
import { readOption, readOptionOrEmpty, readParameter } from './readParameters';
import { parseStatuses } from '../actions/fields/statuses';
import { valueOrThrow } from '../actions/fields/unwrap';

export const waitField: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description: 'Whether to wait until the run has finished before returning its data',
};

const whenWaiting = { show: { '/waitForCompletion': [true] } };

export const waitingOptions: INodeProperties[] = [
	{
		displayName: 'Failed Statuses',
		name: 'failedStatuses',
		type: 'string',
		default: DEFAULT_FAILED_STATUSES.join(', '),
		displayOptions: whenWaiting,
		description:
			"The statuses of a run that ended badly, separated by commas, in any letter case. They end the wait, and the item fails. The service does not document its statuses: this list is this node's guess. Empty it to let no run count as failed.",
	},
	{
		displayName: 'Finished Statuses',
		name: 'finishedStatuses',
		type: 'string',
		default: DEFAULT_FINISHED_STATUSES.join(', '),
		displayOptions: whenWaiting,
		description:
			"The statuses that end the wait, separated by commas, in any letter case. The service does not document its statuses: this list is this node's guess, so adapt it to what your runs show.",
	},
	{
		displayName: 'Return Results',
		name: 'returnResults',
		type: 'boolean',
		default: false,
		displayOptions: whenWaiting,
		description: "Whether to return the finished run's results, one item each, instead of the run",
	},
];

/** @returns undefined where the node is not to wait */
export function readWaitPlan(context: IExecuteFunctions, itemIndex: number): WaitOptions | undefined {
	const waits = readParameter(context, 'waitForCompletion', itemIndex, false);
	if (!valueOrThrow(context, parseBoolean(waits, 'Wait for Completion'))) return undefined;
	return {
		maxWait: readMaxWaitForRun(context, itemIndex),
		finished: readFinished(context, itemIndex),
		failed: readFailed(context, itemIndex),
		returnResults: valueOrThrow(
			context,
			parseBoolean(readOption(context, 'returnResults', itemIndex), 'Return Results'),
		),
	};
}

function readFinished(context: IExecuteFunctions, itemIndex: number): string[] {
	const set = readOption(context, 'finishedStatuses', itemIndex) ?? DEFAULT_FINISHED_STATUSES;
	const statuses = valueOrThrow(context, parseStatuses(set, 'Finished Statuses'));
	if (statuses.length > 0) return statuses;
	return valueOrThrow(context, {
		message: "'Finished Statuses' is empty, so the wait would never end",
		description: 'Add the status that your runs show when they are done, or remove the option',
	});
}

/** An emptied field means none, and not our guess. */
function readFailed(context: IExecuteFunctions, itemIndex: number): string[] {
	const set = readOptionOrEmpty(context, 'failedStatuses', itemIndex) ?? DEFAULT_FAILED_STATUSES;
	return valueOrThrow(context, parseStatuses(set, 'Failed Statuses'));
}
