// Parameters about how an operation is executed: retries, concurrency, waiting, and status words. Operations list them
// among their parameters.
import { updateDisplayOptions } from 'n8n-workflow';
import type { AddedStatuses } from '../model/runStatus';
import { parseId } from './locators';
import {
	field,
	fieldsAndOptions,
	groupParameters,
	isBlank,
	option,
	type Parameter,
	fieldFilledByModel,
	hiddenForTool,
	onlyForTool,
} from './parameter';
import { integer, seconds, stringList, toggle } from './parse';

const MAX_WAIT_SECONDS = 31 * 24 * 3600;

/** Milliseconds after which no further attempt of a request starts. */
export const retryFor = option(seconds(0, MAX_WAIT_SECONDS), {
	displayName: 'Retry For (Seconds)',
	name: 'retryFor',
	default: 300,
	description: 'How long failed and rate-limited requests are tried again. Enter 0 to try at most once.',
});

/** The first item's value applies to all items. */
export const maxConcurrentRequests = option(integer(1, 100), {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	default: 5,
	description:
		'Requests in progress at the same time. Output order is kept. Runs are started one after the other.',
});

const statusListKind = stringList('archived, closed');

/** Status words that the user adds, to decide whether a run has ended. */
export const addedStatuses: Parameter<AddedStatuses> = groupParameters({
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

const WAIT_UP_TO = { displayName: 'Wait Up To (Seconds)', name: 'waitUpTo' };

const waitUpTo = field(seconds(1, MAX_WAIT_SECONDS), {
	...WAIT_UP_TO,
	default: 3600,
	displayOptions: hiddenForTool,
	description:
		'How long to wait for the run. If that is not enough, the run continues, and you can read it later.',
});

/** n8n's MCP client gives up after 60 s (n8n-behaviour.md#ai-agents). */
export const TOOL_ANSWER_MS = 50_000;

const waitUpToOfTool = field(seconds(1, MAX_WAIT_SECONDS), {
	...WAIT_UP_TO,
	default: TOOL_ANSWER_MS / 1000,
	displayOptions: onlyForTool,
	description: 'How long to wait for the run. If it takes longer, the answer says how to get its results.',
});

const waitUpToMs: Parameter<number> = {
	...fieldsAndOptions([waitUpTo, waitUpToOfTool]),
	read: (values) => (values.isTool ? waitUpToOfTool : waitUpTo).read(values),
};

export const waitOptions = groupParameters({ waitUpToMs });

/** The run whose results a model asks for again; undefined to start one. */
export const continueRunId = fieldFilledByModel(
	{ parse: (value, label) => (isBlank(value) ? undefined : parseId(value, label)) },
	{
		displayName: 'Run ID',
		name: 'continueRunId',
		description:
			'The run to get the results of, instead of starting one. The model needs it for runs that take longer than an answer.',
	},
	'Run_ID',
	'The run_id of an earlier answer, to get its results. Leave it empty to start a run',
);

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
const waitAndReturn = groupParameters({ waitUpToMs, returnResults });

/** How to wait for a run, and what to return then; undefined to return at once. */
export const waitForCompletionOptions: Parameter<{ waitUpToMs: number; returnResults: boolean } | undefined> =
	{
		fields: [
			...(waitForCompletion.fields ?? []),
			...updateDisplayOptions(shownWhenWaiting, waitAndReturn.fields ?? []),
		],
		read: (values) => (waitForCompletion.read(values) ? waitAndReturn.read(values) : undefined),
	};

/** A text among the fields. A tool has no step to execute. */
const defineNotice = (displayName: string): Parameter<void> => ({
	fields: [{ displayName, name: 'notice', type: 'notice', default: '', displayOptions: hiddenForTool }],
	read: () => {},
});

export const realRunNotice = defineNotice(
	'Execute step starts a real run in your workspace each time. Pin the output while you build the next nodes.',
);

export const longRunNotice = defineNotice(
	'Each Execute step starts a real run and waits for it, often minutes. Stop ends only the wait. Pin the output while you build the next nodes.',
);
