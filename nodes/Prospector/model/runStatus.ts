import type { IDataObject } from 'n8n-workflow';

export interface WaitOptions {
	/** Milliseconds from the first look at the run. */
	maxWait: number;
	/** Statuses that end the wait. */
	finished: string[];
	/** Statuses that end it as unsuccessful, whether or not they are among the former. */
	failed: string[];
	/** Whether the finished run's results are wanted in place of the run. */
	returnResults?: boolean;
}

/** @returns the run's status as the service spells it, or '' where it has none */
export const statusOf = (run: IDataObject) => (typeof run.status === 'string' ? run.status.trim() : '');

/** Neither case nor the sign between two words makes another status. */
const normalizeStatus = (status: string) =>
	status
		.trim()
		.toLowerCase()
		.replace(/[\s_-]+/g, '_');

/** A longer text is no status: comparing it would only take time. */
const MAX_STATUS_LENGTH = 1000;

/** Whether a status is one of these. */
export function matchesStatus(status: string, statuses: string[]): boolean {
	if (status.length > MAX_STATUS_LENGTH) return false;
	const wanted = normalizeStatus(status);
	return statuses.some((other) => normalizeStatus(other) === wanted);
}

/** How a run has ended. */
export type RunOutcome = 'finished' | 'failed';

/** @returns undefined for a run that has not ended */
export function runOutcome(
	run: IDataObject,
	{ finished, failed }: Pick<WaitOptions, 'finished' | 'failed'>,
): RunOutcome | undefined {
	const status = statusOf(run);
	if (matchesStatus(status, failed)) return 'failed';
	return matchesStatus(status, finished) ? 'finished' : undefined;
}

const INITIAL_POLL_INTERVAL_MS = 1000;
const GROWTH = 1.5;
const MAX_POLL_INTERVAL_MS = 30_000;

/**
 * How long to pause before the next look at a run: growing, so that long runs cost few requests, and spread, so that
 * many executions do not ask in step.
 *
 * @param looks how often the run was looked at so far, from 1
 * @param random from 0 up to 1
 * @param left milliseconds until the deadline, which a pause never passes
 * @returns milliseconds
 */
export function pollInterval(looks: number, random: number, left: number): number {
	const pause = Math.min(INITIAL_POLL_INTERVAL_MS * GROWTH ** (looks - 1), MAX_POLL_INTERVAL_MS);
	return Math.min(Math.round(pause * (0.8 + 0.4 * random)), left);
}
