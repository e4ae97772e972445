import type { INodeProperties } from 'n8n-workflow';
import type { AddedStatuses } from '../model/runStatus';
import { field, fieldsAndOptions, option, type Parameter } from './parameter';
import { parseBoolean, seconds, stringList } from './parse';
import { MAX_WAIT_SECONDS } from './requestSettings';

export interface WaitOptions extends AddedStatuses {
	/** Milliseconds from the first status check. */
	waitUpTo: number;
}

const statuses = (property: Omit<INodeProperties, 'type' | 'default'>) =>
	option(stringList('archived, closed'), { type: 'string', default: '', ...property });

/** @param isOptional whether the operation waits only with *Wait for Completion* */
function waitParameter(isOptional: boolean): Parameter<WaitOptions> {
	const waitUpTo = field(seconds(1, MAX_WAIT_SECONDS), {
		displayName: 'Wait Up To (Seconds)',
		name: 'waitUpTo',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 3600,
		...(isOptional && { displayOptions: { show: { waitForCompletion: [true] } } }),
		description:
			'How long to wait for the run. If that is not enough, the run continues, and you can read it later.',
	});
	const whenWaiting = isOptional && { displayOptions: { show: { '/waitForCompletion': [true] } } };
	const failed = statuses({
		displayName: 'Failed Statuses',
		name: 'failedStatuses',
		...whenWaiting,
		placeholder: 'e.g. blocked',
		description:
			'More statuses that mean the run has failed, besides failed, canceled, timed_out and the like. Separate them with commas.',
	});
	const finished = statuses({
		displayName: 'Finished Statuses',
		name: 'finishedStatuses',
		...whenWaiting,
		placeholder: 'e.g. archived, closed',
		description:
			'More statuses that mean the run has finished, besides completed, done, success and the like. Separate them with commas.',
	});
	return {
		...fieldsAndOptions([waitUpTo, failed, finished]),
		read: (values) => ({
			waitUpTo: waitUpTo.read(values),
			failed: failed.read(values),
			finished: finished.read(values),
		}),
	};
}

export const waitOptions = waitParameter(false);

const waitForCompletion = field(parseBoolean, {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description: 'Whether to wait until the run has finished',
});

const returnResults = field(parseBoolean, {
	displayName: 'Return Results',
	name: 'returnResults',
	type: 'boolean',
	default: false,
	displayOptions: { show: { waitForCompletion: [true] } },
	description: 'Whether to return one item per result instead of the run',
});

const optionalWait = waitParameter(true);

/** How to wait for a run, and what to return then; undefined to return at once. */
export const waitForCompletionOptions: Parameter<(WaitOptions & { returnResults: boolean }) | undefined> = {
	...fieldsAndOptions([waitForCompletion, optionalWait, returnResults]),
	read(values) {
		if (!waitForCompletion.read(values)) return undefined;
		return { ...optionalWait.read(values), returnResults: returnResults.read(values) };
	},
};
