import { withMissingRunCheck, withNextCheck } from '../../../nodes/Prospector/trigger/decideRunUpdate';
import { TaskQueue, urgencyOf } from '../../../nodes/Prospector/trigger/taskQueue';
import {
	createState,
	createWorkflowState,
	type RunState,
	type TriggerState,
	type WorkflowState,
} from '../../../nodes/Prospector/trigger/state/triggerState';
import { initialListState } from '../../../nodes/Prospector/transport/list/listState';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../helpers/triggerScenario';

const NOW_MS = 100 * DAY_MS;

test.each([
	['just now', 'completed', 'is checked again at once', 0, 0],
	['an hour ago', 'running', 'is checked again after 15 min', HOUR_MS, HOUR_MS / 4],
	['an hour ago', 'completed', 'is checked again after an hour', HOUR_MS, HOUR_MS],
	['a day ago', 'completed', 'is never checked again', DAY_MS, undefined],
	['a day ago', 'läuft', 'is checked again after 6 h', DAY_MS, DAY_MS / 4],
	['a month ago', 'running', 'is never checked again', 30 * DAY_MS, undefined],
	// A clock was set back.
	['in the future', 'running', 'is checked again at once', -HOUR_MS, 0],
])('a run that last changed %s and has the status "%s" %s', (_, status, _check, unchangedMs, waitMs) => {
	const { nextCheckAtMs } = withNextCheck({ createdAtMs: 0 }, status, NOW_MS - unchangedMs, NOW_MS);
	expect(nextCheckAtMs).toBe(waitMs === undefined ? undefined : NOW_MS + waitMs);
});

test('a run that is never found again is checked less than 100 times', () => {
	let checks = 0;
	for (let run = withNextCheck(dueRun(0), '', NOW_MS, NOW_MS); run.nextCheckAtMs !== undefined; checks++) {
		run = withMissingRunCheck(run, '', run.nextCheckAtMs + MINUTE_MS);
		if (checks === 1000) break;
	}
	expect(checks).toBeLessThan(100);
});

test.each([
	[1, 'a minute ago and changed at that time', 1, 1],
	[0.5, 'a minute ago and had changed 8 min earlier', 1, 9],
	[2, '80 min ago and had changed a month earlier', 80, 43_280],
])('urgencyOf returns %d for a task that was due %s', (urgency, _, dueMinutes, changedMinutes) => {
	const dueAtMs = NOW_MS - dueMinutes * MINUTE_MS;
	expect(urgencyOf(dueAtMs, NOW_MS - changedMinutes * MINUTE_MS, NOW_MS)).toBe(urgency);
});

/** Returns what the task queue takes: the IDs of Prospector workflows and runs, in this order. */
function takenFrom(workflows: Record<string, WorkflowState>, state: Partial<TriggerState> = {}): string {
	const workflowsById = new Map(Object.entries(workflows));
	const taskQueue = new TaskQueue({ ...createState(''), ...state, workflows: workflowsById });
	const taken: string[] = [];
	for (let task = taskQueue.takeTask(NOW_MS); task; task = taskQueue.takeTask(NOW_MS))
		taken.push(task.runId || task.workflowId);
	return taken.join(' ');
}

/** A list of runs that was read, and of which the newest was created, this many minutes ago. */
const listOf = (readMinutes: number, newestMinutes: number, runs: Record<string, RunState> = {}) => ({
	...createWorkflowState(NOW_MS - newestMinutes * MINUTE_MS, NOW_MS),
	runsTriedAtMs: NOW_MS - readMinutes * MINUTE_MS,
	runs: new Map(Object.entries(runs)),
});

function dueRun(dueMinutes: number, statusOrHash?: string): RunState {
	const atMs = NOW_MS - dueMinutes * MINUTE_MS;
	return { createdAtMs: 1, statusOrHash, changedAtMs: atMs, nextCheckAtMs: atMs };
}

test('the task queue alternates between the list with the highest urgency and the list that has waited longest', () => {
	const [idle, waiting] = [listOf(30, 9000), listOf(60, 90_000)];
	const lists = { idle, waiting, active: listOf(10, 11), busy: listOf(9, 10) };
	expect(takenFrom(lists)).toBe('active waiting busy idle');
});

test('a poll takes turns between runs with unread results, lists of runs and runs due for a check if all are waiting', () => {
	const unread = { unread0: dueRun(20), unread1: dueRun(19), unread2: dueRun(18) };
	const due = { due0: dueRun(10, 'x'), due1: dueRun(9, 'x') };
	const later = { ...dueRun(10, 'x'), nextCheckAtMs: NOW_MS + 1 };
	// A clock was set back after the run had changed.
	const changedLater = { ...dueRun(-60, 'x'), nextCheckAtMs: NOW_MS + HOUR_MS };
	const lists = { list0: listOf(2, 3, { ...due, ...unread, later, changedLater }), list1: listOf(1, 3) };
	expect(takenFrom(lists)).toBe('unread0 list0 due0 unread1 list1 due1 unread2 changedLater');
});

test('a run whose results must all be read in one poll comes last in the task queue, or not at all if earlier polls sent too many requests', () => {
	const listState = { ...initialListState(1), mustReadInOnePoll: true } as const;
	const long = { ...dueRun(10, 'x'), results: { listState, createdAtMsByHash: new Map<string, number>() } };
	const list = listOf(1, 3, { long, short: dueRun(9, 'x') });
	expect(takenFrom({ list })).toBe('short list long');
	expect(takenFrom({ list }, { overdraft: 1 })).toBe('short list');
});

test.each([
	[3999, true],
	[4000, false],
])(
	'the task queue selects no list of runs if at least 4,000 runs are unread (unread runs: %d, selected: %j)',
	(count, isTaken) => {
		const runs = Object.fromEntries(Array.from({ length: count }, () => dueRun(1)).entries());
		expect(takenFrom({ list: listOf(60, 60, runs) }).includes('list')).toBe(isTaken);
	},
);

test.each([
	['missing', 4, 1, 'lastSeenAtMs'],
	['missing', 24, 6, 'lastSeenAtMs'],
	['refused', 2, 0.5, 'limitedSinceMs'],
	['refused', 24, 1, 'limitedSinceMs'],
])(
	'a list of runs that has been %s for %d h is read again %d h after the last attempt',
	(_, unreadHours, pauseHours, name) => {
		for (const earlyMs of [1, 0]) {
			const runsTriedAtMs = NOW_MS - pauseHours * HOUR_MS + earlyMs;
			const since = { [name]: runsTriedAtMs - unreadHours * HOUR_MS };
			const list = { ...createWorkflowState(1, NOW_MS), runsTriedAtMs, ...since };
			const discovery = { triedAtMs: NOW_MS, listState: initialListState(0), priorFullReadAtMs: NOW_MS };
			expect(takenFrom({ list }, { discovery })).toBe(earlyMs > 0 ? '' : 'list');
		}
	},
);
