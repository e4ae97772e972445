import { runOutcome } from '../model/runStatus';
import { DAY_MS, MINUTE_MS, shortHash } from '../utils';
import { isWantedStatus, type TriggerSettings } from './settings';
import { stopWatching } from './state/trimState';
import type { RunState, WorkflowState } from './state/triggerState';

/** A run as the service shows it now. Milliseconds on the service's clock; undefined without a valid timestamp. */
export interface RunSnapshot {
	status: string;
	createdAtMs?: number;
	updatedAtMs?: number;
}

/** Returns a text that changes whenever a run can have new results. */
export const hashSnapshot = ({ status, updatedAtMs }: RunSnapshot) =>
	shortHash(`${status}|${updatedAtMs ?? ''}`);

/** A creation time that is later than this, after now, is wrong. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE_MS;
/** A service may show the results of a run one by one for this long after the run has finished. */
const RESULTS_DELAY_MS = 30_000;

export const isUsableTime = (createdAtMs: number | undefined, nowMs: number): createdAtMs is number =>
	createdAtMs !== undefined && createdAtMs <= nowMs + MAX_CLOCK_SKEW_MS;

/**
 * Returns when an item counts as created. Without a usable time, it existed at the baseline if its list is read for the
 * first time, and is new otherwise. Pure.
 */
export function resolveCreatedAtMs(isBaselineRead: boolean, nowMs: number, createdAtMs?: number): number {
	if (isUsableTime(createdAtMs, nowMs)) return Math.max(createdAtMs, 0);
	return isBaselineRead ? 0 : (createdAtMs ?? nowMs);
}

/**
 * Decides what a snapshot of a run means for the event. Pure.
 *
 * @param latestNowMs what is later is in the future, if it is uncertain which clock is right
 * @returns the run's next state: at once, or once it is emitted if it must be; undefined if nothing changes
 */
export function decideRunUpdate(
	settings: TriggerSettings,
	{ baselineMs, ignoreBeforeMs, listState, isCreatedAfterBaseline }: WorkflowState,
	storedRun: RunState | undefined,
	snapshot: RunSnapshot,
	nowMs: number,
	latestNowMs: number,
): { run: RunState; mustEmit: boolean } | undefined {
	const { event, returnsResults, returnsResultsTogether } = settings;
	const { status, updatedAtMs = 0 } = snapshot;
	const isBaselineRead = listState.fullReadAtMs === 0 && !isCreatedAfterBaseline;
	const createdAtMs =
		storedRun?.createdAtMs ?? resolveCreatedAtMs(isBaselineRead, latestNowMs, snapshot.createdAtMs);
	if (storedRun === undefined && createdAtMs < ignoreBeforeMs) return undefined;
	const isNewRun = storedRun === undefined && createdAtMs >= baselineMs;
	if (event === 'newRun') {
		const isKnown = storedRun !== undefined || (!isNewRun && isUsableTime(snapshot.createdAtMs, latestNowMs));
		return isKnown ? undefined : { run: { createdAtMs }, mustEmit: isNewRun };
	}
	const isWanted = isWantedStatus(settings, status);
	const statusOrHash = returnsResults ? hashSnapshot(snapshot) : status;
	// If it has not finished before the baseline, even its oldest results are new.
	const initialRun =
		returnsResultsTogether && (isNewRun || !isWanted) ? { createdAtMs, ignoreBeforeMs: 0 } : { createdAtMs };
	const lastModifiedAtMs = Math.min(Math.max(createdAtMs, updatedAtMs), nowMs);
	if (storedRun === undefined && !isNewRun && !(returnsResults && updatedAtMs >= baselineMs)) {
		// As if it had been read at the baseline, since it may be found days later.
		const changedAtMs = Math.min(lastModifiedAtMs, baselineMs);
		const run = withNextCheck({ ...initialRun, statusOrHash }, status, changedAtMs, baselineMs);
		return { run, mustEmit: false };
	}
	const run = storedRun ?? initialRun;
	// Without a later time of the change, it may just have happened.
	const isChangeTimeKnown = storedRun === undefined || updatedAtMs > (storedRun.changedAtMs ?? createdAtMs);
	const changedAtMs = isChangeTimeKnown ? lastModifiedAtMs : nowMs;
	if (returnsResults && isWanted) {
		// The results are read when the run is due. A run that changes constantly is not postponed.
		const isReadPlanned = storedRun?.nextCheckAtMs !== undefined && !storedRun.statusOrHash;
		if (isReadPlanned || storedRun?.statusOrHash === statusOrHash) return undefined;
		const nextCheckAtMs = Math.max(changedAtMs + (returnsResultsTogether ? RESULTS_DELAY_MS : 0), nowMs);
		return { run: { ...run, statusOrHash: storedRun && '', changedAtMs, nextCheckAtMs }, mustEmit: false };
	}
	if (storedRun?.statusOrHash === statusOrHash) {
		const { nextCheckAtMs = Infinity } = storedRun;
		if (nextCheckAtMs > nowMs) return undefined;
		return { run: withNextCheck(storedRun, status, storedRun.changedAtMs, nowMs), mustEmit: false };
	}
	const wasWanted = event !== 'runStatusChanged' && isWantedStatus(settings, storedRun?.statusOrHash ?? '');
	const nextRun = withNextCheck({ ...run, statusOrHash }, status, changedAtMs, nowMs);
	return { run: nextRun, mustEmit: isWanted && !wasWanted };
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
export function withNextCheck(run: RunState, status: string, changedAtMs: number | undefined, nowMs: number) {
	const isFinished = runOutcome(status) !== undefined;
	const unchangedMs = Math.max(nowMs - (changedAtMs ?? -Infinity), 0);
	if (unchangedMs >= (isFinished ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS)) return stopWatching(run, nowMs);
	const nextCheckAtMs = Math.ceil(nowMs + unchangedMs * (isFinished ? 1 : 0.25));
	return { ...run, changedAtMs, nextCheckAtMs, isRewatched: undefined };
}

/**
 * Returns a run with its next check, after it or its results were not found. Its watch is extended once: after a long
 * outage, a single wrong response would end it. Pure.
 */
export function withMissingRunCheck(run: RunState, status: string, nowMs: number): RunState {
	const nextRun = withNextCheck(run, status, run.changedAtMs, nowMs);
	if (nextRun.nextCheckAtMs !== undefined) return { ...nextRun, isRewatched: run.isRewatched };
	return run.isRewatched ? nextRun : { ...withNextCheck(run, status, nowMs, nowMs), isRewatched: true };
}
