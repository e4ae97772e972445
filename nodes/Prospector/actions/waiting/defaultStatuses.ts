/*
 * Words that a run which has ended may carry. The contract shows no status (section 3), so these are our guess and a
 * person can replace them.
 */

/** Ends that are reported as unsuccessful. */
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

/** All ends: a run whose end is not to be reported has ended all the same. */
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
