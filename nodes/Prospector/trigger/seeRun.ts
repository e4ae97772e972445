import { toOutput } from '../actions/output';
import { isAmong, statusOf } from '../actions/waiting/runStatus';
import { hasUsableId } from '../methods/pickable';
import { toText } from '../transport/values';
import { isKnown, type WorkflowPoll } from './workflowPoll';
import { CLOCKS_DIFFER, emptyList, isNew, UNDATED } from './seenList';
import type { TriggerSettings } from './triggerSettings';
import { momentOf, shortDigest, type ListItem } from './walk';

/** So many runs are taken up for their results at a time; the others are found again. */
export const MOST_AT_A_TIME = 500;

/**
 * What a poll does with a run that it meets.
 *
 * @returns false where it has to be met again by a later poll
 */
export function seeRun(part: WorkflowPoll, item: ListItem): boolean {
	if (!hasUsableId(item.resource)) return true;
	part.met.add(String(item.resource.id));
	switch (part.work.settings.event) {
		case 'newRun':
			return seeNewRun(part, item);
		case 'runStatusChanged':
			return seeStatus(part, item);
		case 'newResult':
			return seeRunWithResults(part, item);
	}
}

function seeNewRun(part: WorkflowPoll, item: ListItem): boolean {
	const { id, draft, found } = part;
	const { hash, created, resource, requestId } = item;
	if (!isNew(draft.runs, hash, created)) return true;
	if (isKnown(part, created)) draft.runs.entries[hash] = [created];
	else {
		found.push({ json: toOutput(resource, requestId), created, workflowId: id, hash, entry: [created] });
	}
	return true;
}

function seeStatus(part: WorkflowPoll, item: ListItem): boolean {
	const { work, id, draft, found } = part;
	const { hash, created, resource, requestId } = item;
	const runId = String(resource.id);
	const status = statusOf(resource);
	const watched = draft.watched[runId];
	const before = watched?.status ?? draft.runs.entries[hash]?.[1];
	const isFresh = before === undefined && (watched !== undefined || isNew(draft.runs, hash, created));
	if (!isFresh && (before === undefined || before === status)) return true;

	// Until it is reported, the run is remembered as it was.
	draft.watched[runId] = {
		created,
		status: before,
		quietSince: isFresh ? beginOfQuiet(item, work.now) : work.now,
		due: work.now,
	};
	if (isKnown(part, created) || !isWanted(work.settings, status)) {
		draft.runs.entries[hash] = [created, status];
		draft.watched[runId].status = status;
		return true;
	}
	found.push({
		json: toOutput(resource, requestId, { previous_status: before ?? null }),
		// A change comes to be when it is made; whoever does not say when, comes in the order of creation.
		created: before === undefined ? created : Math.max(created, knownMoment(resource.updated_at)),
		workflowId: id,
		hash,
		entry: [created, status],
		run: { id: runId, status },
	});
	return true;
}

function seeRunWithResults(part: WorkflowPoll, item: ListItem): boolean {
	const { work, draft, isBaseline } = part;
	const { hash, created, resource } = item;
	const runId = String(resource.id);
	const status = statusOf(resource);
	const entry = draft.runs.entries[hash];
	const watched = draft.watched[runId];
	const mark = shortDigest(`${status}|${toText(resource.updated_at)}`);
	if (watched) watched.status = status;
	const isFresh = watched === undefined && isNew(draft.runs, hash, created);
	if (!isFresh && (entry === undefined || entry[1] === mark)) return true;
	if (watched === undefined && Object.keys(draft.watched).length >= MOST_AT_A_TIME && !isBaseline)
		return false;

	const floor = entry?.[2] ?? draft.resultsFloor;
	const wasThere = isKnown(part, created);
	draft.runs.entries[hash] = wasThere ? [created, mark] : [created, mark, floor];
	draft.watched[runId] = {
		created,
		status,
		results: watched?.results ?? (wasThere ? undefined : emptyList(isFresh ? 0 : floor)),
		quietSince: isFresh ? beginOfQuiet(item, work.now) : work.now,
		// A run that changes all the time keeps its place in the queue.
		due: Math.min(watched?.due ?? Infinity, work.now),
	};
	return true;
}

/** Whether this status is one that the person wants to hear of. */
export const isWanted = ({ statuses }: Pick<TriggerSettings, 'statuses'>, status = ''): boolean =>
	statuses.length === 0 || isAmong(status, statuses);

/** A run from long ago has been quiet since; for any other, the clocks may differ. */
function beginOfQuiet({ resource, created }: ListItem, now: number): number {
	const last = Math.max(knownMoment(resource.updated_at), created);
	return now - last > CLOCKS_DIFFER ? last : now;
}

/** @returns 0 where there is none */
function knownMoment(timestamp: unknown): number {
	const moment = momentOf(timestamp);
	return moment === UNDATED ? 0 : moment;
}
