// Decides what a run, or a result, means for the trigger. Called by a poll for each one it reads; all functions
// only compute.
import { runOutcome } from '../model/runStatus';
import { DAY_MS, MINUTE_MS, shortHash } from '../utils';
import type { PollClock } from './pollClock';
import { toUnwatched } from './forget';
import { isWantedStatus, type TriggerSettings } from './settings';
import type { ListState } from './listState';
import type { RunState, WorkflowState } from './state';
import { dueTimeOfRun } from './taskQueue';

/** A run as the service shows it now. Milliseconds on the service's clock; undefined without a valid timestamp. */
export interface RunSnapshot {
	status: string;
	createdAtMs?: number;
	updatedAtMs?: number;
}

/** What a snapshot of a run is compared with. */
interface KnownRun {
	settings: TriggerSettings;
	workflow: Pick<WorkflowState, 'ignoreBeforeMs' | 'listState'>;
	/** On the service's clock. */
	baselineMs: number;
	storedRun?: RunState;
	pollClock: PollClock;
}

/** What a run becomes, and whether it is emitted. Both are stored together. */
interface RunUpdate {
	run: RunState;
	mustEmit: boolean;
}

/** Returns a text that changes whenever a run can have new results. */
export const hashSnapshot = ({ status, updatedAtMs }: RunSnapshot) =>
	shortHash(`${status}|${updatedAtMs ?? ''}`);

/** A service may show the results of a run one by one for this long after its end (contract, section 3). */
const RESULTS_DELAY_MS = 30_000;

/** A creation time is wrong if it is later than the service's clock and the baseline by more than this. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE_MS;

/** Why an item is left out. `forgotten`: it is from before the bound. `untimed`: it may be from before the bound. */
type LeftOut = 'forgotten' | 'untimed';

/**
 * Returns when an item counts as created, by rule 1 (decisions/0002), on the service's clock; 0 if it existed, but has no
 * usable time.
 *
 * @param baselineMs 0 if everything in the list is new
 */
export function dateItem(
	createdAtMs: number | undefined,
	{ ignoreBeforeMs = 0, listState }: { ignoreBeforeMs?: number; listState: ListState },
	baselineMs: number,
	pollClock: PollClock,
): number | LeftOut {
	const foundAtMs = Math.max(pollClock.serviceNow(), baselineMs);
	const isTimed = createdAtMs !== undefined && createdAtMs <= foundAtMs + MAX_CLOCK_SKEW_MS;
	if (!isTimed) {
		if (ignoreBeforeMs > 0) return 'untimed';
		const isFirstRead = listState.fullReadAtMs === 0;
		return isFirstRead && baselineMs > 0 ? 0 : foundAtMs;
	}
	const atMs = Math.min(Math.max(createdAtMs, 0), foundAtMs);
	return atMs < ignoreBeforeMs ? 'forgotten' : atMs;
}

/** @returns undefined if nothing changes */
export function decideRun(snapshot: RunSnapshot, known: KnownRun): RunUpdate | LeftOut | undefined {
	const { settings, workflow, baselineMs, storedRun, pollClock } = known;
	const isNewRunEvent = settings.event === 'newRun';
	if (storedRun) return isNewRunEvent ? undefined : decideChange(snapshot, known, storedRun);
	const createdAtMs = dateItem(snapshot.createdAtMs, workflow, baselineMs, pollClock);
	if (typeof createdAtMs === 'string') return createdAtMs;
	const isNotWantedYet = settings.returnsResultsTogether && !isWantedStatus(settings, snapshot.status);
	const run = { createdAtMs, areAllResultsNew: isNotWantedYet || undefined };
	if (!isNewRunEvent) return decideChange(snapshot, known, run);
	const mustEmit = createdAtMs >= baselineMs;
	// An existing run without a usable time is stored, because the time can't tell later that the run is not new.
	return mustEmit || createdAtMs === 0 ? { run, mustEmit } : undefined;
}

/** @param run the stored one, or a new one */
function decideChange(snapshot: RunSnapshot, known: KnownRun, run: RunState): RunUpdate | undefined {
	const { settings, workflow, baselineMs, storedRun, pollClock } = known;
	const { status, updatedAtMs = 0 } = snapshot;
	const nowMs = pollClock.now();
	const shownMs = pollClock.toN8nTime(Math.max(run.createdAtMs, updatedAtMs));
	// The last read of the list did not show the change, so it is later, whatever the times of the run are.
	const changedAtMs = Math.min(Math.max(shownMs, workflow.listState.triedAtMs), nowMs);
	const isUnseenExisting = storedRun === undefined && run.createdAtMs < baselineMs;
	const isUnchangedSinceBaseline = isUnseenExisting && updatedAtMs < baselineMs;
	const isWanted = isWantedStatus(settings, status);
	const mayHaveNewResults = settings.returnsResults && isWanted && !isUnchangedSinceBaseline;
	const seen = settings.returnsResults ? hashSnapshot(snapshot) : status;
	if (run.seen === seen) {
		// Its results are read by a task of their own, which plans the next check.
		const isDue = !mayHaveNewResults && dueTimeOfRun(run, nowMs) <= nowMs;
		return isDue ? { run: withNextCheck(run, status, nowMs), mustEmit: false } : undefined;
	}
	if (mayHaveNewResults) return planResults(settings, run, changedAtMs, nowMs);
	const nextRun = withNextCheck({ ...run, changedAtMs, seen }, status, nowMs);
	if (settings.returnsResults) return { run: nextRun, mustEmit: false };
	// Run Status Changed emits each status, and the other events emit a run each time that it comes to a wanted one.
	const wasWanted = settings.event !== 'runStatusChanged' && isWantedStatus(settings, run.seen);
	return { run: nextRun, mustEmit: isWanted && !wasWanted && !isUnseenExisting };
}

/** Plans when to read the results of a run that has changed. */
function planResults(
	{ returnsResultsTogether }: TriggerSettings,
	run: RunState,
	changedAtMs: number,
	nowMs: number,
): RunUpdate | undefined {
	const isReadPlanned = run.nextCheckAtMs !== undefined && run.seen === undefined;
	// A planned read keeps its time. Otherwise, a run that changes constantly would never be read.
	if (isReadPlanned) return undefined;
	const nextCheckAtMs = Math.max(changedAtMs + (returnsResultsTogether ? RESULTS_DELAY_MS : 0), nowMs);
	const changed = { changedAtMs, nextCheckAtMs, seen: undefined, failingSinceMs: undefined };
	return { run: { ...run, ...changed }, mustEmit: false };
}

/** Returns from when on a result is new. All results of a new run are new, whatever their times are. */
export const baselineOfResults = ({ createdAtMs, areAllResultsNew }: RunState, baselineMs: number): number =>
	areAllResultsNew || createdAtMs >= baselineMs ? 0 : baselineMs;

/** How long a run is watched after its last change. */
const WATCH_FINISHED_MS = DAY_MS;
const WATCH_UNFINISHED_MS = 30 * DAY_MS;

/**
 * Returns a run that has been read, with the time of its next check: after a quarter of the time since its last change or,
 * for a finished run, which can only get late results, after all of it. The contract shows no statuses (section 3): an
 * unknown status counts as unfinished, which misses nothing.
 *
 * @param nowMs when it was read, on n8n's clock
 * @param isMissing whether it or its results were not found. One wrong response must not end its watch, so this extends it
 *   once
 */
export function withNextCheck(run: RunState, status: string, nowMs: number, isMissing = false): RunState {
	const hasEnded = runOutcome(status) !== 'open';
	// A time in the future is from before n8n's clock was set back.
	const lastChangeMs = Math.min(run.changedAtMs ?? -Infinity, nowMs);
	const isWatchOver = nowMs - lastChangeMs >= (hasEnded ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS);
	if (isWatchOver && (!isMissing || run.wasWatchExtended)) return toUnwatched(run);
	const changedAtMs = isWatchOver ? nowMs : lastChangeMs;
	const nextCheckAtMs = Math.ceil(nowMs + (nowMs - changedAtMs) * (hasEnded ? 1 : 0.25));
	const wasWatchExtended = (isMissing && (isWatchOver || run.wasWatchExtended)) || undefined;
	return { ...run, changedAtMs, nextCheckAtMs, wasWatchExtended, failingSinceMs: undefined };
}
