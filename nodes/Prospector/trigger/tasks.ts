import type { TriggerState, WorkflowState } from './state/triggerState';
import { isUnread } from './state/trimState';

/** A Prospector workflow's list of runs, or one of its runs. */
export interface Task {
	workflowId: string;
	workflow: WorkflowState;
	runId?: string;
	dueAt: number;
}

/** No list of runs is read while this many runs wait for their results to be read, because storage is limited. */
const MAX_UNREAD_RUNS = 4_000;

export class TaskQueue {
	/** Number of tasks that wait, with the current one. */
	waiting = 0;
	/** Tasks by kind; in each kind, the task that has waited longest comes first. */
	private kinds?: Task[][];
	private nextKind?: number;
	/** IDs of the runs, or undefined for the list of runs, that were taken. */
	private readonly taken = new Map<WorkflowState, Set<string | undefined>>();

	constructor(private readonly state: TriggerState) {}

	/**
	 * Takes the next task. The first is the one that has waited longest, so that no task is always last. Then the kinds
	 * alternate (lists of runs, unread runs, other due runs), so that many tasks of one kind don't delay the others.
	 *
	 * @param now milliseconds, on the service's clock
	 */
	take(now: number): Task | undefined {
		const kinds = (this.kinds ??= this.tasks(now));
		const tasks = kinds.flat();
		this.waiting = tasks.length;
		if (tasks.length === 0) return undefined;
		const longestWaiting = tasks.reduce((first, other) => (other.dueAt < first.dueAt ? other : first));
		let kind = this.nextKind ?? kinds.findIndex(([first]) => first === longestWaiting);
		while (kinds[kind].length === 0) kind = (kind + 1) % kinds.length;
		this.nextKind = (kind + 1) % kinds.length;
		const task = kinds[kind].shift()!;
		this.taken.set(task.workflow, (this.taken.get(task.workflow) ?? new Set()).add(task.runId));
		// A list can bring new runs.
		if (task.runId === undefined) this.kinds = undefined;
		return task;
	}

	private tasks(now: number): Task[][] {
		const lists: Task[] = [];
		const unreadRuns: Task[] = [];
		const dueRuns: Task[] = [];
		for (const [workflowId, workflow] of this.state.workflows) {
			const taken = this.taken.get(workflow);
			if (workflow.goneSince === undefined && !taken?.has(undefined))
				lists.push({ workflowId, workflow, dueAt: workflow.polledAt });
			for (const [runId, run] of workflow.runs) {
				const { checkAt: dueAt = Infinity } = run;
				if (dueAt > now || taken?.has(runId)) continue;
				(isUnread(run) ? unreadRuns : dueRuns).push({ workflowId, workflow, runId, dueAt });
			}
		}
		const kinds = [unreadRuns.length < MAX_UNREAD_RUNS ? lists : [], unreadRuns, dueRuns];
		for (const tasks of kinds) tasks.sort((a, b) => a.dueAt - b.dueAt);
		return kinds;
	}
}
