// Orders what a poll reads by urgency. Used by the poll; nothing that is due waits forever.
import type { Turns } from '../transport/turns';
import { HOUR_MS, MINUTE_MS } from '../utils';
import type { PollClock } from './pollClock';
import type { ListState } from './listState';
import type { RunState, TriggerState, WorkflowState } from './state';

/** What a poll can read: the list of runs of a Prospector workflow, or a run with its results. Times are on n8n's clock. */
export type Task = ({ kind: 'list' } | { kind: 'run'; runId: string }) & {
	workflowId: string;
	workflow: WorkflowState;
	dueAtMs: number;
	urgency: number;
};

/** After four times this, staying unchanged makes a task no less urgent. */
const MAX_USUAL_WAIT_MS = 40 * MINUTE_MS;

/** Returns the pause after a failed read: a quarter of the time for which reads have failed, at most half an hour. */
export const backoffOf = (failingSinceMs = Infinity, triedAtMs: number): number =>
	Math.min(Math.max(triedAtMs - failingSinceMs, 0) / 4, HOUR_MS / 2);

/** Whether a list can be read. A long list takes more requests than a poll has, so it waits until they are repaid. */
export const hasBudgetFor = ({ overdraft }: TriggerState, listState?: ListState): boolean =>
	!listState?.isLong || overdraft === 0;

/**
 * Returns how urgent a task is: how long it has been due, compared with a quarter of the time it was unchanged before.
 * What has changed lately is read often. The maximum keeps what is old from waiting forever.
 */
export function urgencyOf(dueAtMs: number, changedAtMs: number, nowMs: number): number {
	const usualWaitMs = Math.min(Math.max((dueAtMs - changedAtMs) / 4, MINUTE_MS), MAX_USUAL_WAIT_MS);
	return (nowMs - dueAtMs) / usualWaitMs;
}

/**
 * Returns when a list is due: at once if it was tried in the future, before n8n's clock was set back; that of an absent
 * Prospector workflow less and less often.
 */
export function dueTimeOfList(
	owner: Pick<WorkflowState, 'listState' | 'absentSinceMs'>,
	nowMs: number,
): number {
	const { listState, absentSinceMs = Infinity } = owner;
	const { triedAtMs, failingSinceMs } = listState;
	const startMs = triedAtMs > nowMs ? 0 : triedAtMs;
	const absentForMs = Math.max(triedAtMs - absentSinceMs, 0);
	return startMs + Math.max(backoffOf(failingSinceMs, triedAtMs), absentForMs / 4);
}

/**
 * Yields the tasks of a poll, the most urgent one first. Then its groups alternate, and every second list is the one that
 * has waited longest, so that no task depends on how many others there are and how active they are.
 */
export async function* takeTasks(
	state: TriggerState,
	pollClock: PollClock,
	turns: Turns,
): AsyncGenerator<Task> {
	const takenLists = new Set<WorkflowState>();
	/** IDs of the runs of each Prospector workflow that were taken. */
	const takenRuns = new Map<WorkflowState, Set<string>>();
	/** Returns runs that were never read, lists, and other runs; of each, the most urgent first. */
	const groupTasks = async () => {
		const nowMs = pollClock.now();
		const [unreadRuns, lists, otherRuns]: Task[][] = [[], [], []];
		for (const [workflowId, workflow] of state.workflows) {
			const { listState } = workflow;
			const takenIds = takenRuns.get(workflow);
			const dueAtMs = dueTimeOfList(workflow, nowMs);
			if (dueAtMs <= nowMs && !takenLists.has(workflow) && hasBudgetFor(state, listState)) {
				const changedAtMs = listState.isLong ? 0 : pollClock.toN8nTime(listState.newestCreatedAtMs);
				const urgency = urgencyOf(dueAtMs, changedAtMs, nowMs);
				lists.push({ kind: 'list', workflowId, workflow, dueAtMs, urgency });
			}
			await turns.map(workflow.runs, ([runId, run]) => {
				const runDueAtMs = dueTimeOfRun(run, nowMs);
				const results = run.results?.listState;
				if (runDueAtMs > nowMs || takenIds?.has(runId) || !hasBudgetFor(state, results)) return;
				const urgency = urgencyOf(runDueAtMs, results?.isLong ? 0 : run.changedAtMs!, nowMs);
				const isUnread = run.seen === undefined && !run.results?.createdAtMsByHash.size;
				const tasks = isUnread ? unreadRuns : otherRuns;
				tasks.push({ kind: 'run', workflowId, workflow, runId, dueAtMs: runDueAtMs, urgency });
			});
		}
		const byUrgency = async (tasks: Task[]) => await turns.sort(tasks, (a, b) => b.urgency - a.urgency);
		return [await byUrgency(unreadRuns), await byUrgency(lists), await byUrgency(otherRuns)];
	};
	let groups = await groupTasks();
	const urgencies = groups.map(([first]) => first?.urgency ?? -Infinity);
	let nextGroup = urgencies.indexOf(urgencies.reduce((one, other) => Math.max(one, other)));
	let takenListCount = 0;
	for (;;) {
		const order = groups.map((_, index) => (nextGroup + index) % groups.length);
		const group = order.find((index) => groups[index].length > 0);
		if (group === undefined) return;
		nextGroup = (group + 1) % groups.length;
		const tasks = groups[group];
		if (tasks[0].kind === 'list' && takenListCount++ % 2 === 1) tasks.sort((a, b) => a.dueAtMs - b.dueAtMs);
		const task = tasks.shift()!;
		const { workflow } = task;
		if (task.kind === 'list') takenLists.add(workflow);
		else takenRuns.set(workflow, (takenRuns.get(workflow) ?? new Set<string>()).add(task.runId));
		yield task;
		// A list can bring new runs.
		if (task.kind === 'list') groups = await groupTasks();
	}
}

/**
 * Returns when a run is due. `withNextCheck`, `noteAttempt` and `planResults` plan a pause of at most a minute plus the time
 * since the last change or the first failure. A longer pause was planned before n8n's clock was set back: the run is due
 * at once.
 */
export function dueTimeOfRun(run: RunState, nowMs: number): number {
	const { nextCheckAtMs = Infinity, changedAtMs = -Infinity, failingSinceMs = Infinity } = run;
	const sinceMs = Math.min(changedAtMs, failingSinceMs);
	const latestPlannedMs = nowMs + (nowMs - sinceMs) + MINUTE_MS;
	return nextCheckAtMs > latestPlannedMs ? 0 : nextCheckAtMs;
}
