import { PollClock } from '../../../nodes/Prospector/trigger/pollClock';
import { INITIAL_LIST_STATE, type ListState } from '../../../nodes/Prospector/trigger/listState';
import {
	BASELINE_OF_ALL,
	createState,
	createWorkflowState,
	type RunState,
	type TriggerState,
	type WorkflowState,
} from '../../../nodes/Prospector/trigger/state';
import { takeTasks, urgencyOf } from '../../../nodes/Prospector/trigger/taskQueue';
import { TURNS } from '../helpers/support';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../helpers/triggerScenario';

const NOW_MS = 100 * DAY_MS;

test.each([
	[1, 'a minute ago and changed at that time', 1, 1],
	[0.5, 'a minute ago and had changed 8 min earlier', 1, 9],
	[2, '80 min ago and had changed a month earlier', 80, 43_280],
])(
	'a task has the urgency %d, its delay compared with a quarter of the time it was unchanged before (1 to 40 min), if it was due %s',
	(urgency, _, dueMinutes, changedMinutes) => {
		const dueAtMs = NOW_MS - dueMinutes * MINUTE_MS;
		expect(urgencyOf(dueAtMs, NOW_MS - changedMinutes * MINUTE_MS, NOW_MS)).toBe(urgency);
	},
);

/** Returns what the task queue takes: the IDs of Prospector workflows and runs, in this order. */
async function takenFrom(workflows: Record<string, WorkflowState>, state: Partial<TriggerState> = {}) {
	const workflowsById = new Map(Object.entries(workflows));
	const clock = new PollClock({ now: () => NOW_MS });
	const taken: string[] = [];
	for await (const task of takeTasks(
		{ ...createState('', BASELINE_OF_ALL), ...state, workflows: workflowsById },
		clock,
		TURNS,
	))
		taken.push(task.kind === 'run' ? task.runId : task.workflowId);
	return taken.join(' ');
}

/** A list of runs that was tried, and of which the newest was created, this many minutes ago. */
function listOf(triedMinutes: number, newestMinutes: number, rest: Partial<ListState> = {}): WorkflowState {
	const triedAtMs = NOW_MS - triedMinutes * MINUTE_MS;
	const newestCreatedAtMs = NOW_MS - newestMinutes * MINUTE_MS;
	const listState = { ...INITIAL_LIST_STATE, triedAtMs, newestCreatedAtMs, ...rest };
	return { ...createWorkflowState(), listState };
}

const withRuns = (list: WorkflowState, runs: Record<string, RunState>) => ({
	...list,
	runs: new Map(Object.entries(runs)),
});

/** What was read of a run. */
const READ = 'completed';

function dueRun(dueMinutes: number, seen?: string): RunState {
	const atMs = NOW_MS - dueMinutes * MINUTE_MS;
	return { createdAtMs: 1, seen, changedAtMs: atMs, nextCheckAtMs: atMs };
}

test('the task queue alternates between the list with the highest urgency and the list that has waited longest', async () => {
	const [idle, waiting] = [listOf(30, 9000), listOf(60, 90_000)];
	const lists = { idle, waiting, active: listOf(10, 11), busy: listOf(9, 10) };
	expect(await takenFrom(lists)).toBe('active waiting busy idle');
});

test('a poll takes turns between unread runs, lists of runs and runs due for a check if all are waiting', async () => {
	const unread = { unread0: dueRun(20), unread1: dueRun(19), unread2: dueRun(18) };
	const due = { due0: dueRun(10, READ), due1: dueRun(9, READ) };
	const later = { ...dueRun(10, READ), nextCheckAtMs: NOW_MS + 1 };
	// A clock was set back after the run had changed.
	const changedLater = { ...dueRun(-60, READ), nextCheckAtMs: NOW_MS + HOUR_MS };
	const list0 = withRuns(listOf(2, 3), { ...due, ...unread, later, changedLater });
	// Two Prospector workflows can have runs with the same ID.
	const taken = await takenFrom({ list0, list1: withRuns(listOf(1, 3), { due0: dueRun(8, READ) }) });
	expect(taken).toBe('changedLater unread0 list0 due0 unread1 list1 due1 unread2 due0');
});

test.each([
	['last', 0, 'short list long', 'short long'],
	['not at all', 1, 'short list', 'short'],
])(
	'the task queue takes a list that needs more requests than a poll has %s if earlier polls sent %d too many',
	async (_, overdraft, ofRuns, ofLists) => {
		const listState: ListState = { ...INITIAL_LIST_STATE, isLong: true };
		const long = { ...dueRun(10), results: { listState, createdAtMsByHash: new Map([['hash', 1]]) } };
		const list = withRuns(listOf(1, 3), { long, short: dueRun(9, READ) });
		expect(await takenFrom({ list }, { overdraft })).toBe(ofRuns);
		const lists = { long: listOf(10, 11, { isLong: true }), short: listOf(9, 10) };
		expect(await takenFrom(lists, { overdraft })).toBe(ofLists);
	},
);

test.each([
	['missing from the list of Prospector workflows', 24, 360],
	['failing', 0, 0],
	['failing', 1, 15],
	['failing', 24, 30],
	['tried before a clock was set back', -1, 0],
])('a list that has been %s for %d h is read again after %d min', async (condition, hours, pauseMinutes) => {
	for (const earlyMs of [1, 0]) {
		const triedAtMs = NOW_MS - pauseMinutes * MINUTE_MS + earlyMs;
		const sinceMs = triedAtMs - hours * HOUR_MS;
		const list = condition.startsWith('missing')
			? { ...listOf(0, 1, { triedAtMs }), absentSinceMs: sinceMs }
			: listOf(0, 1, { triedAtMs: hours < 0 ? sinceMs : triedAtMs, failingSinceMs: sinceMs });
		expect(await takenFrom({ list })).toBe(earlyMs > 0 && pauseMinutes > 0 ? '' : 'list');
	}
});
