import { endpoints } from '../transport/endpoints';
import { isFinished } from './finished';
import { AFTER_FAILURE, isNotFound } from './pollFailure';
import { noteTime } from './pollUnderWay';
import { seeRun } from './seeRun';
import { compress } from './seenList';
import { listItem, shortDigest } from './walk';
import { nextLook } from './watching';
import type { WorkflowPoll } from './workflowPoll';

/** Ids of the runs that are due, the longest due first: where there is not the time for all, each has its turn. */
export const dueRuns = ({ work, draft }: WorkflowPoll): string[] =>
	Object.entries(draft.watched)
		.filter(([, run]) => run.due <= work.now)
		.sort(([, a], [, b]) => a.due - b.due || a.created - b.created)
		.map(([runId]) => runId);

/** Looks at runs while there is time. What could not be read is noted in the poll, and is due again soon. */
export async function lookAtEach(
	{ work, draft }: WorkflowPoll,
	runIds: string[],
	look: (runId: string) => Promise<void>,
): Promise<void> {
	for (const runId of runIds) {
		if (work.isOver()) return void (work.isIncomplete = true);
		try {
			await look(runId);
		} catch (error) {
			if (isNotFound(error)) delete draft.watched[runId];
			else {
				draft.watched[runId].due = work.now + AFTER_FAILURE;
				work.failure ??= error;
			}
		}
	}
}

/** Sees how a run is now, unless it was on the pages that were read. @throws NodeApiError */
export async function meetRun(part: WorkflowPoll, runId: string): Promise<void> {
	const { work, met } = part;
	if (met.has(runId)) return;
	const { data, requestId } = await work.client.call({
		endpoint: endpoints.getRun,
		ids: { run_id: runId },
	});
	noteTime(work, data[0]);
	seeRun(part, listItem({ ...data[0], id: runId }, requestId));
}

/** Settles when to look at a run again: not at once, unless it has just changed. */
export function schedule({ work, draft }: WorkflowPoll, runId: string): void {
	const run = draft.watched[runId];
	if (run === undefined) return;
	const due = nextLook(run, isFinished(run.status), work.now);
	if (due !== undefined) {
		run.due = due;
		return;
	}
	// Should it change one day, what it has brought so far is told by its time.
	const entry = draft.runs.entries[shortDigest(runId)];
	if (run.results) compress(run.results);
	if (entry && run.results) entry[2] = run.results.floor;
	delete draft.watched[runId];
}
