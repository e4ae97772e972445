import type { INodeProperties } from 'n8n-workflow';
import { invalid } from '../messages/userMessage';
import { DEFAULT_FAILED_STATUSES, DEFAULT_FINISHED_STATUSES, type EndStatuses } from '../model/runStatus';
import { field, fieldsAndOptions, option, type Parameter } from './parameter';
import { parseBoolean, stringList } from './parse';
import { maxWaitForRun } from './requestSettings';

const whenWaiting = { show: { '/waitForCompletion': [true] } };

const waitForCompletion = field(parseBoolean, {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description: 'Whether to wait until the run has finished before returning its data',
});

const returnResults = option(parseBoolean, {
	displayName: 'Return Results',
	name: 'returnResults',
	type: 'boolean',
	default: false,
	displayOptions: whenWaiting,
	description: "Whether to return the finished run's results, one item each, instead of the run",
});

const statuses = stringList('completed, done');

const failedStatuses: Parameter<string[]> = {
	options: [
		{
			displayName: 'Failed Statuses',
			name: 'failedStatuses',
			type: 'string',
			default: DEFAULT_FAILED_STATUSES.join(', '),
			displayOptions: whenWaiting,
			description:
				"The statuses of a run that ended badly, separated by commas, in any letter case. They end the wait, and the item fails. The service does not document its statuses: this list is this node's guess. Empty it to let no run count as failed.",
		},
	],
	// An empty option means no status, not the default.
	read: (values) => statuses(values.option('failedStatuses') ?? DEFAULT_FAILED_STATUSES, 'Failed Statuses'),
};

const finishedStatuses = (
	displayOptions: INodeProperties['displayOptions'],
	description: string,
): Parameter<string[]> =>
	option(statuses, {
		displayName: 'Finished Statuses',
		name: 'finishedStatuses',
		type: 'string',
		default: DEFAULT_FINISHED_STATUSES.join(', '),
		displayOptions,
		description: `${description}, separated by commas, in any letter case. The service does not document its statuses: this list is this node's guess, so adapt it to what your runs show.`,
	});

const statusesThatEndTheWait = finishedStatuses(whenWaiting, 'The statuses that end the wait');

export interface WaitOptions extends EndStatuses {
	/** Milliseconds from the first status check. */
	maxWait: number;
	returnResults: boolean;
}

/** How to wait for a run; undefined to return at once. */
export const waitOptions: Parameter<WaitOptions | undefined> = {
	...fieldsAndOptions([
		waitForCompletion,
		failedStatuses,
		statusesThatEndTheWait,
		returnResults,
		maxWaitForRun,
	]),
	read(values) {
		if (!waitForCompletion.read(values)) return undefined;
		const finished = statusesThatEndTheWait.read(values);
		if (finished.length === 0) {
			invalid(
				"'Finished Statuses' is empty, so the wait would never end",
				'Add the status that your runs show when they are done, or remove the option',
			);
		}
		return {
			maxWait: maxWaitForRun.read(values),
			finished,
			failed: failedStatuses.read(values),
			returnResults: returnResults.read(values),
		};
	},
};

const warnIfUnfinished = option(parseBoolean, {
	displayName: 'Warn If Unfinished',
	name: 'warnIfUnfinished',
	type: 'boolean',
	default: true,
	description:
		'Whether to look at the run first and leave a hint when it has not finished, so that more results may follow. Costs one request per run, and none with a Start Cursor.',
});

const statusesWithoutWarning = finishedStatuses(
	{ hide: { warnIfUnfinished: [false] } },
	'The statuses of a run that has finished',
);

/** Runs with these statuses need no warning; undefined to never warn. */
export const finishedStatusesForWarning: Parameter<string[] | undefined> = {
	...fieldsAndOptions([warnIfUnfinished, statusesWithoutWarning]),
	read(values) {
		if (!warnIfUnfinished.read(values)) return undefined;
		const finished = statusesWithoutWarning.read(values);
		// Without a status, every run would count as unfinished.
		return finished.length > 0 ? finished : DEFAULT_FINISHED_STATUSES;
	},
};
