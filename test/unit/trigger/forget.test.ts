import { trimState } from '../../../nodes/Prospector/trigger/forget';
import { INITIAL_LIST_STATE, type ListState } from '../../../nodes/Prospector/trigger/listState';
import {
	BASELINE_OF_ALL,
	createState,
	createWorkflowState,
	parseState,
	type RunState,
	type WorkflowState,
} from '../../../nodes/Prospector/trigger/state';
import { shortHash } from '../../../nodes/Prospector/utils';
import { TURNS } from '../helpers/support';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const START_MS = NOW_MS - 1_000_000;
const OPEN: ListState = { ...INITIAL_LIST_STATE, isUnfinished: true };

/** Returns entries of successive milliseconds. */
const mapOf = <T>(count: number, valueOf: (atMs: number) => T) =>
	new Map(Array.from({ length: count }, (_, index) => [shortHash(`${index}`), valueOf(START_MS + index)]));
const READ = 'V1StGXR8';
const knownRun = (createdAtMs: number): RunState => ({ createdAtMs });
const watchedRun = (atMs: number): RunState => ({
	...knownRun(atMs),
	seen: READ,
	changedAtMs: atMs,
	nextCheckAtMs: atMs,
});
const withResults = (count: number, listState = INITIAL_LIST_STATE) => ({
	...watchedRun(1),
	results: { listState, createdAtMsByHash: mapOf(count, (atMs) => atMs) },
});

/** A tenth of what a state may have, which takes less time. */
const FEW_BYTES = 99_000;

/** Trims a state of Prospector workflows, and returns them as they are stored. */
async function trimmed(maxBytes: number | undefined, ...workflows: Array<Partial<WorkflowState>>) {
	const entries = workflows.map((one, index): [string, WorkflowState] => [
		`wf_${index}`,
		structuredClone({ ...createWorkflowState(), ...one }),
	]);
	const state = { ...createState('newResult', BASELINE_OF_ALL), workflows: new Map(entries) };
	const { stateText, forgottenCount } = await trimState(state, TURNS, maxBytes);
	expect(Buffer.byteLength(JSON.stringify(stateText))).toBeLessThanOrEqual(maxBytes ?? 990_000);
	const stored = (await parseState(stateText, TURNS))!;
	return { missed: forgottenCount, stored: [...stored.workflows.values()] };
}

/** Returns the times of what the state can still forget of a Prospector workflow. */
const timesOf = ({ runs }: Partial<WorkflowState>) =>
	[...runs!.values()].flatMap(({ createdAtMs, results, seen, nextCheckAtMs }) => {
		if (results) return [...results.createdAtMsByHash.values()];
		return seen !== undefined && nextCheckAtMs === undefined ? [] : [createdAtMs];
	});

// More than half of what a state of FEW_BYTES can store of each kind.
const RUNS = { runs: mapOf(2_500, knownRun) };
const READ_RUNS = 'runs of a list that was read to its end';
const runWithResults = (listState?: ListState) => ({
	runs: new Map([['run', withResults(1_900, listState)]]),
});

test.each<[string, string, Partial<WorkflowState>, Partial<WorkflowState>]>([
	[READ_RUNS, 'watched runs', RUNS, { runs: mapOf(900, watchedRun) }],
	[
		'results of a list that was read to its end',
		'runs of a list with unread items',
		runWithResults(),
		{ ...RUNS, listState: OPEN },
	],
	[READ_RUNS, 'results of a list with unread items', RUNS, runWithResults(OPEN)],
])('trimState forgets the oldest %s before any %s', async (_, __, first, second) => {
	const { stored, missed } = await trimmed(FEW_BYTES, first, second);
	const [before, after] = [timesOf(first), timesOf(stored[0])];
	expect(after).toEqual(before.slice(-after.length));
	expect(after.length).toBeLessThan(before.length);
	expect(missed).toBe(0);
	expect(timesOf(stored[1])).toEqual(timesOf(second));
});

test('trimState stores the time up to which it has forgotten items of a list, unless a later time is stored', async () => {
	const [ofRuns] = (await trimmed(FEW_BYTES, { runs: mapOf(6_000, knownRun) })).stored;
	expect(ofRuns.ignoreBeforeMs).toBe(timesOf(ofRuns)[0]);
	const run = { ...withResults(6_000), ignoreBeforeMs: 1 };
	const [ofResults] = (await trimmed(FEW_BYTES, { runs: new Map([['run', run]]) })).stored;
	expect(ofResults.runs.get('run')!.ignoreBeforeMs).toBe(timesOf(ofResults)[0]);
	const late = { ignoreBeforeMs: NOW_MS, runs: mapOf(6_000, knownRun) };
	const [unchanged] = (await trimmed(FEW_BYTES, late)).stored;
	expect(unchanged.ignoreBeforeMs).toBe(NOW_MS);
});

test('trimState removes the results of the oldest runs, but no run, if a large state has only watched runs', async () => {
	const withResult = (atMs: number) => ({ ...withResults(1), createdAtMs: atMs, changedAtMs: atMs });
	const { missed, stored } = await trimmed(undefined, { runs: mapOf(12_000, withResult) });
	const runs = [...stored[0].runs.values()];
	expect(runs).toHaveLength(12_000);
	expect(runs.map(({ results }) => results !== undefined)).toEqual(runs.map((_, index) => index >= missed));
	expect(runs[0]).toEqual({ createdAtMs: START_MS, seen: READ, ignoreBeforeMs: START_MS + 1 });
});

test('trimState forgets nothing if a state has 5,000 watched runs with two results each', async () => {
	const { stored, missed } = await trimmed(undefined, { runs: mapOf(5_000, () => withResults(2)) });
	expect(missed).toBe(0);
	expect(timesOf(stored[0])).toHaveLength(10_000);
});
