// Decides from a run's status whether it has ended, and how. The words are guesses that users can correct, as the
// contract shows none (section 3).
import type { IDataObject } from 'n8n-workflow';
import { foldCase } from '../utils';

const splitWords = (text: string): string[] => text.split(' ');

export const BUILT_IN_STATUSES = {
	failed: splitWords(
		'aborted canceled cancelled crashed error errored expired failed failure rejected terminated timed_out timeout',
	),
	/** The run may have found only a part. */
	partial: splitWords('completed_with_errors completed_with_warnings partial partially_completed stopped'),
	finished: splitWords('complete completed done ended finished succeeded success successful'),
};

/** A longer text is not a status, and comparing it would take time. */
const MAX_STATUS_LENGTH = 1000;

/** Returns the status of a run as the service spells it, or '' if it has none. */
export const statusOf = ({ status }: IDataObject): string =>
	typeof status === 'string' && status.length <= MAX_STATUS_LENGTH ? status.trim() : '';

/** Letter case and separators of words don't matter: `timedOut` is `timed_out`. */
const normalizeStatus = (status: string) => foldCase(status).replace(/[\s_-]+/g, '') || status;

/** Normalized once per list, because each item of a list is compared. */
const normalizedStatuses = new WeakMap<string[], Set<string>>();

export function matchesStatus(status: string, statuses: string[]): boolean {
	const normalized = normalizedStatuses.get(statuses) ?? new Set(statuses.map(normalizeStatus));
	normalizedStatuses.set(statuses, normalized);
	return normalized.has(normalizeStatus(status));
}

/** Statuses that a user added to the built-in ones. */
export interface AddedStatuses {
	finishedStatuses: string[];
	failedStatuses: string[];
}

const NO_ADDED_STATUSES: AddedStatuses = { finishedStatuses: [], failedStatuses: [] };

/** `open`: the run may not have ended. `partial`: it has ended, and may have found only a part. */
export type RunOutcome = 'open' | 'finished' | 'partial' | 'failed';

/** Statuses of the user take precedence over the built-in ones, and failed ones over finished ones. */
export function runOutcome(status: string, addedStatuses = NO_ADDED_STATUSES): RunOutcome {
	if (matchesStatus(status, addedStatuses.failedStatuses)) return 'failed';
	if (matchesStatus(status, addedStatuses.finishedStatuses)) return 'finished';
	const outcomes = ['failed', 'partial', 'finished'] as const;
	return outcomes.find((outcome) => matchesStatus(status, BUILT_IN_STATUSES[outcome])) ?? 'open';
}

/** Returns a run with its outcome, for n8n workflows that decide by it. */
export const withOutcome = (run: IDataObject, addedStatuses?: AddedStatuses): IDataObject => ({
	...run,
	run_outcome: runOutcome(statusOf(run), addedStatuses),
});
