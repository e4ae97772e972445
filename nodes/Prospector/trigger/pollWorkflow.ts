import { createDictionary } from '../transport/dictionary';
import { endpoints } from '../transport/endpoints';
import { dueRuns, lookAtEach, meetRun, schedule } from './dueRuns';
import { allowAsLong, type Poll } from './pollUnderWay';
import { isNotFound, isPassing } from './pollFailure';
import { readNews, settleNews } from './readNews';
import { readResults } from './readResults';
import { seeRun } from './seeRun';
import { emptyList } from './seenList';
import { cloneWorkflow, type WorkflowState } from './triggerState';
import type { WorkflowPoll } from './workflowPoll';

/** Reads what is new of one Prospector workflow. What could not be read is noted in the poll. */
export async function pollWorkflow(work: Poll, id: string): Promise<void> {
	work.state.triedAt[id] = work.now;
	const { deadline } = work;
	const since = work.clock();
	const known = work.state.workflows[id];
	const isBaseline = known === undefined && isFromNowOn(work, id);
	const draft = known === undefined ? firstSight(work) : cloneWorkflow(known);
	const knownUntil = work.state.toBegin.includes(id) ? (work.state.begunAt ?? Infinity) : Infinity;
	const part: WorkflowPoll = { work, id, draft, isBaseline, knownUntil, met: new Set(), found: [] };
	try {
		if (!(await readRuns(part))) return;
	} catch (error) {
		const isAll = work.settings.workflowIds === undefined;
		// Deleted since it was listed.
		if (!(isAll && isNotFound(error))) work.failure ??= error;
		// The runs of a workflow that is gone may still bring something.
		if (known === undefined || !isNotFound(error)) return;
	}
	allowAsLong(work, since);
	if (work.settings.event === 'newResult') await readResults(part);
	if (work.settings.event === 'runStatusChanged') {
		await lookAtEach(part, dueRuns(part), async (runId) => await meetRun(part, runId));
		for (const runId of part.met) schedule(part, runId);
	}
	work.deadline = deadline;
	// Half of what exists as the beginning would make the other half news.
	if (isBaseline && work.failure !== undefined && !(work.isHurried && isPassing(work.failure))) return;
	work.state.toBegin = work.state.toBegin.filter((other) => other !== id);
	work.state.workflows[id] = draft;
	for (const candidate of part.found) work.found.push(candidate);
}

/** A workflow that turns up while all are watched is new itself, and so are its runs; any other begins here. */
const isFromNowOn = ({ settings, state, isFirst }: Poll, id: string) =>
	!settings.startWithExisting &&
	(isFirst || settings.workflowIds !== undefined || state.toBegin.includes(id));

function firstSight({ settings, state }: Poll): WorkflowState {
	const floor = settings.startWithExisting ? 0 : state.seenUpTo;
	return { runs: emptyList(floor), watched: createDictionary(), resultsFloor: 0 };
}

/** @returns false where there was not the time for it */
async function readRuns(part: WorkflowPoll): Promise<boolean> {
	const { work, id, draft, isBaseline, found } = part;
	const call = { endpoint: endpoints.listRuns, ids: { workflow_id: id } };
	if (isBaseline) draft.runs = emptyList();
	let isPartial = false;
	const end = await readNews(work, 'runs', call, draft.runs, (item) => {
		if (!seeRun(part, item)) isPartial = true;
	});
	if (end === undefined) return false;
	settleNews(part, draft.runs, end, [...found], isPartial);
	return true;
}
