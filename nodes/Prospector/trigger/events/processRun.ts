import { runOutcome } from '../../model/runStatus';
import { shortHash } from '../../utils';
import { isWantedStatus, type TriggerSettings } from '../settings';
import type { RunState, WorkflowState } from '../state/triggerState';

/** A run as the service shows it now. Milliseconds on the service's clock; undefined without a valid timestamp. */
export interface RunSnapshot {
	status: string;
	created?: number;
	updated?: number;
}

/** Returns a text that changes whenever a run can have new results. */
export const resultsMark = ({ status, updated }: RunSnapshot) => shortHash(`${status}|${updated ?? ''}`);

/**
 * Decides what a snapshot of a run means for the event. Pure.
 *
 * @returns the run's next state: at once, or when the run has been emitted if it is new; undefined if nothing changes
 */
export function processRun(
	settings: TriggerSettings,
	{ since, floor, list }: WorkflowState,
	before: RunState | undefined,
	snapshot: RunSnapshot,
	now: number,
): { run: RunState; isNew: boolean } | undefined {
	const { status, updated = 0 } = snapshot;
	// A run without a timestamp is an existing one if the list is read for the first time.
	const created = before?.created ?? snapshot.created ?? (list.wholeAt === 0 ? 0 : now);
	if (before === undefined && created < floor) return undefined;
	const isNewRun = before === undefined && created >= since;
	const lastChange = Math.min(Math.max(created, updated), now);
	const changedAt = before === undefined ? lastChange : now;
	// As if it had been read at the baseline, since it may be found days later.
	const existing = (mark: string) => watched({ created, mark }, status, Math.min(lastChange, since), since);

	switch (settings.event) {
		case 'newRun': {
			const isKnown = before !== undefined || (!isNewRun && snapshot.created !== undefined);
			return isKnown ? undefined : { run: { created }, isNew: isNewRun };
		}
		case 'runStatusChanged':
		case 'runFailed': {
			if (before === undefined && !isNewRun) return { run: existing(status), isNew: false };
			if (before?.mark === status) {
				const isDue = before.checkAt !== undefined && before.checkAt <= now;
				return isDue ? { run: watched(before, status, before.changedAt, now), isNew: false } : undefined;
			}
			const hadFailed = settings.event === 'runFailed' && isWantedStatus(settings, before?.mark ?? '');
			const run = watched({ created, mark: status }, status, changedAt, now);
			return { run, isNew: isWantedStatus(settings, status) && !hadFailed };
		}
		case 'newResult': {
			// The results are read when the run is due.
			if (before === undefined) {
				const isUnread = isNewRun || updated >= since;
				const run = isUnread ? { created, changedAt, checkAt: now } : existing(resultsMark(snapshot));
				return { run, isNew: false };
			}
			if (before.mark === undefined || before.mark === resultsMark(snapshot)) return undefined;
			// The earlier check time counts, so that a run that changes constantly is not postponed.
			const checkAt = Math.min(before.checkAt ?? now, now);
			return { run: { ...before, changedAt: now, checkAt }, isNew: false };
		}
	}
}

/** How long a run is watched after its last change. */
const WATCH_FINISHED_MS = 24 * 3_600_000;
const WATCH_UNFINISHED_MS = 30 * WATCH_FINISHED_MS;

/**
 * Returns a run that has been read, with its next check: an unfinished run is due after a quarter of the time since its
 * last change, a finished one, which can only get late results, after the same time again. The contract shows no
 * statuses (section 3): an unknown status counts as unfinished, which costs requests but misses nothing. Pure.
 *
 * @param changedAt when the run last changed; undefined if it need not be watched. Milliseconds, as `now`.
 */
export function watched(run: RunState, status: string, changedAt: number | undefined, now: number): RunState {
	const isFinished = runOutcome(status) !== undefined;
	const unchangedMs = Math.max(now - (changedAt ?? -Infinity), 0);
	const isOver = unchangedMs >= (isFinished ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS);
	if (isOver) return { ...run, changedAt: undefined, checkAt: undefined };
	return { ...run, changedAt, checkAt: now + unchangedMs * (isFinished ? 1 : 0.25) };
}
