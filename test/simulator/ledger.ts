import type { Status } from './settings';

/** A result, a run or a Prospector workflow, and what happened to it. All times are the service's, in milliseconds. */
export interface Entry {
	/** As the service shows it. Only a text is usable. */
	id: unknown;
	/** ID in the service, also if another one is shown. */
	key: string;
	addedAtMs: number;
	/** `created_at`; before or after the time it was added if it is backdated or in the future. */
	createdAtMs: number;
	visibleAtMs: number;
	/** Index of the first poll that starts after the entry is visible. */
	visiblePoll: number;
	deletedAtMs?: number;
	/** Whether its ID was given again, or it moved: what the trigger emits depends on the poll's time. */
	isUncertain?: boolean;
}

export interface WorkflowEntry extends Entry {
	runs: RunEntry[];
	/** When the last poll before its deletion started. */
	lastPolledAtMs?: number;
	/** Number of requests for its runs after its deletion. */
	readsWhenGone?: number;
	/** What was added before may be missed, because the Prospector workflow was deleted or not chosen. */
	mayMissBeforeMs: number;
	/** Whether it was restored when the trigger had forgotten it, so that it is new. */
	wasForgotten: boolean;
	isChosen: boolean;
	/** Whether a poll has to read the new choice before items must be found. */
	isChoiceUnread: boolean;
	/** Whether it was restored, and a poll has to read it. */
	isReturnUnread: boolean;
	/** What was added before, without a credible time, may count as existing. */
	unclearBeforeMs: number;
}

export interface StatusChange extends Status {
	atMs: number;
	/** Index of the first poll after the change. */
	poll: number;
}

export interface RunEntry extends Entry {
	workflow: WorkflowEntry;
	/** At least one. */
	statuses: StatusChange[];
	results: ResultEntry[];
	/** When its status changed, or a result was added. */
	changedAtMs: number;
}

export interface ResultEntry extends Entry {
	run: RunEntry;
	/** Whether the trigger may have stopped watching the run before. */
	isTooLate: boolean;
}

/** Everything that happened in the service. */
export class Ledger {
	readonly workflows: WorkflowEntry[] = [];
	readonly runs: RunEntry[] = [];
	readonly results: ResultEntry[] = [];
	private readonly runsByKey = new Map<string, RunEntry[]>();

	/** Returns the run with the ID of a run that was added last: the service uses it. */
	lastRun(run: RunEntry): RunEntry {
		return this.runsByKey.get(run.key)!.at(-1)!;
	}

	countRuns = (key: string): number => this.runsByKey.get(key)!.length;

	addRun(run: RunEntry): void {
		run.workflow.runs.push(run);
		this.runs.push(run);
		this.runsByKey.set(run.key, [...(this.runsByKey.get(run.key) ?? []), run]);
	}

	addResult(result: ResultEntry): void {
		result.run.results.push(result);
		this.results.push(result);
	}

	/** Returns the Prospector workflow or run that a request's path names; undefined if there is none. */
	findByPath(path: string): WorkflowEntry | RunEntry | undefined {
		const [kind, id] = path.split('/prospector/')[1]?.split('/').map(decodeURIComponent) ?? [];
		const entries: Array<WorkflowEntry | RunEntry> = kind === 'runs' ? this.runs : this.workflows;
		return entries.filter(({ key }) => key === id).at(-1);
	}
}

export const hasUsableId = ({ id }: Entry): boolean => typeof id === 'string' && id !== '';

export const isLive = ({ deletedAtMs }: Entry): boolean => deletedAtMs === undefined;

/** Returns the last status of a run. */
export const lastStatusOf = (run: RunEntry): StatusChange => run.statuses[run.statuses.length - 1];
