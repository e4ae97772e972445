import type { ListState } from '../../transport/list/listState';
import type { Turns } from '../../transport/turns';
import { encodeRun, type RunState, serializeState, type TriggerState } from './triggerState';

/** Most bytes of the state in n8n's database, where the text is a JSON string in the static data. */
const MAX_STORED_BYTES = 990_000;

/** Whether a run's results have never been read. */
export const wasNeverRead = ({ nextCheckAtMs, statusOrHash }: RunState): boolean =>
	nextCheckAtMs !== undefined && statusOrHash === undefined;

/** What is forgotten, in this order; from the third on, something can be missed. `open`: of a list not emitted to its end. */
const FORGET_ORDER = ['run', 'result', 'openRun', 'openResult', 'watchedRun', 'unreadRun', 'reducedRun'];

interface Forgettable {
	/** Index in {@link FORGET_ORDER}; among equals, the lowest `sortByMs` is forgotten first. */
	rank: number;
	sortByMs: number;
	/** Removes it, and returns about how many bytes that frees. */
	forget(): number;
}

/**
 * Bounds the state. What it forgets counts as known, and is older than what it keeps of the same list.
 *
 * @param nowMs on the service's clock
 * @returns the state as text, and how many entries were forgotten although something about them can be missed
 */
export async function trimState(
	state: TriggerState,
	nowMs: number,
	turns: Turns,
): Promise<{ stateText: string; forgottenCount: number }> {
	const reducedRuns = new Set<RunState>();
	let forgottenCount = 0;
	for (;;) {
		if (turns.isOver()) await turns.next();
		const stateText = serializeState(state);
		let excessBytes = countStoredBytes(stateText) - MAX_STORED_BYTES;
		const entries = excessBytes > 0 ? findForgettable(state, nowMs, reducedRuns) : [];
		if (entries.length === 0) return { stateText, forgottenCount };
		const inOrder = await turns.sort(entries, (a, b) => a.rank - b.rank || a.sortByMs - b.sortByMs);
		for (const { rank, forget } of inOrder) {
			if (turns.isOver()) await turns.next();
			if (excessBytes <= 0) break;
			excessBytes -= forget();
			if (rank >= FORGET_ORDER.indexOf('openRun')) forgottenCount++;
		}
	}
}

const countStoredBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

const bytesOfRun = (id: string, run: RunState) => countStoredBytes(JSON.stringify([id, encodeRun(run)])) - 1;

/** A hash and a time. */
const BYTES_PER_RESULT = 29;

const isOpenList = ({ hasUnemittedItems, unfinishedRead }: ListState) =>
	hasUnemittedItems === true || unfinishedRead !== undefined;

/** @param reducedRuns gains the runs that are reduced to their status */
function findForgettable(state: TriggerState, nowMs: number, reducedRuns: Set<RunState>): Forgettable[] {
	const entries: Forgettable[] = [];
	const addEntry = (entryKind: string, sortByMs: number, forget: Forgettable['forget']) =>
		void entries.push({ rank: FORGET_ORDER.indexOf(entryKind), sortByMs, forget });
	for (const workflow of state.workflows.values()) {
		const { listState, runs } = workflow;
		const hasUnread = [...runs.values()].some((run) => wasNeverRead(run) && run.nextCheckAtMs! <= nowMs);
		const runKind = isOpenList(listState) || hasUnread ? 'openRun' : 'run';
		for (const [id, run] of runs) {
			const { createdAtMs, nextCheckAtMs, changedAtMs = 0, results } = run;
			if (nextCheckAtMs === undefined) {
				addEntry(reducedRuns.has(run) ? 'reducedRun' : runKind, createdAtMs, () => {
					runs.delete(id);
					workflow.ignoreBeforeMs = raiseBound(workflow.ignoreBeforeMs, createdAtMs, nowMs);
					return bytesOfRun(id, run);
				});
				continue;
			}
			for (const [idHash, resultCreatedAtMs] of results?.createdAtMsByHash ?? []) {
				addEntry(isOpenList(results!.listState) ? 'openResult' : 'result', resultCreatedAtMs, () => {
					results!.createdAtMsByHash.delete(idHash);
					run.ignoreBeforeMs = raiseBound(run.ignoreBeforeMs, resultCreatedAtMs, nowMs);
					return BYTES_PER_RESULT;
				});
			}
			addEntry(wasNeverRead(run) ? 'unreadRun' : 'watchedRun', changedAtMs, () => {
				const reducedRun = stopWatching(run, nowMs);
				reducedRuns.add(reducedRun);
				runs.set(id, reducedRun);
				return bytesOfRun(id, run) - bytesOfRun(id, reducedRun);
			});
		}
	}
	return entries;
}

/**
 * Returns a run that is not watched any more: the time of its newest result replaces the results. One that was never read
 * gets an empty `statusOrHash`, so that it is read if its list still contains it.
 */
export function stopWatching(run: RunState, nowMs: number): RunState {
	const { createdAtMs, statusOrHash = '', ignoreBeforeMs, results } = run;
	let boundMs = ignoreBeforeMs;
	for (const atMs of results?.createdAtMsByHash.values() ?? []) boundMs = raiseBound(boundMs, atMs, nowMs);
	return { createdAtMs, statusOrHash, ignoreBeforeMs: boundMs };
}

/** Returns the `ignoreBeforeMs` that covers a forgotten entry. A time in the future would exclude later entries. */
const raiseBound = <T extends number | undefined>(boundMs: T, atMs: number, nowMs: number): T | number =>
	atMs > nowMs ? boundMs : Math.max(boundMs ?? 0, atMs + 1);
