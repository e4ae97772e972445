import type { WatchedRun } from './triggerState';

const HOUR = 3_600_000;

/** How long something must have been quiet before it is watched no longer, in milliseconds. */
const FINISHED_QUIET = 24 * HOUR;
const UNFINISHED_QUIET = 30 * 24 * HOUR;

/**
 * When to look at a run again: the longer it has been quiet, the later. A run that has not finished, or whose status
 * nobody knows, is looked at more often than one that is only waited for results that come late.
 *
 * @param now on the clock of `quietSince`
 * @returns undefined where it need not be watched any more
 */
export function nextLook({ quietSince }: WatchedRun, isFinished: boolean, now: number): number | undefined {
	const quiet = Math.max(now - quietSince, 0);
	if (quiet >= (isFinished ? FINISHED_QUIET : UNFINISHED_QUIET)) return undefined;
	return now + quiet * (isFinished ? 1 : 0.25);
}
