import { initialListState, NO_EVIDENCE } from '../../../nodes/Prospector/transport/list/listState';
import {
	createState,
	createWorkflowState,
	parseState,
	type RunState,
	type WorkflowState,
} from '../../../nodes/Prospector/trigger/state/triggerState';
import { trimState } from '../../../nodes/Prospector/trigger/state/trimState';
import { shortHash } from '../../../nodes/Prospector/utils';
import { TURNS } from '../helpers/support';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const START_MS = NOW_MS - 1_000_000;
const OPEN = { ...initialListState(1), hasUnemittedItems: true } as const;
const unfinishedRead = { startedAtMs: 1, isFromStart: true, newestMs: 1, evidence: NO_EVIDENCE };
const UNFINISHED = { ...initialListState(1), unfinishedRead };

/** Returns entries of successive milliseconds. */
const mapOf = <T>(count: number, valueOf: (atMs: number) => T) =>
	new Map(Array.from({ length: count }, (_, index) => [shortHash(`${index}`), valueOf(START_MS + index)]));
const knownRun = (createdAtMs: number): RunState => ({ createdAtMs });
const unreadRun = (atMs: number): RunState => ({ createdAtMs: atMs, changedAtMs: atMs, nextCheckAtMs: atMs });
const watchedRun = (atMs: number): RunState => ({ ...unreadRun(atMs), statusOrHash: 'V1StGXR8' });
const withResults = (count: number, listState = initialListState(1)) => ({
	...watchedRun(1),
	results: { listState, createdAtMsByHash: mapOf(count, (atMs) => atMs) },
});

/** Trims a state of Prospector workflows, and returns them as they are stored. */
async function trimmed(...workflows: Array<Partial<WorkflowState>>) {
	const entries = workflows.map((one, index): [string, WorkflowState] => [
		`wf_${index}`,
		structuredClone({ ...createWorkflowState(1, 1), ...one }),
	]);
	const state = { ...createState('newResult'), workflows: new Map(entries) };
	const { stateText, forgottenCount } = await trimState(state, NOW_MS, TURNS);
	expect(Buffer.byteLength(JSON.stringify({ prospectorTrigger: stateText }))).toBeLessThan(1_000_000);
	return { missed: forgottenCount, stored: [...parseState(stateText)!.workflows.values()] };
}

/** Returns the times of what the state can still forget of a Prospector workflow. */
const timesOf = ({ runs }: Partial<WorkflowState>) =>
	[...runs!.values()].flatMap(({ createdAtMs, results, statusOrHash, nextCheckAtMs }) =>
		results
			? [...results.createdAtMsByHash.values()]
			: statusOrHash !== undefined && nextCheckAtMs === undefined
				? []
				: [createdAtMs],
	);

/** More than half of what a state can store of each kind, in the order in which it forgets them. */
const KINDS: Array<[string, Partial<WorkflowState>]> = [
	['runs of a list that was read to its end', { runs: mapOf(25_000, knownRun) }],
	['results of a list that was read to its end', { runs: new Map([['run', withResults(19_000)]]) }],
	['runs of a list with unemitted items', { listState: OPEN, runs: mapOf(25_000, knownRun) }],
	['results of a list not read to its end', { runs: new Map([['run', withResults(19_000, UNFINISHED)]]) }],
	['watched runs', { runs: mapOf(9_000, watchedRun) }],
	['unread runs', { runs: mapOf(6_000, unreadRun) }],
];

test.each(KINDS.slice(1).map(([name, kept], i) => [KINDS[i][0], name, KINDS[i][1], kept, i >= 2] as const))(
	'trimState forgets the oldest %s before any %s if the state is too large',
	async (_, __, first, second, isMissed) => {
		const { stored, missed } = await trimmed(first, second);
		const [before, after] = [timesOf(first), timesOf(stored[0])];
		expect(after).toEqual(before.slice(-after.length));
		expect(after.length).toBeLessThan(before.length);
		expect(missed).toBe(isMissed ? before.length - after.length : 0);
		expect(timesOf(stored[1])).toEqual(timesOf(second));
	},
);

test('trimState sets ignoreBeforeMs to the time of the oldest item that it keeps, unless that is in the future', async () => {
	const [ofRuns] = (await trimmed({ runs: mapOf(60_000, knownRun) })).stored;
	expect(ofRuns.ignoreBeforeMs).toBe(timesOf(ofRuns)[0]);
	const ofRun = { ignoreBeforeMs: NOW_MS, runs: new Map([['run', withResults(60_000)]]) };
	const [ofResults] = (await trimmed(ofRun)).stored;
	expect(ofResults.runs.get('run')!.ignoreBeforeMs).toBe(timesOf(ofResults)[0]);
	const [ofFuture] = (await trimmed({ runs: mapOf(60_000, (atMs) => knownRun(atMs + 2_000_000)) })).stored;
	expect(ofFuture.ignoreBeforeMs).toBe(0);
});

test('trimState reports no loss if it forgets runs of a list whose only unread run is not due yet', async () => {
	const later = { ...unreadRun(NOW_MS), nextCheckAtMs: NOW_MS + 1 };
	expect((await trimmed({ runs: mapOf(60_000, knownRun).set('later', later) })).missed).toBe(0);
});

test('trimState removes the results of the oldest runs, but no run, if a large state has only watched runs', async () => {
	const withResult = (atMs: number) => ({ ...withResults(1), createdAtMs: atMs, changedAtMs: atMs });
	const { missed, stored } = await trimmed({ runs: mapOf(12_000, withResult) });
	const runs = [...stored[0].runs.values()];
	expect(runs).toHaveLength(12_000);
	expect(runs.map(({ results }) => results !== undefined)).toEqual(runs.map((_, index) => index >= missed));
	expect(runs[0]).toEqual({ createdAtMs: START_MS, statusOrHash: 'V1StGXR8', ignoreBeforeMs: START_MS + 1 });
});

test('trimState forgets nothing if a state has 5,000 watched runs with two results each', async () => {
	const { stored, missed } = await trimmed({ runs: mapOf(5_000, () => withResults(2)) });
	expect(missed).toBe(0);
	expect(timesOf(stored[0])).toHaveLength(10_000);
});
