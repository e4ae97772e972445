import { createDictionary, type Dictionary } from '../transport/dictionary';
import { isObject } from '../transport/values';
import type { ListOrder } from './listOrder';
import { bound, compress, type SeenList } from './seenList';

/** A run that is looked at again, since its status may change or results may still come. */
export interface WatchedRun {
	/** When the run was created; the service's clock. */
	created: number;
	/** As it was reported last; absent where it never was. */
	status?: string;
	/** Since when nothing has changed, on this machine's clock. */
	quietSince: number;
	/** When to look again, on this machine's clock. */
	due: number;
	/** The results that were reported; only where results are. */
	results?: SeenList;
}

export interface WorkflowState {
	runs: SeenList;
	/** By id. */
	watched: Dictionary<WatchedRun>;
	/** Results of runs from before the workflow was watched count as seen if created before this; the service's clock. */
	resultsFloor: number;
}

/** All that the trigger remembers between two polls. */
export interface TriggerState {
	version: 1;
	/** What the state is about: event and address. With another one, the trigger begins anew. */
	subject: string;
	/** The latest time that anything of the service carried, when the last complete poll ended. */
	seenUpTo: number;
	/** By the name of the list's endpoint. */
	orders: { runs?: ListOrder; results?: ListOrder };
	/** By id. */
	workflows: Dictionary<WorkflowState>;
	/** Whether it is known which workflows were there from the start. */
	hasBegun: boolean;
	/** When the first poll began: on this machine's clock, or later where the service has shown a later time. */
	begunAt?: number;
	/** Ids of workflows that were there from the start, and could not be begun with yet. */
	toBegin: string[];
	/** When a workflow was last polled, or tried to be, on this machine's clock; by id. */
	triedAt: Dictionary<number>;
}

/** Entries in all; they take about 35 bytes each as JSON. */
export const MOST_ENTRIES = 10_000;
/** Runs watched at a time, in all. */
export const MOST_WATCHED = 1_000;
/** Runs known of a Prospector workflow, however many workflows there are. */
const FEWEST_ENTRIES = 200;

export const newState = (subject: string): TriggerState => ({
	version: 1,
	subject,
	seenUpTo: 0,
	orders: {},
	workflows: createDictionary(),
	hasBegun: false,
	toBegin: [],
	triedAt: createDictionary(),
});

/** @returns undefined where nothing usable was kept, or something about another event or address */
export function readState(kept: unknown, subject: string): TriggerState | undefined {
	if (typeof kept !== 'string') return undefined;
	try {
		const state: unknown = JSON.parse(kept);
		const isOurs = isObject(state) && state.version === 1 && state.subject === subject;
		return isOurs ? withDictionaries(state as unknown as TriggerState) : undefined;
	} catch {
		return undefined;
	}
}

/** Restores the dictionaries, which JSON.parse returns as plain objects. */
const withDictionaries = (state: TriggerState): TriggerState => ({
	...state,
	workflows: createDictionary(
		Object.entries(state.workflows).map(([id, workflow]) => [id, workflowWithDictionaries(workflow)]),
	),
	triedAt: createDictionary(Object.entries(state.triedAt)),
});

const workflowWithDictionaries = (workflow: WorkflowState): WorkflowState => ({
	...workflow,
	runs: listWithDictionary(workflow.runs),
	watched: createDictionary(
		Object.entries(workflow.watched).map(([id, run]) => [
			id,
			run.results ? { ...run, results: listWithDictionary(run.results) } : run,
		]),
	),
});

const listWithDictionary = (list: SeenList): SeenList => ({
	...list,
	entries: createDictionary(Object.entries(list.entries)),
});

/** Returns a deep copy. */
export const cloneWorkflow = (workflow: WorkflowState): WorkflowState =>
	workflowWithDictionaries(structuredClone(workflow));

/** As text: n8n would wrap every object in it into one that watches for changes. */
export const writeState = (state: TriggerState): string => JSON.stringify(state);

/** Makes the state small enough again, whatever it has seen. */
export function boundState(state: TriggerState): void {
	const workflows = Object.values(state.workflows);
	const perWorkflow = Math.max(FEWEST_ENTRIES, Math.floor(MOST_ENTRIES / Math.max(workflows.length, 1)));
	for (const { runs } of workflows) bound(runs, perWorkflow);
	forgetQuietRuns(workflows);
	boundResults(workflows);
}

/** Watches no longer what has been quiet for longest. */
function forgetQuietRuns(workflows: WorkflowState[]): void {
	const all = workflows.flatMap(({ watched }) =>
		Object.entries(watched).map(([id, { quietSince }]) => ({ watched, id, quietSince })),
	);
	all.sort((a, b) => b.quietSince - a.quietSince);
	for (const { watched, id } of all.slice(MOST_WATCHED)) delete watched[id];
}

/** Of runs that have been quiet for long, the newest result's time has to do. */
function boundResults(workflows: WorkflowState[]): void {
	const lists = workflows
		.flatMap(({ watched }) => Object.values(watched))
		.filter((run) => run.results !== undefined)
		.sort((a, b) => b.quietSince - a.quietSince)
		.map(({ results }) => results!);
	let entries = 0;
	for (const list of lists) {
		bound(list, MOST_ENTRIES / 5);
		entries += Object.keys(list.entries).length;
		if (entries > MOST_ENTRIES) compress(list);
	}
}
