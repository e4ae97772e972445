import { serializeState } from './triggerState';
import type { ListPosition, RunState, TriggerState, WorkflowState } from './triggerState';

/** Limits in total. Lists share them fairly: short ones leave more to long ones. */
const MAX_RUNS = 5_000;
const MAX_RESULTS = 10_000;
const MAX_STATE_BYTES = 950_000;
/** A list with unread or unemitted items, which can be older than the cut, may take this many times its share. */
const OPEN_LIST_FACTOR = 5;

/** Whether a run's results have never been read. */
export const isUnread = ({ checkAt, mark }: RunState): boolean => checkAt !== undefined && mark === undefined;

/** Bounds the state, and returns it as text. What it forgets is older than what it keeps, and counts as known. Pure. */
export function trimState(state: TriggerState): string {
	for (let scale = 1; ; scale /= 2) {
		const text = serializeState(trimmed(state, scale));
		if (Buffer.byteLength(text) <= MAX_STATE_BYTES || scale < 0.01) return text;
	}
}

function trimmed(state: TriggerState, scale: number): TriggerState {
	const all = [...state.workflows.values()];
	const runs = all.map((workflow) => workflow.runs.size);
	const results = all.flatMap((one) => [...one.runs.values()].map((run) => run.results?.seen.size ?? 0));
	const runsShare = fairShare(runs, MAX_RUNS * scale);
	const resultsShare = fairShare(results, MAX_RESULTS * scale);

	const trimRun = (run: RunState): RunState => {
		if (run.results === undefined) return run;
		const { list, seen } = run.results;
		const { entries, floor } = newest(seen, (created) => created, isOpenList(list), resultsShare);
		return { ...run, results: { list, seen: entries }, floor: Math.max(run.floor ?? 0, floor) || undefined };
	};
	const trimWorkflow = (workflow: WorkflowState): WorkflowState => {
		const { list, runs } = workflow;
		const isOpen = isOpenList(list) || [...runs.values()].some(isUnread);
		const { entries, floor } = newest(runs, ({ created }) => created, isOpen, runsShare);
		return { ...workflow, runs: mapValues(entries, trimRun), floor: Math.max(workflow.floor, floor) };
	};
	return { ...state, workflows: mapValues(state.workflows, trimWorkflow) };
}

const mapValues = <T>(map: Map<string, T>, change: (value: T) => T) =>
	new Map([...map].map(([key, value]) => [key, change(value)]));

const isOpenList = ({ isOpen, unfinished }: ListPosition) => isOpen === true || unfinished !== undefined;

/** Returns a run that is not watched any more: the time of its newest result replaces the results. */
export function unwatched({ created, mark, floor = 0, results }: RunState): RunState {
	let next = floor;
	for (const time of results?.seen.values() ?? []) next = Math.max(next, time + 1);
	return { created, mark, floor: next || undefined };
}

/** Returns the size to which every list may grow without all of them exceeding the maximum. */
function fairShare(sizes: number[], max: number): number {
	let left = max;
	for (const [index, size] of sizes.sort((a, b) => a - b).entries()) {
		const count = sizes.length - index;
		if (size * count > left) return Math.floor(left / count);
		left -= size;
	}
	return Infinity;
}

/** Returns the newest entries of a list, and the time before which everything else was created. */
function newest<T>(entries: Map<string, T>, createdOf: (entry: T) => number, isOpen: boolean, share: number) {
	const max = isOpen ? share * OPEN_LIST_FACTOR : share;
	if (entries.size <= max) return { entries, floor: 0 };
	const sorted = [...entries].sort(([, a], [, b]) => createdOf(b) - createdOf(a));
	return { entries: new Map(sorted.slice(0, max)), floor: createdOf(sorted[max][1]) + 1 };
}
