// Orders what a poll reads by urgency. Asked by the poll before each task; nothing that is due waits for ever.
import type { Turns } from '../transport/turns';
import { HOUR_MS, MINUTE_MS } from '../utils';
import type { PollClock } from './pollClock';
import type { ListState } from './list';
import type { RunState, TriggerState, WorkflowState } from './state';

/** What a poll can read: the list of runs of a Prospector workflow, or a run with its results. Times are on n8n's clock. */
export type Task = ({ kind: 'list' } | { kind: 'run'; runId: string }) & {
	workflowId: string;
	workflow: WorkflowState;
	dueAtMs: number;
	urgency: number;
};

/** Returns the pause after a failed read: a quarter of the time for which reads have failed, at most half an hour. */
export const backoffOf = (failingSinceMs = Infinity, triedAtMs: number): number =>
	Math.min(Math.max(triedAtMs - failingSinceMs, 0) / 4, HOUR_MS / 2);

/** Whether a list can be read. A long list takes more requests than a poll has, so it waits until they are repaid. */
export const hasBudgetFor = ({ overdraft }: TriggerState, listState?: ListState): boolean =>
	!listState?.isLong || overdraft === 0;

/**
 * Returns how urgent a task is: how long it has been due, compared with a quarter of the time it was unchanged before.
 * What has changed lately is read often, and nothing waits forever.
 */
export function urgencyOf(dueAtMs: number, changedAtMs: number, nowMs: number): number {
	const quarterOfUnchangedMs = (dueAtMs - changedAtMs) / 4;
	return (nowMs - dueAtMs) / Math.min(Math.max(quarterOfUnchangedMs, MINUTE_MS), 40 * MINUTE_MS);
}

/**
 * Returns when a list is due: at once if it was tried in the future, before n8n's clock was set back; that of an absent
 * Prospector workflow less and less often.
 */
export function dueTimeOf(owner: Pick<WorkflowState, 'listState' | 'absentSinceMs'>, nowMs: number): number {
	const { listState, absentSinceMs = Infinity } = owner;
	const { triedAtMs, failingSinceMs } = listState;
	const startMs = triedAtMs > nowMs ? 0 : triedAtMs;
	const absentForMs = Math.max(triedAtMs - absentSinceMs, 0);
	return startMs + Math.max(backoffOf(failingSinceMs, triedAtMs), absentForMs / 4);
}

export class TaskQueue {
	/** Runs that were never read, lists, and other runs; the most urgent task first. */
	private tasksByKind?: Task[][];
	private nextKind?: number;
	private takenListCount = 0;
	/** IDs of the runs of each Prospector workflow that were taken; undefined stands for its list. */
	private readonly taken = new Map<WorkflowState, Set<string | undefined>>();

	constructor(
		private readonly state: TriggerState,
		private readonly clock: PollClock,
		private readonly turns: Turns,
	) {}

	/**
	 * Takes the most urgent task. Then the kinds alternate, and every second list is the one that has waited longest, so that
	 * no task depends on how many others there are and how active they are.
	 */
	async takeTask(): Promise<Task | undefined> {
		const tasksByKind = (this.tasksByKind ??= await this.groupTasksByKind());
		const urgencies = tasksByKind.map(([first]) => first?.urgency ?? -Infinity);
		const highest = urgencies.reduce((one, other) => Math.max(one, other));
		const firstKind = this.nextKind ?? urgencies.indexOf(highest);
		const kinds = tasksByKind.map((_, index) => (firstKind + index) % tasksByKind.length);
		const kind = kinds.find((index) => tasksByKind[index].length > 0);
		if (kind === undefined) return undefined;
		this.nextKind = (kind + 1) % tasksByKind.length;
		const tasks = tasksByKind[kind];
		if (tasks[0].kind === 'list' && this.takenListCount++ % 2 === 1)
			tasks.sort((a, b) => a.dueAtMs - b.dueAtMs);
		const task = tasks.shift()!;
		const taken = this.taken.get(task.workflow) ?? new Set();
		this.taken.set(task.workflow, taken.add(task.kind === 'run' ? task.runId : undefined));
		// A list can bring new runs.
		if (task.kind === 'list') this.tasksByKind = undefined;
		return task;
	}

	private async groupTasksByKind(): Promise<Task[][]> {
		const { state, turns } = this;
		const nowMs = this.clock.now();
		const [unreadRuns, lists, otherRuns]: Task[][] = [[], [], []];
		for (const [workflowId, workflow] of state.workflows) {
			const taken = this.taken.get(workflow);
			const { listState } = workflow;
			const dueAtMs = dueTimeOf(workflow, nowMs);
			if (dueAtMs <= nowMs && !taken?.has(undefined) && hasBudgetFor(state, listState)) {
				const changedAtMs = listState.isLong ? 0 : this.clock.toN8nTime(listState.newestCreatedAtMs);
				const urgency = urgencyOf(dueAtMs, changedAtMs, nowMs);
				lists.push({ kind: 'list', workflowId, workflow, dueAtMs, urgency });
			}
			await turns.map(workflow.runs, ([runId, run]) => {
				const runDueAtMs = dueTimeOfRun(run, nowMs);
				if (runDueAtMs > nowMs || taken?.has(runId) || !hasBudgetFor(state, run.results?.listState)) return;
				const urgency = urgencyOf(runDueAtMs, run.results?.listState.isLong ? 0 : run.changedAtMs!, nowMs);
				const tasks = run.seen?.kind === 'never' ? unreadRuns : otherRuns;
				tasks.push({ kind: 'run', workflowId, workflow, runId, dueAtMs: runDueAtMs, urgency });
			});
		}
		const byUrgency = async (tasks: Task[]) => await turns.sort(tasks, (a, b) => b.urgency - a.urgency);
		return [await byUrgency(unreadRuns), await byUrgency(lists), await byUrgency(otherRuns)];
	}
}

/**
 * Returns when a run is due. A check is at most as far ahead as the last change or the first failure is past, plus the delay
 * of results, below a minute. One that is further away was planned before n8n's clock was set back, and is due at once.
 */
export function dueTimeOfRun(run: RunState, nowMs: number): number {
	const { nextCheckAtMs = Infinity, changedAtMs = -Infinity, failingSinceMs = Infinity } = run;
	const sinceMs = Math.min(changedAtMs, failingSinceMs);
	const latestPlannedMs = nowMs + (nowMs - sinceMs) + MINUTE_MS;
	return nextCheckAtMs > latestPlannedMs ? 0 : nextCheckAtMs;
}
