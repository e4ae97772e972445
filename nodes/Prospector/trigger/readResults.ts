import { toOutput } from '../actions/output';
import { endpoints } from '../transport/endpoints';
import { dueRuns, lookAtEach, meetRun, schedule } from './dueRuns';
import { isFinished } from './finished';
import { keepOldest, MOST_HELD, type Candidate } from './candidates';
import { readNews, settleNews } from './readNews';
import { isKnown, type WorkflowPoll } from './workflowPoll';
import { isWanted } from './seeRun';
import { CLOCKS_DIFFER, emptyList, isNew } from './seenList';
import type { WatchedRun, WorkflowState } from './triggerState';

/**
 * So many runs' results are read when a trigger is set up, to know each one: of runs that may bring more, and in any
 * case of the newest. Of the others, their time has to do.
 */
const MOST_AT_BASELINE = 50;
const NEWEST_AT_BASELINE = 10;

/** Reads the results of the runs that are due. What could not be read is noted in the poll, and stays due. */
export async function readResults(part: WorkflowPoll): Promise<void> {
	if (part.isBaseline) return await beginHere(part);
	const { work, draft } = part;
	await lookAtEach(part, dueRuns(part), async (runId) => {
		// One run after the other, wholly: to meet all of them first could take all the time there is, at every poll.
		await meetRun(part, runId);
		const run = draft.watched[runId];
		const found = isWanted(work.settings, run.status) ? await readRun(part, runId, run) : 0;
		if (found === 0) schedule(part, runId);
		// What was found may have to wait for a later poll, which has to find it then.
		else if (found !== undefined) run.due = work.now;
	});
}

function knownFromTheStart({ watched }: WorkflowState) {
	const newest = Object.entries(watched).sort(([, a], [, b]) => b.created - a.created);
	const unfinished = newest.filter(([, { status }]) => !isFinished(status)).slice(0, MOST_AT_BASELINE);
	return [...new Set([...newest.slice(0, NEWEST_AT_BASELINE), ...unfinished])].map(([runId]) => runId);
}

/** @returns how many results there are to report; undefined where there was not the time to tell */
async function readRun(part: WorkflowPoll, runId: string, run: WatchedRun): Promise<number | undefined> {
	const { work, id, found } = part;
	const { now } = work;
	const call = { endpoint: endpoints.listResults, ids: { run_id: runId } };
	const seen = (run.results ??= emptyList());
	const ofList: Candidate[] = [];
	let isPartial = false;
	const end = await readNews(work, 'results', call, seen, ({ resource, requestId, hash, created }) => {
		if (!isNew(seen, hash, created)) return;
		if (isKnown(part, created)) seen.entries[hash] = [created];
		else {
			const ofRun = { run_id: runId, run_status: run.status, workflow_id: id };
			const json = toOutput(resource, requestId, ofRun);
			ofList.push({ json, created, workflowId: id, runId, hash, entry: [created] });
			if (ofList.length > 2 * MOST_HELD) {
				keepOldest(ofList, MOST_HELD);
				isPartial = true;
			}
		}
		// Old results of an old run are no sign of life.
		if (now - created < CLOCKS_DIFFER) run.quietSince = now;
	});
	if (end === undefined) return undefined;
	settleNews(part, seen, end, ofList, isPartial);
	for (const candidate of ofList) found.push(candidate);
	return ofList.length;
}

/** Whatever the runs have brought until now counts as seen. */
async function beginHere(part: WorkflowPoll): Promise<void> {
	const { work, draft, knownUntil } = part;
	const isKnownByHeart = new Set<string>();
	await lookAtEach(part, knownFromTheStart(draft), async (runId) => {
		const run = draft.watched[runId];
		const found = await readRun(part, runId, run);
		if (found !== undefined) isKnownByHeart.add(runId);
		if (found === 0) schedule(part, runId);
	});
	draft.resultsFloor = Math.min(work.latest, knownUntil) + 1;
	for (const [runId, run] of Object.entries(draft.watched)) {
		if (isKnownByHeart.has(runId)) continue;
		// What could not be read is told by its time.
		run.results = emptyList(draft.resultsFloor);
		schedule(part, runId);
	}
}
