import { DEFAULT_FINISHED_STATUSES } from '../../actions/waiting/defaultStatuses';
import { matchesStatus } from '../../model/runStatus';
import type { RunState } from '../state/triggerState';

/** How long a run is watched after its last change. */
const WATCH_FINISHED_MS = 24 * 3_600_000;
const WATCH_UNFINISHED_MS = 30 * WATCH_FINISHED_MS;

/**
 * Returns the state of a run that has been read, with its next check: the longer it has not changed, the later. An
 * unfinished run is due after a quarter of that time; a finished one, which can only get late results, after the same
 * time again. The contract shows no statuses (section 3): an unknown status counts as unfinished, which costs requests
 * but misses nothing. Pure.
 *
 * @param changedAt when the run last changed; undefined if it need not be watched. Milliseconds, as `now`.
 */
export function watched(run: RunState, status: string, changedAt: number | undefined, now: number): RunState {
	const isFinished = matchesStatus(status, DEFAULT_FINISHED_STATUSES);
	const unchangedMs = Math.max(now - (changedAt ?? -Infinity), 0);
	const isOver = unchangedMs >= (isFinished ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS);
	if (isOver) return { ...run, changedAt: undefined, checkAt: undefined };
	return { ...run, changedAt, checkAt: now + unchangedMs * (isFinished ? 1 : 0.25) };
}
