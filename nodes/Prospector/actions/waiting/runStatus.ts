import type { IDataObject } from 'n8n-workflow';

/**
 * Words that a finished run may carry. The contract shows no status (section 3), so these are our guess and a person
 * can replace them.
 */
export const DEFAULT_FINISHED_STATUSES = [
	'aborted',
	'canceled',
	'cancelled',
	'complete',
	'completed',
	'completed_with_errors',
	'completed_with_warnings',
	'done',
	'ended',
	'error',
	'errored',
	'expired',
	'failed',
	'failure',
	'finished',
	'partial',
	'partially_completed',
	'stopped',
	'succeeded',
	'success',
	'successful',
	'terminated',
	'timed_out',
	'timeout',
];

export interface WaitPlan {
	/** Milliseconds from the first look at the run. */
	maxWait: number;
	/** In lower case. */
	finished: string[];
	/** Whether the finished run's results are wanted in place of the run. */
	returnResults?: boolean;
}

/** @returns the run's status as the service spells it, or '' where it has none */
export const statusOf = (run: IDataObject) => (typeof run.status === 'string' ? run.status.trim() : '');

/** Neither case nor the sign between two words makes another status. */
const alike = (status: string) =>
	status
		.trim()
		.toLowerCase()
		.replace(/[\s_-]+/g, '_');

export function isFinished(run: IDataObject, { finished }: WaitPlan): boolean {
	return finished.map(alike).includes(alike(statusOf(run)));
}

const FIRST_PAUSE = 1000;
const GROWTH = 1.5;
const LONGEST_PAUSE = 30_000;

/**
 * How long to pause before the next look at a run: growing, so that long runs cost few requests, and spread, so that
 * many executions do not ask in step.
 *
 * @param looks how often the run was looked at so far, from 1
 * @param random from 0 up to 1
 * @param left milliseconds until the deadline, which a pause never passes
 * @returns milliseconds
 */
export function pauseBeforeLook(looks: number, random: number, left: number): number {
	const pause = Math.min(FIRST_PAUSE * GROWTH ** (looks - 1), LONGEST_PAUSE);
	return Math.min(Math.round(pause * (0.8 + 0.4 * random)), left);
}
