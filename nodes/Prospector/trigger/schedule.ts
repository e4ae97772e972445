import { HOUR_MS, MINUTE_MS } from '../utils';
import type { TriggerState, WorkflowState } from './state/triggerState';
import { isUnread } from './state/trimState';
import { canRead, isAbsent } from './workflowList';

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
 * Returns how urgent a task is: how long it has been due, compared with a quarter of the time it was unchanged before. So
 * what has changed lately is read often, and nothing waits forever. A list whose cursors expire counts as unchanged. Pure.
 */
export function urgencyOf(dueAtMs: number, changedAtMs: number, nowMs: number): number {
	const quarterMs = (dueAtMs - changedAtMs) / 4;
	return (nowMs - dueAtMs) / Math.min(Math.max(quarterMs, MINUTE_MS), 40 * MINUTE_MS);
}

/** Decides what a poll reads next. */
export class Schedule {
	/** Number of tasks that wait, with the current one. */
	waiting = 0;
	/** Tasks by kind, with the most urgent one first. */
	private kinds?: Task[][];
	private nextKind?: number;
	private listsTaken = 0;
	private readonly taken = new Map<WorkflowState, Set<Task['runId']>>();

	constructor(private readonly state: TriggerState) {}

	/**
	 * Takes the most urgent task. Then the kinds alternate, so that many tasks of one kind don't delay the others. Every
	 * second list is the one that has waited longest, so that no list depends on how active the others are.
	 *
	 * @param nowMs on the service's clock
	 */
	take(nowMs: number): Task | undefined {
		const kinds = (this.kinds ??= this.tasksByKind(nowMs));
		this.waiting = kinds.reduce((sum, tasks) => sum + tasks.length, 0);
		if (this.waiting === 0) return undefined;
		const urgencies = kinds.map(([first]) => first?.urgency ?? -Infinity);
		const highest = urgencies.reduce((most, other) => Math.max(most, other));
		let kind = this.nextKind ?? urgencies.indexOf(highest);
		while (kinds[kind].length === 0) kind = (kind + 1) % kinds.length;
		this.nextKind = (kind + 1) % kinds.length;
		const tasks = kinds[kind];
		if (tasks[0].runId === '') {
			if (this.listsTaken++ % 2 === 1) tasks.sort((a, b) => a.dueAtMs - b.dueAtMs);
			// A list can bring new runs.
			this.kinds = undefined;
		}
		const task = tasks.shift()!;
		this.taken.set(task.workflow, (this.taken.get(task.workflow) ?? new Set()).add(task.runId));
		return task;
	}

	/** Returns the runs that were never read, the lists, and other runs that are due. */
	private tasksByKind(nowMs: number): Task[][] {
		const [unreadRuns, lists, dueRuns]: Task[][] = [[], [], []];
		for (const [workflowId, workflow] of this.state.workflows) {
			const taken = this.taken.get(workflow);
			const { polledAtMs, listedAtMs, refusedAtMs = Infinity, list, runs } = workflow;
			// A list that can't be read because its Prospector workflow is absent, or refused, is tried less often.
			const isGone = isAbsent(this.state, workflow);
			const unreadMs = Math.max(polledAtMs - (isGone ? listedAtMs : refusedAtMs), 0);
			const pauseMs = isGone ? unreadMs / 4 : Math.min(unreadMs / 4, HOUR_MS);
			const dueAtMs = Math.min(polledAtMs, nowMs) + pauseMs;
			if (dueAtMs <= nowMs && !taken?.has('') && canRead(this.state, list)) {
				const urgency = urgencyOf(dueAtMs, list.isRejected ? 0 : list.marksMs[1], nowMs);
				lists.push({ workflowId, workflow, runId: '', dueAtMs, urgency });
			}
			for (const [runId, run] of runs) {
				const { checkAtMs = Infinity, changedAtMs = 0, results } = run;
				// A change in the future was seen when the clock was wrong.
				const runDueAtMs = changedAtMs > nowMs ? nowMs : checkAtMs;
				if (runDueAtMs > nowMs || taken?.has(runId) || !canRead(this.state, results?.list)) continue;
				const tasks = isUnread(run) ? unreadRuns : dueRuns;
				const urgency = urgencyOf(runDueAtMs, results?.list.isRejected ? 0 : changedAtMs, nowMs);
				tasks.push({ workflowId, workflow, runId, dueAtMs: runDueAtMs, urgency });
			}
		}
		const kinds = [unreadRuns, unreadRuns.length < MAX_UNREAD_RUNS ? lists : [], dueRuns];
		for (const tasks of kinds) tasks.sort((a, b) => b.urgency - a.urgency);
		return kinds;
	}
}
