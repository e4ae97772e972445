// One poll: reads what is most urgent, and returns what is new with the next state. Called by `pollTrigger.ts`, which
// stores both together.
import type { IDataObject } from 'n8n-workflow';
import { endpoints } from '../api/endpoints';
import { NOT_READY_STATUSES } from '../api/failure/evidence';
import { hasStatus, isRateLimited, isThrottled } from '../api/failure/requestError';
import {
	CLOCK_AHEAD_NOTE,
	forgottenRunsMessage,
	unexpectedRunMessage,
	UNTIMED_ITEMS_MESSAGE,
} from '../messages/triggerMessages';
import { UserError } from '../messages/userMessage';
import { namesAnother } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { HOUR_MS, parseTimestamp, shortHash } from '../utils';
import {
	baselineOfResults,
	dateItem,
	decideRun,
	hashSnapshot,
	type RunSnapshot,
	withNextCheck,
} from './decideRun';
import { type ListItem, readList, toListItem } from './list';
import { trimState } from './forget';
import type { NewItem, PollFailure, PollContext } from './pollContext';
import { completeWorkflowNames, isWantedStatus, runOutputFields, workflowOutputFields } from './settings';
import { afterListAttempt, INITIAL_LIST_STATE } from './listState';
import { findFailingSince, type RunState, type WorkflowState } from './state';
import { backoffOf, dueTimeOfRun, takeTasks, type Task } from './taskQueue';

export interface PollOutcome {
	items: IDataObject[];
	/** State with everything that is emitted; undefined if there is no baseline yet. */
	stateText?: string;
	failures: PollFailure[];
	/** Since when something can't be read, on n8n's clock, also if this poll has not tried it; Infinity if nothing fails. */
	failingSinceMs: number;
	/** For n8n's log. */
	notes: string[];
}

/** This many failures in a row end a poll, because other reads would fail, too. The rate limit and 401 count twice. */
const MAX_FAILURES = 3;

export async function runPoll(poll: PollContext, maxStateBytes?: number): Promise<PollOutcome> {
	const { state, budget, client, settings, pollClock, notes } = poll;
	await runTasks(poll);
	const sortedItems = await client.turns.sort(poll.newItems, (a, b) => a.sortByMs - b.sortByMs);
	const items = await client.turns.map(sortedItems, ({ json }) => json);
	await completeWorkflowNames(client, settings, items, poll.listedWorkflowIds, budget);
	for (const owner of [state, ...state.workflows.values()]) {
		if (owner.baseline === undefined) continue;
		const settled = pollClock.settleBaseline(owner.baseline);
		if (settled !== owner.baseline && !owner.baseline.isProvisional) notes.add(CLOCK_AHEAD_NOTE);
		owner.baseline = settled;
	}
	state.overdraft = budget.computeOverdraft();
	const { stateText, forgottenCount } = await trimState(state, client.turns, maxStateBytes);
	if (forgottenCount > 0) poll.addLoss(forgottenRunsMessage(forgottenCount));
	const failures = [...poll.failures.values()];
	return { items, stateText, failures, failingSinceMs: findFailingSince(state), notes: [...notes] };
}

/**
 * `hasFailed`: whether the task is stored as failing. `failure`: the failure of a request, if one failed. A task whose list
 * has too many pages fails without a failed request. One that a later poll can continue has not failed, even if a request has.
 */
type TaskOutcome = { hasFailed: boolean; failure?: unknown; isSuppressed?: boolean };

async function runTasks(poll: PollContext): Promise<void> {
	const { state, budget, pollClock, client } = poll;
	let failuresInARow = 0;
	let isFirst = true;
	const mustEnd = () => failuresInARow >= MAX_FAILURES || !budget.mayBeginTask() || poll.hasEnoughItems();
	if (mustEnd()) return;
	for await (const task of takeTasks(state, pollClock, client.turns)) {
		const { hasFailed, failure, isSuppressed } = await (task.kind === 'list'
			? readRunList(poll, task)
			: readRun(poll, task));
		const countsTwice = isRateLimited(failure) || hasStatus(failure, 401);
		failuresInARow = failure === undefined ? 0 : failuresInARow + (countsTwice ? 2 : 1);
		// A throttled task, and a list for which there was no time, count as not tried: they stay the most urgent, and nothing is
		// reported. Two tasks always count as tried: the first one, which would otherwise be the first one in each poll, and a run
		// for which there was no time, because its results can take longer than any poll.
		const isOutOfTime = hasFailed && task.kind === 'list' && budget.isOutOfTime();
		const isTried = isFirst || !(isOutOfTime || isThrottled(failure));
		isFirst = false;
		if (isTried) {
			noteAttempt(task, hasFailed, pollClock.now());
			poll.addFailure(describeTask(task), failure, isSuppressed);
		}
		// Checked here, because the loop compares all runs to find the next task.
		if (mustEnd()) return;
	}
}

/** Stores when a task was tried, and since when it fails. */
function noteAttempt(task: Task, hasFailed: boolean, nowMs: number): void {
	const { workflow } = task;
	if (task.kind === 'list') {
		workflow.listState = afterListAttempt(workflow.listState, hasFailed, nowMs);
		return;
	}
	if (!hasFailed) return;
	const run = workflow.runs.get(task.runId)!;
	const failingSinceMs = Math.min(run.failingSinceMs ?? Infinity, nowMs);
	const nextCheckAtMs = nowMs + backoffOf(failingSinceMs, nowMs);
	workflow.runs.set(task.runId, { ...run, failingSinceMs, nextCheckAtMs });
}

/** Returns the time from which on what is created is new, as the responses of this poll so far show it. */
const baselineMsOf = ({ state, pollClock }: PollContext, { baseline }: WorkflowState): number =>
	pollClock.settleBaseline(baseline ?? state.baseline).serviceMs;

async function readRunList(poll: PollContext, task: Task): Promise<TaskOutcome> {
	const { workflowId, workflow } = task;
	const list = {
		name: `The list of runs of Prospector workflow '${workflowId}'`,
		request: { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } },
		listState: workflow.listState,
	};
	const read = await readList(poll, list, (item) => void updateRun(poll, task, item));
	workflow.listState = read.listState;
	const mayBeDeleted = hasStatus(read.failure, 404) && !poll.settings.workflowIds;
	return mayBeDeleted ? handleMissingWorkflow(poll, task, read) : read;
}

/** Returns the outcome of a list of runs that was not found, and lets the next poll find out whether it was deleted. */
function handleMissingWorkflow(
	poll: PollContext,
	{ workflowId, workflow }: Task,
	read: TaskOutcome,
): TaskOutcome {
	const discovery = poll.state.discovery!;
	const { listState } = discovery;
	// A deleted Prospector workflow is no failure. Its runs can still produce results.
	const isKnownAsAbsent = workflow.absentSinceMs !== undefined;
	// While the list of Prospector workflows can't be read, that is reported instead.
	if (isKnownAsAbsent || listState.failingSinceMs !== undefined) return { hasFailed: false };
	// The next poll first reads all of this list, which shows whether the Prospector workflow was deleted.
	discovery.listState = { ...listState, triedAtMs: 0, isNewestFirst: undefined };
	const { failingSinceMs = Infinity } = workflow.listState;
	const isLasting = poll.pollClock.now() - failingSinceMs >= HOUR_MS;
	return { ...read, isSuppressed: !isLasting || !poll.listedWorkflowIds.has(workflowId) };
}

async function readRun(poll: PollContext, task: Task & { kind: 'run' }): Promise<TaskOutcome> {
	const { client, pollClock, snapshots } = poll;
	const { workflow, runId } = task;
	const { runs } = workflow;
	const listedSnapshot = snapshots.get(workflow)?.get(runId);
	if (listedSnapshot) return await readResults(poll, task, listedSnapshot);
	const hasOneAttempt = runs.get(runId)!.failingSinceMs !== undefined;
	const request = { endpoint: endpoints.getRun, ids: { run_id: runId }, hasOneAttempt };
	try {
		const { data, requestId } = await client.request(request);
		if (namesAnother(data[0].id, runId)) throw new UserError(unexpectedRunMessage(runId));
		const snapshot = updateRun(poll, task, toListItem({ ...data[0], id: runId }, requestId));
		return await readResults(poll, task, snapshot);
	} catch (failure) {
		if (!hasStatus(failure, 404)) return { hasFailed: true, failure };
		// A deleted run is no failure. It is checked less and less often, in case it is found again.
		runs.set(runId, withNextCheck(runs.get(runId)!, '', pollClock.now(), true));
		return { hasFailed: false };
	}
}

/** Compares a run with what is stored of it, and stores and emits what follows. */
function updateRun(poll: PollContext, { workflowId, workflow }: Task, item: ListItem): RunSnapshot {
	const { snapshots, settings, pollClock } = poll;
	const { resource, createdAtMs } = item;
	const runId = String(resource.id);
	const updatedAtMs = parseTimestamp(resource.updated_at);
	const snapshot = { createdAtMs, updatedAtMs, status: statusOf(resource) };
	snapshots.set(workflow, (snapshots.get(workflow) ?? new Map<string, RunSnapshot>()).set(runId, snapshot));
	const storedRun = workflow.runs.get(runId);
	const baselineMs = baselineMsOf(poll, workflow);
	const update = decideRun(snapshot, { settings, workflow, baselineMs, storedRun, pollClock });
	if (update === 'untimed') poll.addLoss(UNTIMED_ITEMS_MESSAGE);
	if (typeof update !== 'object') return snapshot;
	workflow.runs.set(runId, update.run);
	if (!update.mustEmit) return snapshot;
	// It is a status, because a run whose results are returned is not emitted.
	const previousStatus = storedRun?.seen ?? null;
	const extraFields = runOutputFields(settings, workflowId, snapshot.status, previousStatus);
	const sortByMs = Math.max(update.run.createdAtMs, storedRun ? (updatedAtMs ?? 0) : 0);
	const json = settings.selector.toItem(resource, item.requestId, extraFields);
	poll.newItems.push({ json, sortByMs });
	return snapshot;
}

async function readResults(
	poll: PollContext,
	task: Task & { kind: 'run' },
	snapshot: RunSnapshot,
): Promise<TaskOutcome> {
	const { workflowId, workflow, runId } = task;
	const { runs } = workflow;
	const { settings, budget, pollClock } = poll;
	const { status } = snapshot;
	const nowMs = pollClock.now();
	const stored = runs.get(runId)!;
	const canRead = settings.returnsResults && isWantedStatus(settings, status) && budget.mayBeginTask();
	// The results are not due yet if a request has just shown the end of the run (`planResults`; contract, section 3).
	if (!canRead || dueTimeOfRun(stored, nowMs) > nowMs) return { hasFailed: false };
	const results = stored.results ?? {
		listState: INITIAL_LIST_STATE,
		createdAtMsByHash: new Map<string, number>(),
	};
	// Stored before the read, which fills its `results`. The run is due again from now on, until a read has finished: an
	// interrupted read goes to the end of the queue.
	const run: RunState = { ...stored, results, nextCheckAtMs: nowMs };
	runs.set(runId, run);
	const extraFields = { run_id: runId, run_status: status, ...workflowOutputFields(workflowId) };
	const newResults = new Map<string, NewItem>();
	const emit = (newItem: NewItem, idHash: string) => {
		poll.newItems.push(newItem);
		results.createdAtMsByHash.set(idHash, newItem.sortByMs);
	};
	const onResult = ({ createdAtMs, resource, requestId }: ListItem) => {
		const idHash = shortHash(String(resource.id));
		// A list can contain a result twice.
		if (results.createdAtMsByHash.has(idHash) || newResults.has(idHash)) return;
		const baselineMs = baselineOfResults(run, baselineMsOf(poll, workflow));
		const { ignoreBeforeMs } = run;
		const bound = { ignoreBeforeMs, listState: results.listState };
		const datedMs = dateItem(createdAtMs, bound, baselineMs, pollClock);
		if (datedMs === 'untimed') poll.addLoss(UNTIMED_ITEMS_MESSAGE);
		if (typeof datedMs === 'string') return;
		if (datedMs < baselineMs) {
			// It existed, but has no usable time that would show so later.
			if (datedMs === 0) results.createdAtMsByHash.set(idHash, 0);
			return;
		}
		const json = settings.selector.toItem(resource, requestId, extraFields);
		const newItem = { json, sortByMs: datedMs };
		newResults.set(idHash, newItem);
		if (!settings.returnsResultsTogether) emit(newItem, idHash);
	};
	const list = {
		name: `The list of results of run '${runId}'`,
		request: { endpoint: endpoints.listResults, ids: { run_id: runId } },
		listState: results.listState,
		failingSinceMs: run.failingSinceMs,
	};
	const read = await readList(poll, list, onResult);
	results.listState = read.listState;
	// Results that are returned together count only if all of them were read.
	if (settings.returnsResultsTogether && read.isFinished) newResults.forEach(emit);
	const isNotReady = hasStatus(read.failure, ...NOT_READY_STATUSES);
	// On the first page, these statuses mean that the run has no results yet. After an interrupted pass, the read has failed.
	const isMissing = isNotReady && read.ending === 'failed';
	if (newResults.size > 0) run.changedAtMs = nowMs;
	// What is added to the first pages during this read is found by the next one.
	if (read.isFinished || isMissing)
		runs.set(runId, withNextCheck({ ...run, seen: hashSnapshot(snapshot) }, status, nowMs, isMissing));
	return isNotReady ? { hasFailed: !isMissing } : read;
}

const describeTask = (task: Task): string =>
	task.kind === 'list'
		? `listing the runs of Prospector workflow '${task.workflowId}'`
		: `reading run '${task.runId}'`;
