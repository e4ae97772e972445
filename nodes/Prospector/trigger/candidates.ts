import type { IDataObject } from 'n8n-workflow';
import type { Entry } from './seenList';
import type { TriggerState } from './triggerState';

/** So many finds are held at a time; what is beyond is found again by a later poll. */
export const MOST_HELD = 10_000;

/** Something to report, and what to remember once it is. */
export interface Candidate {
	json: IDataObject;
	/** When it came to be, on the service's clock: the oldest is reported first. */
	created: number;
	workflowId: string;
	/** Where it is a result: of which run. */
	runId?: string;
	/** Digest of its id. */
	hash: string;
	entry: Entry;
	/** Where it is a run: its id and the status that is reported. */
	run?: { id: string; status: string };
}

/** The oldest of all, however many there are to report. */
export function oldestFirst(candidates: Candidate[], most: number): Candidate[] {
	return candidates
		.map((candidate, index) => ({ candidate, index }))
		.sort((a, b) => a.candidate.created - b.candidate.created || a.index - b.index)
		.slice(0, most)
		.map(({ candidate }) => candidate);
}

/** Leaves out what is not among the oldest. */
export function keepOldest(candidates: Candidate[], most: number): void {
	const oldest = oldestFirst(candidates, most);
	candidates.length = 0;
	for (const candidate of oldest) candidates.push(candidate);
}

/** Remembers what is reported now. What it belonged to may have been forgotten meanwhile. */
export function remember(state: TriggerState, { workflowId, runId, hash, entry, run }: Candidate): void {
	const workflow = state.workflows[workflowId];
	if (workflow === undefined) return;
	if (runId !== undefined) {
		const results = workflow.watched[runId]?.results;
		if (results) results.entries[hash] = entry;
		return;
	}
	workflow.runs.entries[hash] = entry;
	if (run && workflow.watched[run.id]) workflow.watched[run.id].status = run.status;
}
