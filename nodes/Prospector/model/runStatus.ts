import type { IDataObject } from 'n8n-workflow';

/** The contract shows no statuses (section 3), so the words of both lists are guesses that users can replace. */
export const DEFAULT_FAILED_STATUSES = [
	'aborted',
	'canceled',
	'cancelled',
	'crashed',
	'error',
	'errored',
	'expired',
	'failed',
	'failure',
	'rejected',
	'terminated',
	'timed_out',
	'timeout',
];

/** Statuses of runs that have ended, with or without success. */
export const DEFAULT_FINISHED_STATUSES = [
	...DEFAULT_FAILED_STATUSES,
	'complete',
	'completed',
	'completed_with_errors',
	'completed_with_warnings',
	'done',
	'ended',
	'finished',
	'partial',
	'partially_completed',
	'stopped',
	'succeeded',
	'success',
	'successful',
].sort();

/** Returns the status of a run as the service spells it, or '' if it has none. */
export const statusOf = (run: IDataObject) => (typeof run.status === 'string' ? run.status.trim() : '');

/** Letter case and the separator of words don't matter. */
const normalizeStatus = (status: string) =>
	status
		.trim()
		.toLowerCase()
		.replace(/[\s_-]+/g, '_');

/** A longer text is not a status, and comparing it would take time. */
const MAX_STATUS_LENGTH = 1000;

export function matchesStatus(status: string, statuses: string[]): boolean {
	if (status.length > MAX_STATUS_LENGTH) return false;
	const wanted = normalizeStatus(status);
	return statuses.some((other) => normalizeStatus(other) === wanted);
}

/** Statuses that end a run. A status in both lists is a failed one. */
export interface EndStatuses {
	finished: string[];
	failed: string[];
}

/** Returns undefined for a run that has not ended. */
export function runOutcome(
	run: IDataObject,
	{ finished, failed }: EndStatuses,
): 'finished' | 'failed' | undefined {
	const status = statusOf(run);
	if (matchesStatus(status, failed)) return 'failed';
	return matchesStatus(status, finished) ? 'finished' : undefined;
}
