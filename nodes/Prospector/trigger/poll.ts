import type { IDataObject } from 'n8n-workflow';
import {
	forgottenRunsMessage,
	refusalMessage,
	UNTIMED_ITEMS_MESSAGE,
	unusableIdMessage,
} from '../messages/triggerMessages';
import type { UserError } from '../messages/userMessage';
import { hasValidId, selectFields, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { hasStatus, isRateLimited } from '../api/failure/requestError';
import { startPosition } from '../transport/list/listPosition';
import { type ListItem, type ListRead, toListItem } from '../transport/list/readList';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { HOUR_MS, parseTimestamp } from '../utils';
import type { ListOwner, PollReader } from './pollReader';
import {
	resolveCreationTime,
	keepMissingRun,
	processRun,
	buildResultsMark,
	type RunSnapshot,
	watchRun,
} from './processRun';
import { Schedule, type Task } from './schedule';
import { isWantedStatus } from './settings';
import type { TriggerState, WorkflowState } from './state/triggerState';
import { trimState } from './state/trimState';
import { correctListing } from './workflowList';

export interface PollOutcome {
	items: IDataObject[];
	/** State once the items have been emitted, as text. */
	state: string;
	/** Why something could not be read. A later poll catches up. */
	failures: unknown[];
	/** Why items may never be emitted. */
	losses: UserError[];
	/** Whether nothing was left to read. */
	isComplete: boolean;
}

/** After this many failures, or refusals in a row (429 or 401), a poll ends: other requests would probably fail too. */
const MAX_FAILURES = 3;
const MAX_REFUSALS = 2;

/**
 * Reads what is most urgent until nothing waits or the budget is used up, and returns what is new. The position in a list
 * and the state of a run move on only with the items emitted, so a later poll finds everything else again.
 */
export async function readTasks(reader: PollReader, state: TriggerState): Promise<PollOutcome> {
	const { budget, clock } = reader;
	const isComplete = await new Poll(reader, new Schedule(state)).readAll();
	const items = reader.emit();
	correctListing(state, clock);
	Object.assign(state, clock.reading, { polledAtMs: clock.now(), overdraft: budget.overdraft() });
	for (const [id, { refusedAtMs = Infinity }] of state.workflows)
		if (budget.hasSucceeded && clock.now() - refusedAtMs >= HOUR_MS) reader.addLoss(refusalMessage(id));
	const { text, missed } = trimState(state, clock.now());
	if (missed > 0) reader.addLoss(forgottenRunsMessage(missed));
	return { items, state: text, failures: reader.failures, losses: [...reader.losses.values()], isComplete };
}

class Poll {
	private readonly snapshots = new Map<WorkflowState, Map<string, RunSnapshot>>();

	constructor(
		private readonly reader: PollReader,
		private readonly schedule: Schedule,
	) {}

	/** Returns whether nothing is left to read. */
	async readAll(): Promise<boolean> {
		const { reader, schedule } = this;
		const { budget, clock } = reader;
		let refusals = 0;
		for (let isFirst = true; ; isFirst = false) {
			const task = schedule.take(clock.now());
			if (task === undefined) return true;
			const hasFailed = reader.failures.length >= MAX_FAILURES || refusals >= MAX_REFUSALS;
			if (hasFailed || budget.isUsedUp()) return false;
			const { workflow, runId } = task;
			const isList = runId === '';
			const failure = await (isList ? this.readRuns(task) : this.readRun(task));
			reader.addFailure(failure);
			refusals = isRateLimited(failure) || hasStatus(failure, 401) ? refusals + 1 : 0;
			// What the rate limit prevents comes first in the next poll; if it came first in this one, others do.
			if (isRateLimited(failure) && !isFirst) continue;
			const { runs } = workflow;
			if (isList) workflow.polledAtMs = clock.now();
			else if (failure !== undefined) runs.set(runId, { ...runs.get(runId)!, checkAtMs: clock.now() });
		}
	}

	/** Reads a list of runs. @returns why it could not be read */
	private async readRuns({ workflowId, workflow }: Task): Promise<unknown> {
		const { settings, clock } = this.reader;
		// Another attempt would delay other Prospector workflows.
		const retryForMs = workflow.refusedAtMs === undefined ? undefined : 0;
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId }, retryForMs };
		const name = `The list of runs of Prospector workflow '${workflowId}'`;
		const { failure } = await this.readList(name, workflow, request, (item) => this.addRun(workflow, item));
		workflow.refusedAtMs = isRateLimited(failure) ? (workflow.refusedAtMs ?? clock.now()) : undefined;
		// The runs of a deleted Prospector workflow can still produce results.
		return hasStatus(failure, 404) && !settings.workflowIds ? undefined : failure;
	}

	/** Reads a run, and its results. @returns why it could not be read */
	private async readRun(task: Task): Promise<unknown> {
		const { client, clock } = this.reader;
		const { workflow, runId } = task;
		const known = this.snapshots.get(workflow)?.get(runId);
		if (known) return await this.readResults(task, known);
		try {
			const { data, requestId } = await client.request({
				endpoint: endpoints.getRun,
				ids: { run_id: runId },
			});
			const snapshot = this.addRun(workflow, toListItem({ ...data[0], id: runId }, requestId))!;
			return await this.readResults(task, snapshot);
		} catch (failure) {
			if (!hasStatus(failure, 404)) return failure;
			// A deleted run is no failure. It is checked less and less often, in case it is found again.
			workflow.runs.set(runId, keepMissingRun(workflow.runs.get(runId)!, '', clock.now()));
			return undefined;
		}
	}

	/** Compares a run with its stored state, which changes at once, or when the run is emitted. */
	private addRun(workflow: WorkflowState, item: ListItem): RunSnapshot | undefined {
		const { reader, snapshots } = this;
		const { settings, clock } = reader;
		const { resource, createdMs } = item;
		const { runs } = workflow;
		if (!hasValidId(resource)) return void reader.addLoss(unusableIdMessage('run'));
		const runId = String(resource.id);
		const updatedMs = parseTimestamp(resource.updated_at);
		const snapshot = { createdMs, updatedMs, status: statusOf(resource) };
		snapshots.set(workflow, (snapshots.get(workflow) ?? new Map()).set(runId, snapshot));
		const before = runs.get(runId);
		if (before === undefined && createdMs === undefined && workflow.floorMs > 0) {
			reader.addLoss(UNTIMED_ITEMS_MESSAGE);
			return snapshot;
		}
		const next = processRun(settings, workflow, before, snapshot, clock.now(), clock.latest());
		const store = () => void (next && runs.set(runId, next.run));
		if (!next?.isNew) store();
		else {
			const extra: IDataObject = settings.event === 'newRun' ? {} : { previous_status: before?.mark ?? null };
			const timeMs = before ? Math.max(before.createdMs, updatedMs ?? 0) : next.run.createdMs;
			reader.foundIn(workflow).items.set(runId, { json: this.toOutput(item, extra), timeMs, store });
		}
		return snapshot;
	}

	/** @returns why they could not be read */
	private async readResults({ workflowId, workflow, runId }: Task, snapshot: RunSnapshot): Promise<unknown> {
		const { runs, sinceMs } = workflow;
		const { reader } = this;
		const { settings, budget, clock } = reader;
		if (settings.event !== 'newResult' || budget.isUsedUp()) return undefined;
		const { status } = snapshot;
		const nowMs = clock.now();
		const run = runs.get(runId)!;
		const unread = { ...run, mark: buildResultsMark(snapshot) };
		if (!isWantedStatus(settings, status))
			return void runs.set(runId, watchRun(unread, status, run.changedAtMs, nowMs));
		const floorMs = Math.max(run.floorMs ?? 0, sinceMs);
		const results = run.results ?? { list: startPosition(floorMs), seen: new Map<string, number>() };
		const readRun = { ...unread, results };
		runs.set(runId, { ...run, results, checkAtMs: nowMs, isMissing: undefined });
		const found = reader.foundIn(results);
		const existed = results.list.wholeAtMs === 0 && run.createdMs < sinceMs;
		const onResult = (item: ListItem) => {
			const { hash, createdMs } = item;
			if (!hasValidId(item.resource)) return reader.addLoss(unusableIdMessage('result'));
			if (results.seen.has(hash)) return;
			if (createdMs === undefined && run.floorMs !== undefined) return reader.addLoss(UNTIMED_ITEMS_MESSAGE);
			const timeMs = resolveCreationTime(createdMs, existed, clock.latest());
			const store = () => void results.seen.set(hash, timeMs);
			if (timeMs >= floorMs) {
				const json = this.toOutput(item, { run_id: runId, run_status: status, workflow_id: workflowId });
				found.items.set(hash, { json, timeMs, store });
			} else if (timeMs === 0) store();
		};
		const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
		const name = `The list of results of run '${runId}'`;
		const { startedAtMs, failure } = await this.readList(name, results, request, onResult);
		// There are none yet.
		if (hasStatus(failure, 404, 409)) return void runs.set(runId, keepMissingRun(readRun, status, nowMs));
		if (startedAtMs !== undefined) {
			const changedAtMs = found.items.size > 0 ? nowMs : run.changedAtMs;
			// The next read finds what was added to the first pages since this one has started.
			found.storeEnd = () => void runs.set(runId, watchRun(readRun, status, changedAtMs, startedAtMs));
		}
		return failure;
	}

	private toOutput = ({ resource, requestId }: ListItem, extraFields: IDataObject): IDataObject =>
		selectFields(toOutputItem(resource, requestId, extraFields), this.reader.settings.fieldSelection);

	private async readList(
		name: string,
		owner: ListOwner,
		request: ApiRequest,
		onItem: (item: ListItem) => void,
	): Promise<ListRead> {
		const isOver = this.schedule.waiting > 1 ? this.reader.budget.half() : this.reader.budget.isUsedUp;
		const read = await this.reader.readList(name, owner.list, request, onItem, { isOver });
		this.reader.foundIn(owner).position = read.position;
		return read;
	}
}
