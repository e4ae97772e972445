import { updateDisplayOptions } from 'n8n-workflow';
import type { AddedStatuses } from '../model/runStatus';
import { field, fieldsAndOptions, groupParameters, option, type Parameter } from './parameter';
import { integer, seconds, stringList, toggle } from './parse';

const MAX_WAIT_SECONDS = 31 * 24 * 3600;

/** Milliseconds after which no further attempt of a request starts. */
export const retryFor = option(seconds(0, MAX_WAIT_SECONDS), {
	displayName: 'Retry For (Seconds)',
	name: 'retryFor',
	default: 300,
	description: 'How long failed and rate-limited requests are tried again. Enter 0 to try once.',
});

/** Only for operations without side effects. The first item's value applies to all items. */
export const maxConcurrentRequests = option(integer(1, 100), {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	default: 5,
	description: 'Items processed in parallel. Output order is kept.',
});

export interface WaitOptions extends AddedStatuses {
	/** Milliseconds from the first status check. */
	waitUpToMs: number;
}

const statusListKind = stringList('archived, closed');

export const waitOptions: Parameter<WaitOptions> = groupParameters({
	waitUpToMs: field(seconds(1, MAX_WAIT_SECONDS), {
		displayName: 'Wait Up To (Seconds)',
		name: 'waitUpTo',
		default: 3600,
		description:
			'How long to wait for the run. If that is not enough, the run continues, and you can read it later.',
	}),
	failedStatuses: option(statusListKind, {
		displayName: 'Failed Statuses',
		name: 'failedStatuses',
		placeholder: 'e.g. blocked',
		description:
			'More statuses that mean the run has failed, besides failed, canceled, timed_out and the like. Separate them with commas.',
	}),
	finishedStatuses: option(statusListKind, {
		displayName: 'Finished Statuses',
		name: 'finishedStatuses',
		placeholder: 'e.g. archived, closed',
		description:
			'More statuses that mean the run has finished, besides completed, done, success and the like. Separate them with commas.',
	}),
});

const waitForCompletion = field(toggle, {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description: 'Whether to wait until the run has finished',
});

const returnResults = field(toggle, {
	displayName: 'Return Results',
	name: 'returnResults',
	description: 'Whether to return one item per result instead of the run',
});

const shownWhenWaiting = { show: { '/waitForCompletion': [true] } };
const { fields, options } = fieldsAndOptions([waitOptions, returnResults]);

/** How to wait for a run, and what to return then; undefined to return at once. */
export const waitForCompletionOptions: Parameter<(WaitOptions & { returnResults: boolean }) | undefined> = {
	fields: [...(waitForCompletion.fields ?? []), ...updateDisplayOptions(shownWhenWaiting, fields)],
	options: updateDisplayOptions(shownWhenWaiting, options),
	read(values) {
		if (!waitForCompletion.read(values)) return undefined;
		return { ...waitOptions.read(values), returnResults: returnResults.read(values) };
	},
};

const REAL_RUN_TEXT =
	'Execute step starts a real run in your workspace each time. Pin the output while you build the next nodes.';

/** Text that the editor shows among the fields. A tool has no step to execute. */
const defineNotice = (displayName: string): Parameter<void> => ({
	fields: [
		{
			displayName,
			name: 'notice',
			type: 'notice',
			default: '',
			displayOptions: { hide: { '@tool': [true] } },
		},
	],
	read: () => {},
});

export const realRunNotice = defineNotice(REAL_RUN_TEXT);

export const longRunNotice = defineNotice(
	`${REAL_RUN_TEXT} It can take minutes. Stop ends the wait, not the run.`,
);
