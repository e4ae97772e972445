// Everything that the trigger stores between two polls, and how it becomes text. Read and written by `pollTrigger.ts`;
// a text that can't be the trigger's own is refused.
import { type CodecValue, entryOf, flag, mapOf, number, objectOf, string } from '../codec';
import type { Turns } from '../transport/turns';
import { INITIAL_LIST_STATE, listStateCodec } from './listState';
import { type Baseline, baselineCodec } from './pollClock';

/*
 * Times are milliseconds since the epoch. The service's clock: when a resource was created, baselines, and `ignoreBeforeMs`,
 * the bound of a list: an older resource that is not stored was forgotten. n8n's clock: when the trigger reads something.
 */

const runStateCodec = objectOf(
	{
		/** If the run has no usable creation time: 0 if it existed at the baseline, otherwise the time when it was found. */
		createdAtMs: number,
	},
	{
		/** What was read of it since it changed: its status or, if results are returned, `hashSnapshot`. Absent: nothing. */
		seen: string,
		/** When the run last changed, and when it is due. Absent if the run is not watched. */
		changedAtMs: number,
		nextCheckAtMs: number,
		/** The bound of its results. Absent if none was forgotten. */
		ignoreBeforeMs: number,
		/** Creation times of its known results, by the hash of their ID; 0 if not emitted. Only while the run is watched. */
		results: objectOf({ listState: listStateCodec, createdAtMsByHash: mapOf(number) }),
		/** Whether even its oldest results are new, because its status was not wanted yet when it was found. */
		areAllResultsNew: flag,
		/** Since when all attempts to read it or its results have failed. */
		failingSinceMs: number,
		/** Whether its watch was extended once, because it or its results were not found at its end. */
		wasWatchExtended: flag,
	},
);

const workflowCodec = objectOf(
	{
		/** The bound of its runs; 0 if none was forgotten. */
		ignoreBeforeMs: number,
		/** Of the list of its runs. */
		listState: listStateCodec,
		/** Its runs follow. */
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
		baseline: baselineCodec,
	},
	{
		/**
		 * The list of Prospector workflows, if all are watched. `listedAtMs`: when the poll of its last full read started,
		 * by the earlier of the two clocks.
		 */
		discovery: objectOf({ listState: listStateCodec, listedAtMs: number }),
	},
);

export type RunState = CodecValue<typeof runStateCodec>;
export type WorkflowState = Omit<CodecValue<typeof workflowCodec>, 'runCount'> & {
	runs: Map<string, RunState>;
};
export type TriggerState = CodecValue<typeof headCodec> & { workflows: Map<string, WorkflowState> };

export const BASELINE_OF_ALL: Baseline = { serviceMs: 0, n8nMs: 0 };

export const createState = (eventAndAddress: string, baseline: Baseline): TriggerState => ({
	eventAndAddress,
	baseline,
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

/** Returns when the longest failure began, on n8n's clock; Infinity if nothing fails. */
export function findFailingSince({ discovery, workflows }: TriggerState): number {
	let sinceMs = discovery?.listState.failingSinceMs ?? Infinity;
	for (const { listState, runs } of workflows.values()) {
		sinceMs = Math.min(sinceMs, listState.failingSinceMs ?? Infinity);
		for (const { failingSinceMs = Infinity } of runs.values()) sinceMs = Math.min(sinceMs, failingSinceMs);
	}
	return sinceMs;
}

/** Bytes of a line of the state in n8n's database, where the state is a JSON string in the static data. */
export const countStoredBytes = (line: string): number => Buffer.byteLength(JSON.stringify(line));

const workflowEntry = entryOf(workflowCodec);
const runEntry = entryOf(runStateCodec);

export const serializeRun = (entry: [id: string, run: RunState]): string =>
	JSON.stringify(runEntry.encode(entry));

/**
 * Returns the state as text, because n8n would wrap an object (n8n-behaviour.md#polls): a line about the trigger, then
 * one for each Prospector workflow, with the lines of its runs after it.
 */
export async function serializeState(state: TriggerState, turns: Turns) {
	const lines = [JSON.stringify(headCodec.encode(state))];
	for (const [id, workflow] of state.workflows) {
		const entry = workflowEntry.encode([id, { ...workflow, runCount: workflow.runs.size }]);
		lines.push(JSON.stringify(entry));
		for (const line of await turns.map(workflow.runs, serializeRun)) lines.push(line);
	}
	const sizes = await turns.map(lines, countStoredBytes);
	return { stateText: lines.join('\n'), storedBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Returns undefined if any part of the text can't be used. */
export async function parseState(text: unknown, turns: Turns): Promise<TriggerState | undefined> {
	try {
		const lines = string.decode(text).split('\n');
		const [head, ...entries] = await turns.map(lines, (line): unknown => JSON.parse(line));
		const state: TriggerState = { ...headCodec.decode(head), workflows: new Map() };
		let position = 0;
		while (position < entries.length) {
			const [id, { runCount, ...workflow }] = workflowEntry.decode(entries[position]);
			const runsBegin = position + 1;
			position = runsBegin + runCount;
			const runs = new Map(await turns.map(entries.slice(runsBegin, position), runEntry.decode));
			if (runs.size !== runCount) return undefined;
			state.workflows.set(id, { ...workflow, runs });
		}
		return state;
	} catch {
		return undefined;
	}
}
