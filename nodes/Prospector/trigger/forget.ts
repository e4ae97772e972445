// Bounds the trigger's state. Called at the end of a poll, and for runs that are not watched any more; what it forgets
// counts as known.
import type { Turns } from '../transport/turns';
import type { ListState } from './listState';
import { countStoredBytes, type RunState, serializeState, serializeRun, type TriggerState } from './state';

/** Most bytes of the state in n8n's database, with a margin to 1 MB. */
const MAX_STATE_BYTES = 990_000;
/** A hash and a time. */
const BYTES_PER_RESULT = 29;

/** Returns the state as text, and how many entries were forgotten about which something can be missed. */
export async function trimState(state: TriggerState, turns: Turns, maxBytes = MAX_STATE_BYTES) {
	const reducedRuns = new Set<RunState>();
	let forgottenCount = 0;
	for (;;) {
		const { stateText, storedBytes } = await serializeState(state, turns);
		let excessBytes = storedBytes - maxBytes;
		const entries = excessBytes > 0 ? await findTrimCandidates(state, reducedRuns, turns) : [];
		if (entries.length === 0) return { stateText, forgottenCount };
		const inOrder = await turns.sort(entries, (a, b) => a.rank - b.rank || a.sortByMs - b.sortByMs);
		for (const { rank, forget } of inOrder) {
			if (turns.isOver()) await turns.next();
			if (excessBytes <= 0) break;
			excessBytes -= forget();
			if (rank > 0) forgottenCount++;
		}
	}
}

/**
 * Returns all runs and results. The lowest rank is forgotten first; within a rank, the lowest time. Rank 0: nothing can be
 * missed without it. 1: it is watched, or its list has unread items. 2: it was watched before. `forget` removes it, and
 * returns about how many bytes that frees.
 *
 * @param reducedRuns gains the watched runs that are reduced to what was seen of them
 */
async function findTrimCandidates(state: TriggerState, reducedRuns: Set<RunState>, turns: Turns) {
	const entries: Array<{ rank: number; sortByMs: number; forget(): number }> = [];
	for (const workflow of state.workflows.values()) {
		const { runs, listState } = workflow;
		await turns.map(runs, ([id, run]) => {
			const { createdAtMs, nextCheckAtMs, changedAtMs = 0, results } = run;
			const forgetRun = () => {
				runs.delete(id);
				workflow.ignoreBeforeMs = raiseBound(workflow.ignoreBeforeMs, createdAtMs);
				return bytesOf(id, run);
			};
			const reduceRun = () => {
				const reducedRun = toUnwatched(run);
				reducedRuns.add(reducedRun);
				runs.set(id, reducedRun);
				return bytesOf(id, run) - bytesOf(id, reducedRun);
			};
			const rankOf = (list: ListState) => (list.isUnfinished ? 1 : 0);
			const rank = reducedRuns.has(run) ? 2 : rankOf(listState);
			if (nextCheckAtMs === undefined) entries.push({ rank, sortByMs: createdAtMs, forget: forgetRun });
			else entries.push({ rank: 1, sortByMs: changedAtMs, forget: reduceRun });
			for (const [idHash, atMs] of results?.createdAtMsByHash ?? []) {
				const forget = () => {
					results!.createdAtMsByHash.delete(idHash);
					run.ignoreBeforeMs = raiseBound(run.ignoreBeforeMs, atMs);
					return BYTES_PER_RESULT;
				};
				entries.push({ rank: rankOf(results!.listState), sortByMs: atMs, forget });
			}
		});
	}
	return entries;
}

const bytesOf = (id: string, run: RunState): number => countStoredBytes(serializeRun([id, run]));

/** Returns a run that is not watched any more: a bound replaces its results. Its list shows whether it changes again. */
export function toUnwatched(run: RunState): RunState {
	const { createdAtMs, seen, areAllResultsNew, results } = run;
	let { ignoreBeforeMs } = run;
	for (const atMs of results?.createdAtMsByHash.values() ?? [])
		ignoreBeforeMs = raiseBound(ignoreBeforeMs, atMs);
	return { createdAtMs, seen, ignoreBeforeMs, areAllResultsNew };
}

/** Returns the `ignoreBeforeMs` that covers a forgotten entry. */
const raiseBound = (boundMs = 0, atMs: number): number => Math.max(boundMs, atMs + 1);
