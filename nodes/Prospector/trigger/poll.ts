import type { IDataObject } from 'n8n-workflow';
import {
	forgottenRunsMessage,
	rateLimitedListMessage,
	UNTIMED_ITEMS_MESSAGE,
	unusableIdMessage,
} from '../messages/triggerMessages';
import type { UserMessage } from '../messages/userMessage';
import { FieldSelector, hasValidId, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { hasStatus, isRateLimited } from '../api/failure/requestError';
import { initialListState } from '../transport/list/listState';
import { type ListItem, type ListReadResult, toListItem } from '../transport/list/readList';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { HOUR_MS, parseTimestamp } from '../utils';
import type { ListOwner, PollReader } from './pollReader';
import {
	resolveCreatedAtMs,
	withMissingRunCheck,
	decideRunUpdate,
	hashSnapshot,
	type RunSnapshot,
	withNextCheck,
} from './decideRunUpdate';
import { TaskQueue, type Task } from './taskQueue';
import { completeWorkflowNames, isWantedStatus, workflowOutputFields } from './settings';
import type { TriggerState, WorkflowState } from './state/triggerState';
import { trimState } from './state/trimState';
import { correctDiscoveryTimes } from './refreshWorkflows';

export interface PollOutcome {
	items: IDataObject[];
	/** State once the items have been emitted, as text. */
	stateText: string;
	/** Why something could not be read. A later poll catches up. */
	failures: unknown[];
	/** Why items may never be emitted. */
	losses: UserMessage[];
	hasReadAll: boolean;
}

/** After this many failures, or refusals in a row (429 or 401), a poll ends: other requests would probably fail too. */
const MAX_FAILURES = 3;
const MAX_REFUSALS = 2;

/**
 * Reads what is most urgent until nothing waits or the budget is used up, and returns what is new. The position in a list
 * and the state of a run move on only with the items emitted, so a later poll finds everything else again.
 */
export async function runPoll(reader: PollReader, state: TriggerState): Promise<PollOutcome> {
	const { budget, clock } = reader;
	const hasReadAll = await new Poll(reader, new TaskQueue(state)).runTasks();
	const items = await reader.takeItemsToEmit();
	await completeWorkflowNames(reader.client, reader.settings, items, reader.listedWorkflowIds, budget);
	correctDiscoveryTimes(state, clock);
	Object.assign(state, clock.nextState, { lastPollAtMs: clock.now(), overdraft: budget.computeOverdraft() });
	for (const [id, { limitedSinceMs = Infinity }] of state.workflows)
		if (budget.hadSuccessResponse && clock.now() - limitedSinceMs >= HOUR_MS)
			reader.addLoss(rateLimitedListMessage(id));
	const { stateText, forgottenCount } = await trimState(state, clock.now(), reader.client.turns);
	if (forgottenCount > 0) reader.addLoss(forgottenRunsMessage(forgottenCount));
	return { items, stateText, failures: reader.failures, losses: [...reader.losses.values()], hasReadAll };
}

class Poll {
	private readonly snapshots = new Map<WorkflowState, Map<string, RunSnapshot>>();

	private readonly selector: FieldSelector;

	constructor(
		private readonly reader: PollReader,
		private readonly taskQueue: TaskQueue,
	) {
		this.selector = new FieldSelector(reader.settings.fieldSelection);
	}

	/** Returns whether nothing is left to read. */
	async runTasks(): Promise<boolean> {
		const { reader, taskQueue } = this;
		const { budget, clock } = reader;
		let consecutiveRefusals = 0;
		for (let isFirstTask = true; ; isFirstTask = false) {
			const task = taskQueue.takeTask(clock.now());
			if (task === undefined) return true;
			const mustStop = reader.failures.length >= MAX_FAILURES || consecutiveRefusals >= MAX_REFUSALS;
			if (mustStop || budget.isUsedUp()) return false;
			const { workflow, runId } = task;
			const isRunList = runId === '';
			const failure = await (isRunList ? this.readRunList(task) : this.readRun(task));
			reader.addFailure(failure);
			consecutiveRefusals = isRateLimited(failure) || hasStatus(failure, 401) ? consecutiveRefusals + 1 : 0;
			// A rate-limited task keeps its time: the next poll starts with it, unless this one did, too.
			if (isRateLimited(failure) && !isFirstTask) continue;
			const { runs } = workflow;
			if (isRunList) workflow.runsTriedAtMs = clock.now();
			else if (failure !== undefined) runs.set(runId, { ...runs.get(runId)!, nextCheckAtMs: clock.now() });
		}
	}

	/** Reads a list of runs. @returns why it could not be read */
	private async readRunList(task: Task): Promise<unknown> {
		const { reader } = this;
		const { settings, clock } = reader;
		const { workflowId, workflow } = task;
		// Another attempt would delay other Prospector workflows.
		const retryForMs = workflow.limitedSinceMs === undefined ? undefined : 0;
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId }, retryForMs };
		const listName = `The list of runs of Prospector workflow '${workflowId}'`;
		const onRun = (item: ListItem) =>
			hasValidId(item.resource) ? this.updateRun(task, item) : reader.addLoss(unusableIdMessage('run'));
		const { failure } = await this.readListOf(listName, workflow, request, onRun);
		workflow.limitedSinceMs = isRateLimited(failure) ? (workflow.limitedSinceMs ?? clock.now()) : undefined;
		// The runs of a deleted Prospector workflow can still produce results.
		return hasStatus(failure, 404) && !settings.workflowIds ? undefined : failure;
	}

	/** Reads a run, and its results. @returns why it could not be read */
	private async readRun(task: Task): Promise<unknown> {
		const { client, clock } = this.reader;
		const { workflow, runId } = task;
		const listedSnapshot = this.snapshots.get(workflow)?.get(runId);
		if (listedSnapshot) return await this.readResults(task, listedSnapshot);
		try {
			const request = { endpoint: endpoints.getRun, ids: { run_id: runId } };
			const { data, requestId } = await client.request(request);
			const snapshot = this.updateRun(task, toListItem({ ...data[0], id: runId }, requestId));
			return await this.readResults(task, snapshot);
		} catch (failure) {
			if (!hasStatus(failure, 404)) return failure;
			// A deleted run is no failure. It is checked less and less often, in case it is found again.
			return void workflow.runs.set(runId, withMissingRunCheck(workflow.runs.get(runId)!, '', clock.now()));
		}
	}

	/** Compares a run with its stored state, which changes at once, or when the run is emitted. */
	private updateRun({ workflowId, workflow }: Task, item: ListItem): RunSnapshot {
		const { reader, snapshots } = this;
		const { settings, clock } = reader;
		const { resource, createdAtMs } = item;
		const { runs } = workflow;
		const runId = String(resource.id);
		const updatedAtMs = parseTimestamp(resource.updated_at);
		const snapshot = { createdAtMs, updatedAtMs, status: statusOf(resource) };
		snapshots.set(workflow, (snapshots.get(workflow) ?? new Map()).set(runId, snapshot));
		const storedRun = runs.get(runId);
		if (storedRun === undefined && createdAtMs === undefined && workflow.ignoreBeforeMs > 0) {
			reader.addLoss(UNTIMED_ITEMS_MESSAGE);
			return snapshot;
		}
		const update = decideRunUpdate(settings, workflow, storedRun, snapshot, clock.now(), clock.latestNow());
		if (update === undefined) return snapshot;
		const commit = () => void runs.set(runId, update.run);
		if (update.mustEmit) {
			const extraFields = workflowOutputFields(workflowId);
			if (settings.event !== 'newRun') extraFields.previous_status = storedRun?.statusOrHash ?? null;
			const sortByMs = storedRun ? Math.max(storedRun.createdAtMs, updatedAtMs ?? 0) : update.run.createdAtMs;
			const json = this.toSelectedItem(item, extraFields);
			reader.foundItemsOf(workflow).items.set(runId, { json, sortByMs, commit });
		} else commit();
		return snapshot;
	}

	/** @returns why they could not be read */
	private async readResults({ workflowId, workflow, runId }: Task, snapshot: RunSnapshot): Promise<unknown> {
		const { runs, baselineMs } = workflow;
		const { reader } = this;
		const { settings, budget, clock } = reader;
		const { status } = snapshot;
		if (!settings.returnsResults || !isWantedStatus(settings, status) || budget.isUsedUp()) return undefined;
		const nowMs = clock.now();
		const run = runs.get(runId)!;
		const resultsBaselineMs = run.ignoreBeforeMs === 0 ? 0 : Math.max(run.ignoreBeforeMs ?? 0, baselineMs);
		const results = run.results ?? {
			listState: initialListState(resultsBaselineMs),
			createdAtMsByHash: new Map<string, number>(),
		};
		const runAfterRead = { ...run, statusOrHash: hashSnapshot(snapshot), results };
		// It is due until the read has finished.
		const dueRun = { ...run, results, nextCheckAtMs: nowMs, isRewatched: undefined };
		runs.set(runId, dueRun);
		const foundResults = reader.foundItemsOf(results);
		const isBaselineRead = results.listState.fullReadAtMs === 0 && run.createdAtMs < baselineMs;
		const extraFields = { run_id: runId, run_status: status, ...workflowOutputFields(workflowId) };
		const onResult = (item: ListItem) => {
			const { idHash, createdAtMs } = item;
			if (!hasValidId(item.resource)) return reader.addLoss(unusableIdMessage('result'));
			if (results.createdAtMsByHash.has(idHash)) return;
			if (createdAtMs === undefined && run.ignoreBeforeMs) return reader.addLoss(UNTIMED_ITEMS_MESSAGE);
			const effectiveCreatedAtMs = resolveCreatedAtMs(isBaselineRead, clock.latestNow(), createdAtMs);
			const commit = () => void results.createdAtMsByHash.set(idHash, effectiveCreatedAtMs);
			if (effectiveCreatedAtMs >= resultsBaselineMs) {
				const json = this.toSelectedItem(item, extraFields);
				foundResults.items.set(idHash, { json, sortByMs: effectiveCreatedAtMs, commit });
				// Its time can't tell later that it is known.
			} else if (effectiveCreatedAtMs === 0) commit();
		};
		const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
		const listName = `The list of results of run '${runId}'`;
		const { finishedReadStartedAtMs, failure } = await this.readListOf(listName, results, request, onResult);
		if (finishedReadStartedAtMs === undefined && settings.returnsResultsTogether) foundResults.items.clear();
		// There are none yet.
		if (hasStatus(failure, 404, 409))
			return void runs.set(runId, withMissingRunCheck(runAfterRead, status, nowMs));
		if (foundResults.items.size > 0) dueRun.changedAtMs = nowMs;
		if (finishedReadStartedAtMs === undefined) return failure;
		// The next read finds what was added to the first pages since this one has started.
		foundResults.commitFinishedRead = () =>
			void runs.set(runId, withNextCheck(runAfterRead, status, dueRun.changedAtMs, finishedReadStartedAtMs));
		return failure;
	}

	private toSelectedItem = ({ resource, requestId }: ListItem, extraFields: IDataObject): IDataObject =>
		this.selector.select(toOutputItem(resource, requestId, extraFields));

	private async readListOf(
		listName: string,
		owner: ListOwner,
		request: ApiRequest,
		onItem: (item: ListItem) => void,
	): Promise<ListReadResult> {
		const { reader, taskQueue } = this;
		const { budget } = reader;
		const mustInterrupt = taskQueue.waitingCount > 1 ? budget.createHalfUsedCheck() : budget.isUsedUp;
		const result = await reader.readList(listName, owner.listState, request, onItem, { mustInterrupt });
		reader.foundItemsOf(owner).nextListState = result.listState;
		return result;
	}
}
