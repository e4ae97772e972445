import { endpoints } from '../transport/endpoints';
import { dueRuns, lookAtEach, meetRun } from './dueRuns';
import { isFinished } from './finished';
import { allowAsLong, noteTime, type Poll } from './pollUnderWay';
import { isNotFound, isPassing } from './pollFailure';
import { readResults } from './readResults';
import { seeRun } from './seeRun';
import { emptyList, reliableOrder, settleBaseline } from './seenList';
import type { WorkflowState } from './triggerState';
import type { WorkflowPoll } from './workflowPoll';
import { walk } from './walk';
import { nextLook } from './watching';

/** Reads what is new of one Prospector workflow. What could not be read is noted in the poll. */
export async function pollWorkflow(work: Poll, id: string): Promise<void> {
	work.state.triedAt[id] = work.now;
	const { deadline } = work;
	const since = work.clock();
	const known = work.state.workflows[id];
	const isBaseline = known === undefined && isFromNowOn(work, id);
	const draft = known === undefined ? firstSight(work) : structuredClone(known);
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
		schedule(part);
	}
	work.deadline = deadline;
	// Half of what exists as the beginning would make the other half news.
	if (isBaseline && work.failure !== undefined && !(work.isHurried && isPassing(work.failure))) return;
	work.state.toBegin = work.state.toBegin.filter((other) => other !== id);
	work.state.workflows[id] = draft;
	work.found.push(...part.found);
}

/** A workflow that turns up while all are watched is new itself, and so are its runs; any other begins here. */
const isFromNowOn = ({ settings, state, isFirst }: Poll, id: string) =>
	!settings.startWithExisting &&
	(isFirst || settings.workflowIds !== undefined || state.toBegin.includes(id));

function firstSight({ settings, state }: Poll): WorkflowState {
	const floor = settings.startWithExisting ? 0 : state.seenUpTo;
	return { runs: emptyList(floor), watched: {}, resultsFloor: 0 };
}

/** @returns false where there was not the time for it */
async function readRuns(part: WorkflowPoll): Promise<boolean> {
	const { work, id, draft, isBaseline, found } = part;
	const { client, settings, state, now } = work;
	const call = { endpoint: endpoints.listRuns, ids: { workflow_id: id } };
	if (isBaseline) draft.runs = emptyList();
	const order = reliableOrder(draft.runs, state.orders.runs, now);
	const isOver = work.isHurried ? work.isOver : undefined;
	const plan = { client, call, pageSize: settings.pageSize, seen: draft.runs, order, now, isOver };
	let isPartial = false;
	const end = await walk(plan, (item) => {
		noteTime(work, item.resource);
		if (!seeRun(part, item)) isPartial = true;
	});
	if (end === 'outOfTime') {
		work.isIncomplete = true;
		return false;
	}
	if (end.order !== undefined) state.orders.runs = end.order;
	if (isBaseline && found.length === 0) settleBaseline(draft.runs, end, now);
	else work.lists.push({ seen: draft.runs, end, found: [...found], isPartial });
	return true;
}

/** Settles when to look again at runs of which only the status counts. */
function schedule({ work, draft, met }: WorkflowPoll): void {
	for (const runId of met) {
		const run = draft.watched[runId];
		if (run === undefined) continue;
		const due = nextLook(run, isFinished(run.status), work.now);
		if (due === undefined) delete draft.watched[runId];
		else run.due = due;
	}
}
