// Decides what a run, or a result, means for the trigger. Called by a poll for each one it reads; all functions are pure.
import { runOutcome } from '../model/runStatus';
import { DAY_MS, shortHash } from '../utils';
import type { PollClock } from './pollClock';
import { toUnwatched } from './forget';
import type { ListItem, ListRead, ListState } from './list';
import { isWantedStatus, type TriggerSettings } from './settings';
import { type RunState, type Seen, statusOrHashOf, type WorkflowState } from './state';
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
	clock: PollClock;
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

/** Returns when an item counts as created, by rule 1 (decisions/0002). @param baselineMs 0 if everything in the list is new */
function resolveCreatedAtMs(
	createdAtMs: number | undefined,
	{ fullReadAtMs }: ListState,
	baselineMs: number,
	clock: PollClock,
): number {
	const foundAtMs = clock.foundAtMs(baselineMs);
	if (clock.isUsable(createdAtMs, baselineMs)) return Math.min(Math.max(createdAtMs, 0), foundAtMs);
	return fullReadAtMs === 0 && baselineMs > 0 ? 0 : foundAtMs;
}

/** @returns undefined if nothing changes; `untimed`: the run may be a forgotten one */
export function decideRun(snapshot: RunSnapshot, known: KnownRun): RunUpdate | 'untimed' | undefined {
	const { settings, workflow, baselineMs, storedRun, clock } = known;
	const { ignoreBeforeMs, listState } = workflow;
	const isNewRunEvent = settings.event === 'newRun';
	if (storedRun) return isNewRunEvent ? undefined : decideChange(snapshot, known, storedRun);
	const isTimed = clock.isUsable(snapshot.createdAtMs, baselineMs);
	if (!isTimed && ignoreBeforeMs > 0) return 'untimed';
	const createdAtMs = resolveCreatedAtMs(snapshot.createdAtMs, listState, baselineMs, clock);
	if (createdAtMs < ignoreBeforeMs) return undefined;
	const isNotWantedYet = settings.returnsResultsTogether && !isWantedStatus(settings, snapshot.status);
	const run = { createdAtMs, areAllResultsNew: isNotWantedYet || undefined };
	if (!isNewRunEvent) return decideChange(snapshot, known, run);
	const isExisting = createdAtMs < baselineMs;
	// An existing run without a usable time is stored, because the time can't tell later that the run is not new.
	return isExisting && isTimed ? undefined : { run, mustEmit: !isExisting };
}

/** @param run the stored one, or a new one */
function decideChange(snapshot: RunSnapshot, known: KnownRun, run: RunState): RunUpdate | undefined {
	const { settings, workflow, baselineMs, storedRun, clock } = known;
	const { status, updatedAtMs = 0 } = snapshot;
	const nowMs = clock.now();
	const shownMs = clock.toN8nTime(Math.max(run.createdAtMs, updatedAtMs));
	// Any change is later than the last read of the list, whatever the times of the run are.
	const changedAtMs = Math.min(Math.max(shownMs, workflow.listState.triedAtMs), nowMs);
	const isUnseenExisting = storedRun === undefined && run.createdAtMs < baselineMs;
	const isUnchanged = isUnseenExisting && updatedAtMs < baselineMs;
	const isWanted = isWantedStatus(settings, status);
	const text = settings.returnsResults ? hashSnapshot(snapshot) : status;
	const last = statusOrHashOf(run);
	const isSame = last === text;
	// With another status, or unchanged since the baseline, its results are not read.
	if (settings.returnsResults && isWanted && !isUnchanged)
		return isSame ? undefined : planResults(settings, run, changedAtMs, nowMs);
	if (isSame) {
		const isDue = dueTimeOfRun(run, nowMs) <= nowMs;
		return isDue ? { run: withNextCheck(run, status, run.changedAtMs, nowMs), mustEmit: false } : undefined;
	}
	const nextRun = withNextCheck({ ...run, seen: { kind: 'read', text } }, status, changedAtMs, nowMs);
	// Run Status Changed emits each status; the other events emit a run once. A run whose results are returned is not emitted:
	// here, its status is not wanted, or it is unchanged.
	const wasWanted = settings.event !== 'runStatusChanged' && isWantedStatus(settings, last ?? '');
	return { run: nextRun, mustEmit: isWanted && !wasWanted && !isUnseenExisting };
}

/** Plans when the results of a run are read that has changed. */
function planResults(
	{ returnsResultsTogether }: TriggerSettings,
	run: RunState,
	changedAtMs: number,
	nowMs: number,
): RunUpdate | undefined {
	const isReadPlanned = run.nextCheckAtMs !== undefined && run.seen?.kind !== 'read';
	// A planned read keeps its time. Otherwise, a run that changes constantly would never be read.
	if (isReadPlanned) return undefined;
	const nextCheckAtMs = Math.max(changedAtMs + (returnsResultsTogether ? RESULTS_DELAY_MS : 0), nowMs);
	const seen: Seen = { kind: run.seen ? 'changed' : 'never' };
	return { run: { ...run, changedAtMs, nextCheckAtMs, seen, failingSinceMs: undefined }, mustEmit: false };
}

/**
 * @param baselineMs of the Prospector workflow
 * @returns when it counts as created, if it is new; `known`: it is not new, and need not be stored; `existing`: it is
 *   not new, and must be stored, because its time can't tell this later; `untimed`: it may be a forgotten one
 */
export function decideResult(
	{ idHash, createdAtMs }: Pick<ListItem, 'idHash' | 'createdAtMs'>,
	{ createdAtMs: runCreatedAtMs, ignoreBeforeMs = 0, areAllResultsNew, results }: RunState,
	baselineMs: number,
	clock: PollClock,
): { createdAtMs: number } | 'known' | 'existing' | 'untimed' {
	if (results?.createdAtMsByHash.has(idHash)) return 'known';
	// All results of a new run are new, whatever their times are.
	const sinceMs = areAllResultsNew || runCreatedAtMs >= baselineMs ? 0 : baselineMs;
	if (ignoreBeforeMs > 0 && !clock.isUsable(createdAtMs, sinceMs)) return 'untimed';
	const atMs = resolveCreatedAtMs(createdAtMs, results!.listState, sinceMs, clock);
	if (atMs >= Math.max(sinceMs, ignoreBeforeMs)) return { createdAtMs: atMs };
	return atMs === 0 && ignoreBeforeMs === 0 ? 'existing' : 'known';
}

/**
 * Returns a run after a read of its results has ended.
 *
 * @param read.isMissing whether the service has none yet
 * @param read.hasNew whether it has found new ones
 * @param startedAtMs when the read started, on n8n's clock
 */
export function afterResultsRead(
	run: RunState,
	snapshot: RunSnapshot,
	read: Pick<ListRead, 'isFinished'> & { isMissing: boolean; hasNew: boolean },
	startedAtMs: number,
): RunState {
	const { status } = snapshot;
	const changedAtMs = read.hasNew ? startedAtMs : run.changedAtMs;
	const seen: Seen = { kind: 'read', text: hashSnapshot(snapshot) };
	if (read.isMissing) return withMissingRunCheck({ ...run, changedAtMs, seen }, status, startedAtMs);
	if (!read.isFinished) return { ...run, changedAtMs };
	// The next read finds what was added to the first pages since this one has started.
	return withNextCheck({ ...run, seen }, status, changedAtMs, startedAtMs);
}

/** How long a run is watched after its last change. */
const WATCH_FINISHED_MS = DAY_MS;
const WATCH_UNFINISHED_MS = 30 * DAY_MS;

/**
 * Returns a run that has been read, with its next check: when the time since its last change has grown by a quarter or,
 * for a finished run, which can only get late results, has doubled. The contract shows no statuses (section 3): an
 * unknown status counts as unfinished, which misses nothing.
 *
 * @param changedAtMs when the run last changed; undefined if it need not be watched. Milliseconds on n8n's clock, as `nowMs`
 */
export function withNextCheck(run: RunState, status: string, changedAtMs: number | undefined, nowMs: number) {
	const isFinished = runOutcome(status) !== 'open';
	// A time in the future is from before n8n's clock was set back.
	const sinceMs = Math.min(changedAtMs ?? -Infinity, nowMs);
	const unchangedMs = nowMs - sinceMs;
	if (unchangedMs >= (isFinished ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS)) return toUnwatched(run);
	const nextCheckAtMs = Math.ceil(nowMs + unchangedMs * (isFinished ? 1 : 0.25));
	return {
		...run,
		changedAtMs: sinceMs,
		nextCheckAtMs,
		wasWatchExtended: undefined,
		failingSinceMs: undefined,
	};
}

/**
 * Returns a run with its next check, after it or its results were not found. When its watch would end, the watch is
 * extended once, so that no single wrong response ends it: results can be missing until they exist.
 */
export function withMissingRunCheck(run: RunState, status: string, nowMs: number): RunState {
	const nextRun = withNextCheck(run, status, run.changedAtMs, nowMs);
	if (nextRun.nextCheckAtMs !== undefined) return { ...nextRun, wasWatchExtended: run.wasWatchExtended };
	return run.wasWatchExtended
		? nextRun
		: { ...withNextCheck(run, status, nowMs, nowMs), wasWatchExtended: true };
}
