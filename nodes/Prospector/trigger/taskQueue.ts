import { HOUR_MS, MINUTE_MS } from '../utils';
import type { TriggerState, WorkflowState } from './state/triggerState';
import { wasNeverRead } from './state/trimState';
import { hasBudgetForList, isAbsent } from './refreshWorkflows';

/** A Prospector workflow's list of runs, with an empty `runId`, or one of its runs. */
export interface Task {
	workflowId: string;
	workflow: WorkflowState;
	runId: string;
	dueAtMs: number;
	urgency: number;
}

/** No list of runs is read while this many runs wait for their results to be read, because storage is limited. */
const MAX_UNREAD_RUNS = 4_000;

/**
 * Returns how urgent a task is: how long it has been due, compared with a quarter of the time it was unchanged before.
 * What has changed lately is read often, and nothing waits forever; a list to read in one poll counts as unchanged. Pure.
 */
export function urgencyOf(dueAtMs: number, changedAtMs: number, nowMs: number): number {
	const quarterOfUnchangedMs = (dueAtMs - changedAtMs) / 4;
	return (nowMs - dueAtMs) / Math.min(Math.max(quarterOfUnchangedMs, MINUTE_MS), 40 * MINUTE_MS);
}

/** Decides what a poll reads next. */
export class TaskQueue {
	/** Number of tasks that wait, with the current one. */
	waitingCount = 0;
	/** Tasks by kind, with the most urgent one first. */
	private tasksByKind?: Task[][];
	private nextTaskKindIndex?: number;
	private takenListCount = 0;
	private readonly takenRunIds = new Map<WorkflowState, Set<Task['runId']>>();

	constructor(private readonly state: TriggerState) {}

	/**
	 * Takes the most urgent task. Then the kinds alternate, so that many tasks of one kind don't delay the others. Every
	 * second list is the one that has waited longest, so that no list depends on how active the others are.
	 */
	takeTask(nowMs: number): Task | undefined {
		const tasksByKind = (this.tasksByKind ??= this.groupTasksByKind(nowMs));
		this.waitingCount = tasksByKind.reduce((sum, tasks) => sum + tasks.length, 0);
		if (this.waitingCount === 0) return undefined;
		const urgencies = tasksByKind.map(([first]) => first?.urgency ?? -Infinity);
		const highestUrgency = urgencies.reduce((most, other) => Math.max(most, other));
		let taskKindIndex = this.nextTaskKindIndex ?? urgencies.indexOf(highestUrgency);
		while (tasksByKind[taskKindIndex].length === 0) taskKindIndex = (taskKindIndex + 1) % tasksByKind.length;
		this.nextTaskKindIndex = (taskKindIndex + 1) % tasksByKind.length;
		const tasks = tasksByKind[taskKindIndex];
		if (tasks[0].runId === '') {
			if (this.takenListCount++ % 2 === 1) tasks.sort((a, b) => a.dueAtMs - b.dueAtMs);
			// A list can bring new runs.
			this.tasksByKind = undefined;
		}
		const task = tasks.shift()!;
		this.takenRunIds.set(task.workflow, (this.takenRunIds.get(task.workflow) ?? new Set()).add(task.runId));
		return task;
	}

	/** Returns the runs that were never read, the lists, and other runs that are due. */
	private groupTasksByKind(nowMs: number): Task[][] {
		const [unreadRuns, runLists, recheckRuns]: Task[][] = [[], [], []];
		for (const [workflowId, workflow] of this.state.workflows) {
			const takenIds = this.takenRunIds.get(workflow);
			const { runsTriedAtMs, lastSeenAtMs, limitedSinceMs = Infinity, listState, runs } = workflow;
			// A list that can't be read because its Prospector workflow is absent, or refused, is tried less often.
			const isWorkflowAbsent = isAbsent(this.state, workflow);
			const unreadableForMs = Math.max(runsTriedAtMs - (isWorkflowAbsent ? lastSeenAtMs : limitedSinceMs), 0);
			const backoffMs = isWorkflowAbsent ? unreadableForMs / 4 : Math.min(unreadableForMs / 4, HOUR_MS);
			const dueAtMs = Math.min(runsTriedAtMs, nowMs) + backoffMs;
			if (dueAtMs <= nowMs && !takenIds?.has('') && hasBudgetForList(this.state, listState)) {
				const { mustReadInOnePoll, newestCreatedAtMs } = listState;
				const urgency = urgencyOf(dueAtMs, mustReadInOnePoll ? 0 : newestCreatedAtMs.lastRead, nowMs);
				runLists.push({ workflowId, workflow, runId: '', dueAtMs, urgency });
			}
			for (const [runId, run] of runs) {
				const { nextCheckAtMs = Infinity, changedAtMs = 0, results } = run;
				// A change in the future was seen when the clock was wrong.
				const runDueAtMs = changedAtMs > nowMs ? nowMs : nextCheckAtMs;
				if (runDueAtMs > nowMs || takenIds?.has(runId) || !hasBudgetForList(this.state, results?.listState))
					continue;
				const tasks = wasNeverRead(run) ? unreadRuns : recheckRuns;
				const urgency = urgencyOf(runDueAtMs, results?.listState.mustReadInOnePoll ? 0 : changedAtMs, nowMs);
				tasks.push({ workflowId, workflow, runId, dueAtMs: runDueAtMs, urgency });
			}
		}
		const tasksByKind = [unreadRuns, unreadRuns.length < MAX_UNREAD_RUNS ? runLists : [], recheckRuns];
		for (const tasks of tasksByKind) tasks.sort((a, b) => b.urgency - a.urgency);
		return tasksByKind;
	}
}
