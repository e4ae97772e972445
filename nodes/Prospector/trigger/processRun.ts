import { runOutcome } from '../model/runStatus';
import { DAY_MS, MINUTE_MS, shortHash } from '../utils';
import { isWantedStatus, type TriggerSettings } from './settings';
import { stopWatching } from './state/trimState';
import type { RunState, WorkflowState } from './state/triggerState';

/** A run as the service shows it now. Milliseconds on the service's clock; undefined without a valid timestamp. */
export interface RunSnapshot {
	status: string;
	createdMs?: number;
	updatedMs?: number;
}

/** Returns a text that changes whenever a run can have new results. */
export const buildResultsMark = ({ status, updatedMs }: RunSnapshot) =>
	shortHash(`${status}|${updatedMs ?? ''}`);

/** A creation time that is later than this, after now, is wrong. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE_MS;

export const isUsableTime = (createdMs: number | undefined, nowMs: number): createdMs is number =>
	createdMs !== undefined && createdMs <= nowMs + MAX_CLOCK_SKEW_MS;

/**
 * Returns when an item counts as created. Without a usable time, it existed at the baseline if its list is read for the
 * first time, and is new otherwise. Pure.
 */
export const resolveCreationTime = (
	createdMs: number | undefined,
	existed: boolean,
	nowMs: number,
): number => (isUsableTime(createdMs, nowMs) ? createdMs : existed ? 0 : (createdMs ?? nowMs));

/**
 * Decides what a snapshot of a run means for the event. Pure.
 *
 * @param latestMs what is later is in the future, if it is uncertain which clock is right
 * @returns the run's next state: at once, or when the run has been emitted if it is new; undefined if nothing changes
 */
export function processRun(
	settings: TriggerSettings,
	{ sinceMs, floorMs, list, isNew: isNewWorkflow }: WorkflowState,
	before: RunState | undefined,
	snapshot: RunSnapshot,
	nowMs: number,
	latestMs: number,
): { run: RunState; isNew: boolean } | undefined {
	const { status, updatedMs = 0 } = snapshot;
	const existed = list.wholeAtMs === 0 && !isNewWorkflow;
	const createdMs = before?.createdMs ?? resolveCreationTime(snapshot.createdMs, existed, latestMs);
	if (before === undefined && createdMs < floorMs) return undefined;
	const isNewRun = before === undefined && createdMs >= sinceMs;
	const lastChangeMs = Math.min(Math.max(createdMs, updatedMs), nowMs);
	const changedAtMs = before === undefined ? lastChangeMs : nowMs;
	// As if it had been read at the baseline, since it may be found days later.
	const existing = (mark: string) =>
		watchRun({ createdMs, mark }, status, Math.min(lastChangeMs, sinceMs), sinceMs);

	switch (settings.event) {
		case 'newRun': {
			const isKnown = before !== undefined || (!isNewRun && isUsableTime(snapshot.createdMs, latestMs));
			return isKnown ? undefined : { run: { createdMs }, isNew: isNewRun };
		}
		case 'runStatusChanged':
		case 'runFailed': {
			if (before === undefined && !isNewRun) return { run: existing(status), isNew: false };
			if (before?.mark === status) {
				const isDue = before.checkAtMs !== undefined && before.checkAtMs <= nowMs;
				return isDue ? { run: watchRun(before, status, before.changedAtMs, nowMs), isNew: false } : undefined;
			}
			const hadFailed = settings.event === 'runFailed' && isWantedStatus(settings, before?.mark ?? '');
			const run = watchRun({ createdMs, mark: status }, status, changedAtMs, nowMs);
			return { run, isNew: isWantedStatus(settings, status) && !hadFailed };
		}
		case 'newResult': {
			// The results are read when the run is due.
			if (before === undefined) {
				const isUnread = isNewRun || updatedMs >= sinceMs;
				const run = isUnread
					? { createdMs, changedAtMs, checkAtMs: nowMs }
					: existing(buildResultsMark(snapshot));
				return { run, isNew: false };
			}
			if (before.mark === undefined || before.mark === buildResultsMark(snapshot)) return undefined;
			// The earlier check time counts, so that a run that changes constantly is not postponed.
			const checkAtMs = Math.min(before.checkAtMs ?? nowMs, nowMs);
			return { run: { ...before, changedAtMs: nowMs, checkAtMs }, isNew: false };
		}
	}
}

/** How long a run is watched after its last change. */
const WATCH_FINISHED_MS = DAY_MS;
const WATCH_UNFINISHED_MS = 30 * DAY_MS;

/**
 * Returns a run that has been read, with its next check: an unfinished run after a quarter of the time since its last
 * change, a finished one, which can only get late results, after the same time again. The contract shows no statuses
 * (section 3): an unknown status counts as unfinished, which misses nothing. Pure.
 *
 * @param changedAtMs when the run last changed; undefined if it need not be watched. Milliseconds, as `nowMs`.
 */
export function watchRun(
	run: RunState,
	status: string,
	changedAtMs: number | undefined,
	nowMs: number,
): RunState {
	const isFinished = runOutcome(status) !== undefined;
	const unchangedMs = Math.max(nowMs - (changedAtMs ?? -Infinity), 0);
	if (unchangedMs >= (isFinished ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS)) return stopWatching(run, nowMs);
	const checkAtMs = Math.ceil(nowMs + unchangedMs * (isFinished ? 1 : 0.25));
	return { ...run, changedAtMs, checkAtMs, isMissing: undefined };
}

/**
 * Returns a run that was not found, or whose results were not. Its watch starts once more when it would end: after a long
 * outage, a single wrong response would end it. Pure.
 */
export function keepMissingRun(run: RunState, status: string, nowMs: number): RunState {
	const next = watchRun(run, status, run.changedAtMs, nowMs);
	if (next.checkAtMs !== undefined) return { ...next, isMissing: run.isMissing };
	return run.isMissing ? next : { ...watchRun(run, status, nowMs, nowMs), isMissing: true };
}
