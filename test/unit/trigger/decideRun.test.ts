import { PollClock } from '../../../nodes/Prospector/trigger/pollClock';
import {
	baselineOfResults,
	dateItem,
	decideRun,
	hashSnapshot,
	type RunSnapshot,
	withNextCheck,
} from '../../../nodes/Prospector/trigger/decideRun';
import { toListItem } from '../../../nodes/Prospector/trigger/list';
import { INITIAL_LIST_STATE } from '../../../nodes/Prospector/trigger/listState';
import type { TriggerSettings } from '../../../nodes/Prospector/trigger/settings';
import { createWorkflowState, type RunState } from '../../../nodes/Prospector/trigger/state';
import { rowsOf } from '../helpers/support';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../helpers/triggerScenario';

/** All times below are minutes after the baseline. */
const BASELINE_MS = Date.parse('2026-01-01T00:00:00Z');
const toMs = (minutes: number) => BASELINE_MS + minutes * MINUTE_MS;
const NOW_MS = toMs(60);
const CLOCK = new PollClock({ now: () => NOW_MS });
const READ = { ...INITIAL_LIST_STATE, fullReadAtMs: 1 };

const settingsOf = (event: string) =>
	({
		...{ event: event === 'returnRun' ? 'runFinished' : event, runStatuses: [] as string[] },
		returnsResults: ['newResult', 'runFinished'].includes(event),
		returnsResultsTogether: event === 'runFinished',
	}) as TriggerSettings;

/** Returns a snapshot such as `running 5 50`: the status, and when the run was created and updated. `-`: no time. */
function snapshotOf(text: string): RunSnapshot {
	const [status, ...times] = text.split(' ');
	const [createdAtMs, updatedAtMs] = times.map((time) => (time === '-' ? undefined : toMs(Number(time))));
	return { status, createdAtMs, updatedAtMs };
}

/**
 * Returns a stored run such as `running 5 50 55`: a snapshot as it was read, and when the run is checked next. `unread`: it
 * was not read since it has changed.
 */
function storedRunOf(text: string, isHash: boolean): RunState | undefined {
	if (text === 'none') return undefined;
	const snapshot = snapshotOf(text);
	const { status, createdAtMs, updatedAtMs } = snapshot;
	const due = text.split(' ')[3];
	const watch = due === '-' ? {} : { changedAtMs: updatedAtMs, nextCheckAtMs: toMs(Number(due)) };
	const seen = isHash ? hashSnapshot(snapshot) : status;
	return { createdAtMs: createdAtMs!, seen: status === 'unread' ? undefined : seen, ...watch };
}

/** Describes a decision, such as `emit, check at 65 min`, or `store, read all at 60.5 min`. */
function describeDecision(decision: ReturnType<typeof decideRun>): string {
	if (typeof decision !== 'object') return decision ?? 'nothing';
	const { run, mustEmit } = decision;
	const { nextCheckAtMs, seen, areAllResultsNew } = run;
	const action = `${seen === undefined ? 'read' : 'check'}${areAllResultsNew ? ' all' : ''}`;
	const minutes = nextCheckAtMs !== undefined && (nextCheckAtMs - BASELINE_MS) / MINUTE_MS;
	return `${mustEmit ? 'emit' : 'store'}, ${minutes === false ? 'no check' : `${action} at ${minutes} min`}`;
}

// Each row: the event, the stored run, the run as it is now, and the decision after 60 minutes.
test.each([
	['newRun', 'none', 'running 5 50', 'emit, no check'],
	['newRun', 'none', 'running -0.00001 50', 'nothing'],
	['newRun', 'none', 'running - -', 'store, no check'],
	['newRun', 'running 5 5 -', 'completed 5 50', 'nothing'],
	['runStatusChanged', 'none', 'running 5 -', 'emit, check at 73.75 min'],
	['runStatusChanged', 'none', 'running -5 50', 'store, check at 62.5 min'],
	['runStatusChanged', 'running 5 50 61', 'running 5 50', 'nothing'],
	['runStatusChanged', 'running 5 50 59', 'running 5 50', 'store, check at 62.5 min'],
	['runStatusChanged', 'running 5 40 50', 'completed 5 55', 'emit, check at 65 min'],
	['runStatusChanged after a read', 'running 5 40 50', 'completed 5 40', 'emit, check at 65 min'],
	['runFailed', 'none', 'failed 5 50', 'emit, check at 70 min'],
	['runFailed', 'running 5 40 50', 'failed 5 55', 'emit, check at 65 min'],
	['runFailed', 'failed 5 40 50', 'timed_out 5 55', 'store, check at 65 min'],
	['returnRun', 'running 5 40 50', 'partial 5 55', 'emit, check at 65 min'],
	['newResult', 'none', 'completed -5 -2', 'store, check at 122 min'],
	['newResult', 'none', 'completed -5 59.9', 'store, read at 60 min'],
	['newResult', 'running 5 40 50', 'running 5 40', 'nothing'],
	['newResult', 'unread 5 40 50', 'completed 5 55', 'nothing'],
	['runFinished', 'none', 'completed 5 59.9', 'store, read at 60.4 min'],
	['runFinished', 'none', 'running 5 50', 'store, check all at 62.5 min'],
	['runFinished', 'running 5 40 50', 'completed 5 55', 'store, read at 60 min'],
	['runFinished after a read', 'running 5 40 50', 'completed 5 40', 'store, read at 60 min'],
	['runFinished', 'running 5 40 90', 'running 5 55', 'store, check at 61.25 min'],
	['runFinished', 'unread 5 59 60.5', 'completed 5 60', 'nothing'],
])(
	'decideRun for the event %s compares the stored run "%s" (status, minutes of creation, update and next check) with "%s" and decides: %s',
	(name, stored, now, expected) => {
		const [event, ...isAfterRead] = name.split(' ');
		const settings = settingsOf(event);
		const storedRun = storedRunOf(stored, settings.returnsResults);
		const listState = { ...INITIAL_LIST_STATE, triedAtMs: isAfterRead.length > 0 ? toMs(55) : 0 };
		// The trigger may have forgotten runs that are newer than a stored one.
		const workflow = { listState, ignoreBeforeMs: storedRun ? NOW_MS : 0 };
		const known = { settings, workflow, baselineMs: BASELINE_MS, storedRun, pollClock: CLOCK };
		const decision = decideRun(snapshotOf(now), known);
		expect(describeDecision(decision)).toBe(expected);
	},
);

const timeAt = (minutes: number) => new Date(toMs(minutes)).toISOString();
/** Values of `created_at` that say nothing. */
const NO_TIMES = [undefined, null, '', 5, '5', 'Week 3', '2026-13-01', timeAt(71), timeAt(9e6)];

/** Each row: `created_at`, and whether the item is new in a list that was never read, and in one that was. */
const NEW_ITEMS = [
	...rowsOf(NO_TIMES, [false, true]),
	...rowsOf([timeAt(0), timeAt(59), timeAt(70), '2026-01-01T00:01', '2026-01-01 00:00Z'], [true, true]),
	...rowsOf([timeAt(-1 / 60_000), timeAt(-9000), '2025-12-31'], [false, false]),
];

const RUN: RunState = { createdAtMs: 1 };

test.each(NEW_ITEMS)(
	'an item with the created_at %j is new, at the first and at a later read of its list: %j',
	(createdAt, expected) => {
		const item = toListItem({ id: 'x', created_at: createdAt as string }, 'req');
		const snapshot = { ...item, status: 'running' };
		const isNewRun = (listState: typeof READ, baselineMs = BASELINE_MS) => {
			const workflow = { ...createWorkflowState(), listState };
			const known = { settings: settingsOf('newRun'), workflow, baselineMs, pollClock: CLOCK };
			const decision = decideRun(snapshot, known);
			return typeof decision === 'object' && decision.mustEmit;
		};
		const isNewResult = (listState: typeof READ, run: Partial<RunState> = {}) => {
			const baselineMs = baselineOfResults({ ...RUN, ...run }, BASELINE_MS);
			return (dateItem(item.createdAtMs, { listState }, baselineMs, CLOCK) as number) >= baselineMs;
		};
		const lists = [INITIAL_LIST_STATE, READ];
		expect(lists.map((list) => isNewRun(list))).toEqual(expected);
		expect(lists.map((list) => isNewResult(list))).toEqual(expected);
		const isAlsoNew = (list: typeof READ) => isNewRun(list, toMs(60.5));
		// The baseline can be ahead of both clocks.
		if ((NO_TIMES as unknown[]).includes(createdAt)) expect(lists.map(isAlsoNew)).toEqual(expected);
		const newOwners = lists.flatMap((list) => [
			...[isNewRun(list, 0), isNewResult(list, { createdAtMs: BASELINE_MS })],
			isNewResult(list, { areAllResultsNew: true }),
		]);
		expect(newOwners).toEqual(newOwners.map(() => true));
	},
);

test.each([
	['in a list that was never read', 70, NOW_MS, 0],
	['in a list that was never read', undefined, 0, 0],
	['in a list that was never read', -1, toMs(-1), 0],
	['in a list from which items until minute 40 were forgotten', 39, 'forgotten', 40],
	['in a list from which items until minute 40 were forgotten', 40, toMs(40), 40],
	['in a list from which items until minute 40 were forgotten', undefined, 'untimed', 40],
	['in a list from which items until minute 40 were forgotten', 71, 'untimed', 40],
])('dateItem dates an item %s, created at minute %s, as %j', (_, minutes, expected, bound) => {
	const list = { listState: INITIAL_LIST_STATE, ignoreBeforeMs: bound > 0 ? toMs(bound) : 0 };
	const createdAtMs = minutes === undefined ? undefined : toMs(minutes);
	expect(dateItem(createdAtMs, list, BASELINE_MS, CLOCK)).toBe(expected);
});

test.each([
	[undefined, 0, 0, false],
	[10, 0, 0, true],
	[11, 0, 0, false],
	[70, HOUR_MS, 0, true],
	[40, 0, 30, true],
	[41, 0, 30, false],
])(
	'a creation time is usable up to 10 min after the service clock and the baseline (minutes: %j, Date header ahead: %d ms, baseline: %d min, usable: %j)',
	(minutes, aheadMs, baselineMinutes, expected) => {
		const createdAtMs = minutes === undefined ? undefined : NOW_MS + minutes * MINUTE_MS;
		const clock = new PollClock({ now: () => NOW_MS });
		clock.observeResponse({ headers: { date: new Date(NOW_MS + aheadMs).toUTCString() } }, NOW_MS);
		const baselineMs = NOW_MS + baselineMinutes * MINUTE_MS;
		const isUsable = dateItem(createdAtMs, { listState: INITIAL_LIST_STATE }, baselineMs, clock) !== 0;
		expect(isUsable).toBe(expected);
	},
);

test.each([
	['an hour ago', 'running', 'is checked again after 15 min', HOUR_MS, HOUR_MS / 4],
	['an hour ago', 'completed', 'is checked again after an hour', HOUR_MS, HOUR_MS],
	['a day ago', 'completed', 'is never checked again, and its results stay known', DAY_MS, undefined],
	['a day ago', 'läuft', 'is checked again after 6 h', DAY_MS, DAY_MS / 4],
	// A clock was set back.
	['in the future', 'running', 'is checked again at once', -HOUR_MS, 0],
])('a run that last changed %s and has the status "%s" %s', (_, status, _check, unchangedMs, waitMs) => {
	const createdAtMsByHash = new Map(Object.entries({ older: 5, newest: 7, oldest: 3 }));
	const run = { ...RUN, changedAtMs: NOW_MS - unchangedMs, results: { listState: READ, createdAtMsByHash } };
	const { nextCheckAtMs, ignoreBeforeMs } = withNextCheck(run, status, NOW_MS);
	expect(nextCheckAtMs).toBe(waitMs === undefined ? undefined : NOW_MS + waitMs);
	expect(ignoreBeforeMs).toBe(waitMs === undefined ? 8 : undefined);
});

/** Returns the times of all checks of a run that has just changed, until it is not watched any more. */
function checksOf(status: string, check: (run: RunState, nowMs: number) => RunState): number[] {
	const checksMs: number[] = [];
	let run = withNextCheck({ createdAtMs: 1, changedAtMs: NOW_MS }, status, NOW_MS);
	while (run.nextCheckAtMs !== undefined && checksMs.length < 1000) {
		const nowMs = run.nextCheckAtMs + MINUTE_MS;
		checksMs.push(nowMs);
		run = check(run, nowMs);
	}
	return checksMs;
}

test.each([
	['is never found again', 2, 0],
	['is found once more in the second month', 3, 1],
])('a run that %s is checked for %i months, less than 50 times per month', (_, months, findCount) => {
	let finds = 0;
	const checksMs = checksOf('', (run, nowMs) => {
		const isFound = run.wasWatchExtended && finds++ < findCount;
		return withNextCheck(run, '', nowMs, !isFound);
	});
	expect(checksMs.length).toBeLessThan(50 * months);
	expect(Math.round((Math.max(...checksMs) - NOW_MS) / DAY_MS / 30)).toBe(months);
});

test('a finished run whose results are never found is checked for some days, less than 50 times', () => {
	const checksMs = checksOf('completed', (run, nowMs) => withNextCheck(run, 'completed', nowMs, true));
	expect(checksMs.length).toBeLessThan(50);
	expect((Math.max(...checksMs) - NOW_MS) / DAY_MS).toBeLessThan(5);
});
