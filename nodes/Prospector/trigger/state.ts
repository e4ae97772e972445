// Everything that the trigger stores between two polls, and how it becomes text of a bounded size. What it forgets counts
// as known; a text that can't be the trigger's own is refused.
// Tests: test/unit/trigger/state.test.ts, test/unit/trigger/forget.test.ts.
import { type CodecValue, entryOf, flag, type JsonCodec, mapOf, number, objectOf, string } from '../codec';
import type { Turns } from '../transport/turns';
import type { Baseline } from './clock';
import { INITIAL_LIST_STATE, type ListState, listStateCodec } from './list';

/*
 * Times are milliseconds since the epoch: those of resources, baselines and bounds on the service's clock, and when the
 * trigger reads something on n8n's.
 *
 * Baseline: a resource is new if it was created at or after the baseline and is neither in `runs` nor in `results`.
 * Bound: what was created before an `ignoreBeforeMs` and is not stored was forgotten, and counts as known.
 */

/** What the trigger has read of a run: the status; of one whose results it returns, a hash of the run, with them. */
export type Seen = { kind: 'never' | 'changed' } | { kind: 'read'; text: string };

const seenCodec: JsonCodec<Seen> = {
	encode: (seen) => (seen.kind === 'read' ? seen.text : seen.kind === 'never' ? 0 : 1),
	decode: (json) =>
		json === 0 || json === 1
			? { kind: json === 0 ? 'never' : 'changed' }
			: { kind: 'read', text: string.decode(json) },
};

const baselineCodec: JsonCodec<Baseline> = objectOf({ serviceMs: number, n8nMs: number });

const runStateCodec = objectOf(
	{
		/** If it has no usable creation time: 0 if it existed at the baseline, otherwise when it was found. */
		createdAtMs: number,
	},
	{
		seen: seenCodec,
		/** When the run last changed, and when it is due. Absent if the run is not watched. */
		changedAtMs: number,
		nextCheckAtMs: number,
		/** For its results. Absent if none is forgotten. */
		ignoreBeforeMs: number,
		/** Creation times of the results emitted, by the hash of their ID. Only while the run is watched. */
		results: objectOf({ listState: listStateCodec, createdAtMsByHash: mapOf(number) }),
		/** Whether even its oldest results are new, because it had not finished when it was found. */
		areAllResultsNew: flag,
		/** Since when all attempts to read it or its results have failed. */
		failingSinceMs: number,
		/** Whether its watch was extended once, because it or its results were not found when it would have ended. */
		isRewatched: flag,
	},
);

const workflowCodec = objectOf(
	{
		/** For its runs; 0 if none is forgotten. */
		ignoreBeforeMs: number,
		/** Of its runs. */
		listState: listStateCodec,
		/** Number of its runs, which follow. */
		runCount: number,
	},
	{
		/** If it differs from the trigger's. */
		baseline: baselineCodec,
		/** Since when the list of Prospector workflows, read to its end, has not contained it. */
		absentSinceMs: number,
	},
);

const headCodec = objectOf(
	{
		/** Event and address. If either changes, the trigger starts over. */
		eventAndAddress: string,
		/** Requests that earlier polls sent beyond the maximum. */
		overdraft: number,
	},
	{
		/** Absent during the first poll, whose responses show the service's clock. */
		baseline: baselineCodec,
		/**
		 * Their list, if all Prospector workflows are watched. `listedAtMs`: when its last full read started, on the earlier
		 * clock.
		 */
		discovery: objectOf({ listState: listStateCodec, listedAtMs: number }),
	},
);

export type RunState = CodecValue<typeof runStateCodec>;
export type WorkflowState = Omit<CodecValue<typeof workflowCodec>, 'runCount'> & {
	runs: Map<string, RunState>;
};
export type TriggerState = CodecValue<typeof headCodec> & { workflows: Map<string, WorkflowState> };

/** The baseline of everything that exists. */
export const BASELINE_OF_ALL: Baseline = { serviceMs: 0, n8nMs: 0 };

export const createState = (eventAndAddress: string): TriggerState => ({
	eventAndAddress,
	overdraft: 0,
	workflows: new Map(),
});

/** @param baseline if it differs from the trigger's */
export const createWorkflowState = (baseline?: Baseline): WorkflowState => ({
	baseline,
	ignoreBeforeMs: 0,
	listState: INITIAL_LIST_STATE,
	runs: new Map(),
});

/** Returns the status, or the hash, that the last read has found; undefined if there was none since the run has changed. */
export const seenTextOf = ({ seen }: RunState): string | undefined =>
	seen?.kind === 'read' ? seen.text : undefined;

/** Returns since when something fails at the longest, on n8n's clock; Infinity if nothing does. */
export function findFailingSince({ discovery, workflows }: TriggerState): number {
	let sinceMs = discovery?.listState.failingSinceMs ?? Infinity;
	for (const { listState, runs } of workflows.values()) {
		sinceMs = Math.min(sinceMs, listState.failingSinceMs ?? Infinity);
		for (const { failingSinceMs = Infinity } of runs.values()) sinceMs = Math.min(sinceMs, failingSinceMs);
	}
	return sinceMs;
}

/** Bytes of a line of the state in n8n's database, where the state is a JSON string in the static data. */
const countStoredBytes = (line: string): number => Buffer.byteLength(JSON.stringify(line));

const workflowEntry = entryOf(workflowCodec);
const runEntry = entryOf(runStateCodec);

const toRunLine = (entry: [id: string, run: RunState]): string => JSON.stringify(runEntry.encode(entry));

/**
 * Returns the state as text, because n8n would wrap an object (n8n-behaviour.md#polls): a line about the trigger, then
 * one for each Prospector workflow, with the lines of its runs after it.
 */
export async function serializeState(state: TriggerState, turns: Turns) {
	const lines = [JSON.stringify(headCodec.encode(state))];
	for (const [id, workflow] of state.workflows) {
		const entry = workflowEntry.encode([id, { ...workflow, runCount: workflow.runs.size }]);
		lines.push(JSON.stringify(entry));
		for (const line of await turns.map(workflow.runs, toRunLine)) lines.push(line);
	}
	const sizes = await turns.map(lines, countStoredBytes);
	return { stateText: lines.join('\n'), storedBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Returns the state in stored text; undefined if any of it can't be used. */
export function parseState(text: unknown): TriggerState | undefined {
	try {
		const [head, ...entries] = string
			.decode(text)
			.split('\n')
			.map((line): unknown => JSON.parse(line));
		const state: TriggerState = { ...headCodec.decode(head), workflows: new Map() };
		let position = 0;
		while (position < entries.length) {
			const [id, { runCount, ...workflow }] = workflowEntry.decode(entries[position]);
			const runsBegin = position + 1;
			position = runsBegin + runCount;
			const runs = new Map(entries.slice(runsBegin, position).map(runEntry.decode));
			if (runs.size !== runCount) return undefined;
			state.workflows.set(id, { ...workflow, runs });
		}
		return state;
	} catch {
		return undefined;
	}
}

/** Most bytes of the state in n8n's database, with a margin to 1 MB. */
const MAX_STORED_BYTES = 990_000;
/** A hash and a time. */
const BYTES_PER_RESULT = 29;

/** A run or a result that can be forgotten. The lowest rank goes first; within a rank, the lowest time. */
interface TrimCandidate {
	/** 0: nothing can be missed without it. 1: it is watched, or its list has unread items. 2: it was reduced. */
	rank: number;
	sortByMs: number;
	/** Removes it, and returns about how many bytes that frees. */
	forget(): number;
}

/**
 * Bounds the state: forgotten entries are older than the kept entries of the same list. Returns it as text, and how many
 * entries were forgotten although something about them can be missed.
 */
export async function trimState(state: TriggerState, turns: Turns, maxBytes = MAX_STORED_BYTES) {
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

/** Returns all runs and results. @param reducedRuns gains the watched runs that are reduced to what was seen of them */
async function findTrimCandidates(state: TriggerState, reducedRuns: Set<RunState>, turns: Turns) {
	const entries: TrimCandidate[] = [];
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
				const reducedRun = stopWatching(run);
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

const bytesOf = (id: string, run: RunState): number => countStoredBytes(toRunLine([id, run]));

/**
 * Returns a run that is not watched any more: a bound replaces its results. One that was never read counts as changed, so
 * that it is read if its list still contains it.
 */
export function stopWatching(run: RunState): RunState {
	const { createdAtMs, areAllResultsNew, results } = run;
	const seen: Seen = run.seen?.kind === 'read' ? run.seen : { kind: 'changed' };
	let { ignoreBeforeMs } = run;
	for (const atMs of results?.createdAtMsByHash.values() ?? [])
		ignoreBeforeMs = raiseBound(ignoreBeforeMs, atMs);
	return { createdAtMs, seen, ignoreBeforeMs, areAllResultsNew };
}

/** Returns the `ignoreBeforeMs` that covers a forgotten entry. */
const raiseBound = (boundMs = 0, atMs: number): number => Math.max(boundMs, atMs + 1);
