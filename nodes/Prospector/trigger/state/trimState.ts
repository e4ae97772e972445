import type { ListPosition } from '../../transport/list/listPosition';
import { encodeRun, type RunState, serializeState, type TriggerState } from './triggerState';

/** Most bytes of the state in n8n's database, where the text is a JSON string in the static data. */
const MAX_STORED_BYTES = 990_000;

/** Whether a run's results have never been read. */
export const isUnread = ({ checkAtMs, mark }: RunState): boolean =>
	checkAtMs !== undefined && mark === undefined;

/** What the state can forget, in this order. From the third on, something can be missed. */
const RANKS = ['run', 'result', 'runOfOpenList', 'resultOfOpenList', 'watchedRun', 'unreadRun', 'reducedRun'];

interface Entry {
	rank: number;
	/** The lowest of a rank is forgotten first. */
	timeMs: number;
	/** Removes it, and returns about how many bytes that frees. */
	forget(): number;
}

/**
 * Bounds the state. What it forgets counts as known, and is older than what it keeps of the same list.
 *
 * @param nowMs on the service's clock
 * @returns the state as text, and how many entries were forgotten although something about them can be missed
 */
export function trimState(state: TriggerState, nowMs: number): { text: string; missed: number } {
	const reduced = new Set<RunState>();
	let missed = 0;
	for (;;) {
		const text = serializeState(state);
		let excess = storedBytes(text) - MAX_STORED_BYTES;
		const entries = excess > 0 ? entriesOf(state, nowMs, reduced) : [];
		if (entries.length === 0) return { text, missed };
		entries.sort((a, b) => a.rank - b.rank || a.timeMs - b.timeMs);
		for (const { rank, forget } of entries) {
			if (excess <= 0) break;
			excess -= forget();
			if (rank >= RANKS.indexOf('runOfOpenList')) missed++;
		}
	}
}

const storedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

const runBytes = (id: string, run: RunState) => storedBytes(JSON.stringify([id, encodeRun(run)])) - 1;

/** A hash and a time. */
const RESULT_BYTES = 29;

const isOpenList = ({ isOpen, unfinished }: ListPosition) => isOpen === true || unfinished !== undefined;

/** @param reduced gains the runs that are reduced to their status */
function entriesOf({ workflows }: TriggerState, nowMs: number, reduced: Set<RunState>): Entry[] {
	const entries: Entry[] = [];
	const add = (rank: string, timeMs: number, forget: Entry['forget']) =>
		void entries.push({ rank: RANKS.indexOf(rank), timeMs, forget });
	for (const workflow of workflows.values()) {
		const { list, runs } = workflow;
		const rankOfRun = isOpenList(list) || [...runs.values()].some(isUnread) ? 'runOfOpenList' : 'run';
		for (const [id, run] of runs) {
			const { createdMs, checkAtMs, changedAtMs = 0, results } = run;
			if (checkAtMs === undefined) {
				add(reduced.has(run) ? 'reducedRun' : rankOfRun, createdMs, () => {
					runs.delete(id);
					workflow.floorMs = raisedFloor(workflow.floorMs, createdMs, nowMs);
					return runBytes(id, run);
				});
				continue;
			}
			for (const [hash, timeMs] of results?.seen ?? []) {
				add(isOpenList(results!.list) ? 'resultOfOpenList' : 'result', timeMs, () => {
					results!.seen.delete(hash);
					run.floorMs = raisedFloor(run.floorMs, timeMs, nowMs);
					return RESULT_BYTES;
				});
			}
			add(isUnread(run) ? 'unreadRun' : 'watchedRun', changedAtMs, () => {
				const rest = stopWatching(run, nowMs);
				reduced.add(rest);
				runs.set(id, rest);
				return runBytes(id, run) - runBytes(id, rest);
			});
		}
	}
	return entries;
}

/**
 * Returns a run that is not watched any more: the time of its newest result replaces the results. One that was never read
 * gets an empty mark, so that it is read if its list still contains it.
 */
export function stopWatching({ createdMs, mark = '', floorMs, results }: RunState, nowMs: number): RunState {
	let nextFloorMs = floorMs;
	for (const timeMs of results?.seen.values() ?? []) nextFloorMs = raisedFloor(nextFloorMs, timeMs, nowMs);
	return { createdMs, mark, floorMs: nextFloorMs };
}

/** Returns the floor above an entry that is forgotten. A time in the future would exclude later entries. */
const raisedFloor = <T extends number | undefined>(floorMs: T, timeMs: number, nowMs: number): T | number =>
	timeMs > nowMs ? floorMs : Math.max(floorMs ?? 0, timeMs + 1);
