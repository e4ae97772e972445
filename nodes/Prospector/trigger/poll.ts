// One poll: reads what is most urgent, and returns what is new with the next state. Called by `pollTrigger.ts`, which
// stores both together.
import type { IDataObject } from 'n8n-workflow';
import { endpoints } from '../api/endpoints';
import { NOT_READY_STATUSES } from '../api/failure/evidence';
import { hasStatus, isRateLimited, isThrottled } from '../api/failure/requestError';
import {
	CLOCK_AHEAD_NOTE,
	forgottenRunsMessage,
	otherRunMessage,
	UNTIMED_ITEMS_MESSAGE,
} from '../messages/triggerMessages';
import { UserError } from '../messages/userMessage';
import { differs, FieldSelector, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { parseTimestamp } from '../utils';
import {
	afterResultsRead,
	decideResult,
	decideRun,
	type RunSnapshot,
	withMissingRunCheck,
} from './decideRun';
import { INITIAL_LIST_STATE, type ListItem, type ListRead, toListItem, afterListAttempt } from './list';
import { trimState } from './forget';
import type { NewItem, PollFailure, PollReader } from './pollReader';
import { completeWorkflowNames, isWantedStatus, runOutputFields, workflowOutputFields } from './settings';
import {
	findFailingSince,
	type RunState,
	statusOrHashOf,
	type TriggerState,
	type WorkflowState,
} from './state';
import { backoffOf, dueTimeOfRun, type Task, TaskQueue } from './taskQueue';

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

/** This many failures in a row end a poll, because other reads would fail, too. A refusal (429 or 401) counts twice. */
const MAX_FAILURES = 3;

export async function runPoll(reader: PollReader, state: TriggerState, maxStateBytes?: number) {
	const { budget, client, settings, clock, notes } = reader;
	const poll = new Poll(reader, state, new FieldSelector(settings.fieldSelection));
	await poll.runTasks();
	const sortedItems = await client.turns.sort(reader.newItems, (a, b) => a.sortByMs - b.sortByMs);
	const items = await client.turns.map(sortedItems, ({ json }) => json);
	await completeWorkflowNames(client, settings, items, reader.listedWorkflowIds, budget);
	state.baseline ??= clock.createBaseline();
	// Also the baselines of Prospector workflows that this poll has not read.
	for (const workflow of state.workflows.values()) poll.storeSettledBaseline(workflow);
	state.overdraft = budget.computeOverdraft();
	const { stateText, forgottenCount } = await trimState(state, client.turns, maxStateBytes);
	if (forgottenCount > 0) reader.addLoss(forgottenRunsMessage(forgottenCount));
	const failures = [...reader.failures.values()];
	return { items, stateText, failures, failingSinceMs: findFailingSince(state), notes: [...notes] };
}

type RunTask = Extract<Task, { kind: 'run' }>;

class Poll {
	private readonly snapshots = new Map<WorkflowState, Map<string, RunSnapshot>>();

	constructor(
		private readonly reader: PollReader,
		private readonly state: TriggerState,
		private readonly selector: FieldSelector,
	) {}

	async runTasks(): Promise<void> {
		const { reader, state } = this;
		const taskQueue = new TaskQueue(state, reader.clock, reader.client.turns);
		let failuresInARow = 0;
		for (let isFirst = true; ; isFirst = false) {
			const mustEnd = failuresInARow >= MAX_FAILURES || reader.budget.isUsedUp() || reader.hasEnoughItems();
			const task = mustEnd ? undefined : await taskQueue.takeTask();
			if (task === undefined) return;
			const { hasFailed, failure } = await (task.kind === 'list'
				? this.readRunList(task)
				: this.readRun(task));
			const isRefusal = isRateLimited(failure) || hasStatus(failure, 401);
			failuresInARow = failure === undefined ? 0 : failuresInARow + (isRefusal ? 2 : 1);
			// What was cut off counts as not tried, so the next poll begins with it. Except the first task, which had the whole
			// poll: next time, others come before it.
			const isCutOff = isThrottled(failure) || (hasFailed && reader.budget.timeLeftMs() === 0);
			if (isCutOff && !isFirst) continue;
			this.noteAttempt(task, hasFailed);
			reader.addFailure(describeTask(task), failure);
		}
	}

	/** Stores when the task was tried, and since when it fails. */
	private noteAttempt(task: Task, hasFailed: boolean): void {
		const { workflow } = task;
		const nowMs = this.reader.clock.now();
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

	/** Returns the time from which on what is created is new. In the first poll, it follows from the responses so far. */
	storeSettledBaseline(workflow: WorkflowState): number {
		const { clock, notes } = this.reader;
		const owner = workflow.baseline ? workflow : this.state;
		if (owner.baseline === undefined) return clock.createBaseline().serviceMs;
		const settled = clock.settleBaseline(owner.baseline);
		if (settled !== owner.baseline && !owner.baseline.isProvisional) notes.add(CLOCK_AHEAD_NOTE);
		owner.baseline = settled;
		return settled.serviceMs;
	}

	private async readRunList(task: Task): Promise<TaskOutcome> {
		const { reader } = this;
		const { workflowId, workflow } = task;
		const list = {
			name: `The list of runs of Prospector workflow '${workflowId}'`,
			request: { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } },
			listState: workflow.listState,
		};
		const read = await reader.readList(list, (item) => void this.updateRun(task, item));
		workflow.listState = read.listState;
		// The runs of a deleted Prospector workflow can still produce results.
		if (hasStatus(read.failure, 404) && !reader.settings.workflowIds) return { hasFailed: false };
		return read;
	}

	/** Reads a run, and its results. */
	private async readRun(task: RunTask): Promise<TaskOutcome> {
		const { client, clock } = this.reader;
		const { workflow, runId } = task;
		const { runs } = workflow;
		const listedSnapshot = this.snapshots.get(workflow)?.get(runId);
		if (listedSnapshot) return await this.readResults(task, listedSnapshot);
		const isTriedOnce = runs.get(runId)!.failingSinceMs !== undefined;
		const request = { endpoint: endpoints.getRun, ids: { run_id: runId }, isTriedOnce };
		try {
			const { data, requestId } = await client.request(request);
			if (differs(data[0].id, runId)) throw new UserError(otherRunMessage(runId));
			const snapshot = this.updateRun(task, toListItem({ ...data[0], id: runId }, requestId));
			return await this.readResults(task, snapshot);
		} catch (failure) {
			if (!hasStatus(failure, 404)) return { hasFailed: true, failure };
			// A deleted run is no failure. It is checked less and less often, in case it is found again.
			runs.set(runId, withMissingRunCheck(runs.get(runId)!, '', clock.now()));
			return { hasFailed: false };
		}
	}

	/** Compares a run with what is stored of it, and stores and emits what follows. */
	private updateRun({ workflowId, workflow }: Task, item: ListItem): RunSnapshot {
		const { reader, snapshots } = this;
		const { settings, clock } = reader;
		const { resource, createdAtMs } = item;
		const runId = String(resource.id);
		const updatedAtMs = parseTimestamp(resource.updated_at);
		const snapshot = { createdAtMs, updatedAtMs, status: statusOf(resource) };
		snapshots.set(workflow, (snapshots.get(workflow) ?? new Map<string, RunSnapshot>()).set(runId, snapshot));
		const storedRun = workflow.runs.get(runId);
		const baselineMs = this.storeSettledBaseline(workflow);
		const update = decideRun(snapshot, { settings, workflow, baselineMs, storedRun, clock });
		if (update === 'untimed') reader.addLoss(UNTIMED_ITEMS_MESSAGE);
		if (update === 'untimed' || update === undefined) return snapshot;
		workflow.runs.set(runId, update.run);
		if (!update.mustEmit) return snapshot;
		const lastStatus = storedRun && statusOrHashOf(storedRun);
		const extraFields = runOutputFields(settings, workflowId, snapshot.status, lastStatus ?? null);
		const sortByMs = Math.max(update.run.createdAtMs, storedRun ? (updatedAtMs ?? 0) : 0);
		reader.newItems.push({ json: this.toSelectedItem(item, extraFields), sortByMs });
		return snapshot;
	}

	private async readResults(task: RunTask, snapshot: RunSnapshot): Promise<TaskOutcome> {
		const { workflowId, workflow, runId } = task;
		const { runs } = workflow;
		const { reader } = this;
		const { settings, budget, clock } = reader;
		const { status } = snapshot;
		const nowMs = clock.now();
		const stored = runs.get(runId)!;
		const canRead = settings.returnsResults && isWantedStatus(settings, status) && !budget.isUsedUp();
		// If a request for the run has just shown its end, its results can be incomplete (contract, section 3).
		if (!canRead || dueTimeOfRun(stored, nowMs) > nowMs) return { hasFailed: false };
		const results = stored.results ?? {
			listState: INITIAL_LIST_STATE,
			createdAtMsByHash: new Map<string, number>(),
		};
		// The run stays due until the read has finished, but what has waited longer comes first.
		const run: RunState = { ...stored, results, nextCheckAtMs: nowMs };
		runs.set(runId, run);
		const extraFields = { run_id: runId, run_status: status, ...workflowOutputFields(workflowId) };
		const newResults = new Map<string, NewItem>();
		const emit = (newItem: NewItem, idHash: string) => {
			reader.newItems.push(newItem);
			results.createdAtMsByHash.set(idHash, newItem.sortByMs);
		};
		const onResult = (item: ListItem) => {
			const { idHash } = item;
			const decision = decideResult(item, run, this.storeSettledBaseline(workflow), clock);
			if (decision === 'untimed') reader.addLoss(UNTIMED_ITEMS_MESSAGE);
			if (decision === 'existing') results.createdAtMsByHash.set(idHash, 0);
			// A list can contain a result twice.
			if (typeof decision === 'string' || newResults.has(idHash)) return;
			const newItem = { json: this.toSelectedItem(item, extraFields), sortByMs: decision.createdAtMs };
			newResults.set(idHash, newItem);
			if (!settings.returnsResultsTogether) emit(newItem, idHash);
		};
		const list = {
			name: `The list of results of run '${runId}'`,
			request: { endpoint: endpoints.listResults, ids: { run_id: runId } },
			listState: results.listState,
			failingSinceMs: run.failingSinceMs,
		};
		const read = await reader.readList(list, onResult);
		results.listState = read.listState;
		// Results that are returned together count only if all of them were read.
		if (settings.returnsResultsTogether && read.isFinished) newResults.forEach(emit);
		const hasNew = newResults.size > 0;
		// The service has no results of the run yet, unless it has just returned some.
		const isRefused = hasStatus(read.failure, ...NOT_READY_STATUSES);
		const isMissing = isRefused && read.ending === 'failed';
		runs.set(runId, afterResultsRead(run, snapshot, { ...read, isMissing, hasNew }, nowMs));
		return isRefused ? { hasFailed: !isMissing } : read;
	}

	private toSelectedItem = ({ resource, requestId }: ListItem, extraFields: IDataObject): IDataObject =>
		this.selector.select(toOutputItem(resource, requestId, extraFields));
}

type TaskOutcome = Pick<ListRead, 'hasFailed' | 'failure'>;

/** For messages. */
const describeTask = (task: Task): string =>
	task.kind === 'list'
		? `listing the runs of Prospector workflow '${task.workflowId}'`
		: `reading run '${task.runId}'`;
