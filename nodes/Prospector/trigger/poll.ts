import type { IDataObject } from 'n8n-workflow';
import {
	forgottenMessage,
	refusedMessage,
	UNTIMED_MESSAGE,
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
import { FoundItems, type ListOwner } from './foundItems';
import type { PollReader } from './pollReader';
import { creationTime, missing, processRun, resultsMark, type RunSnapshot, watched } from './processRun';
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

/** After this many failures, a poll ends: other requests would probably fail too. */
const MAX_FAILURES = 3;
/** In a row: the rate limit, or a rejected API key. */
const MAX_REFUSALS = 2;

/**
 * Reads what is most urgent until nothing waits or the budget is used up, and returns what is new. The position in a list
 * and the state of a run move on only with the items emitted, so a later poll finds everything else again.
 */
export async function readTasks(reader: PollReader, state: TriggerState): Promise<PollOutcome> {
	const { settings, budget, clock } = reader;
	const poll = new Poll(reader, new Schedule(state));
	const isComplete = await poll.readAll();
	const items = poll.found.emit(settings.maxItems);
	correctListing(state, clock);
	Object.assign(state, clock.reading, { polledAtMs: clock.now(), overdraft: budget.overdraft() });
	for (const [id, { refusedAtMs = Infinity }] of state.workflows)
		if (budget.hasSucceeded && clock.now() - refusedAtMs >= HOUR_MS) reader.addLoss(refusedMessage(id));
	const { text, missed } = trimState(state, clock.now());
	if (missed > 0) reader.addLoss(forgottenMessage(missed));
	return { items, state: text, failures: reader.failures, losses: [...reader.losses.values()], isComplete };
}

class Poll {
	readonly found = new FoundItems();
	private readonly snapshots = new Map<WorkflowState, Map<string, RunSnapshot>>();

	constructor(
		private readonly reader: PollReader,
		private readonly schedule: Schedule,
	) {}

	/** Returns whether nothing is left to read. */
	async readAll(): Promise<boolean> {
		const { budget, clock } = this.reader;
		let refusals = 0;
		for (let isFirst = true; ; isFirst = false) {
			const task = this.schedule.take(clock.now());
			if (task === undefined) return true;
			const hasFailed = this.reader.failures.length >= MAX_FAILURES || refusals >= MAX_REFUSALS;
			if (hasFailed || budget.isUsedUp()) return false;
			const failure = await (task.kind === 'list'
				? this.readRuns(task, isFirst)
				: this.readRun(task, isFirst));
			refusals = isRateLimited(failure) || hasStatus(failure, 401) ? refusals + 1 : 0;
			this.reader.addFailure(failure);
		}
	}

	/** @param isFirst whether it is the first task: if the rate limit prevents it, others go first next time */
	private async readRuns({ workflowId, workflow }: Task, isFirst: boolean): Promise<unknown> {
		const { settings, clock } = this.reader;
		// Another attempt would delay other Prospector workflows.
		const retryForMs = workflow.refusedAtMs === undefined ? undefined : 0;
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId }, retryForMs };
		const name = `The list of runs of Prospector workflow '${workflowId}'`;
		const read = await this.readList(name, workflow, request, (item) => this.processRun(workflow, item));
		const nowMs = clock.now();
		const isPrevented = isRateLimited(read.failure);
		if (!isPrevented || isFirst) workflow.polledAtMs = nowMs;
		workflow.refusedAtMs = isPrevented ? (workflow.refusedAtMs ?? nowMs) : undefined;
		// The runs of a deleted Prospector workflow can still produce results.
		return hasStatus(read.failure, 404) && !settings.workflowIds ? undefined : read.failure;
	}

	/** @param isFirst as in `readRuns` */
	private async readRun(task: Task, isFirst: boolean): Promise<unknown> {
		const { clock } = this.reader;
		const { workflow, runId } = task;
		const { runs } = workflow;
		const failure = await this.snapshotOf(task).then(
			async (snapshot) => await this.readResults(task, snapshot),
			(thrown: unknown) => thrown,
		);
		// A deleted run is no failure. It is checked less and less often, in case it is found again.
		if (hasStatus(failure, 404)) return void runs.set(runId, missing(runs.get(runId)!, '', clock.now()));
		const isMoved = failure !== undefined && (!isRateLimited(failure) || isFirst);
		if (isMoved) runs.set(runId, { ...runs.get(runId)!, checkAtMs: clock.now() });
		return failure;
	}

	/** @throws RequestError */
	private async snapshotOf({ workflow, runId }: Task): Promise<RunSnapshot> {
		const known = this.snapshots.get(workflow)?.get(runId);
		if (known) return known;
		const request = { endpoint: endpoints.getRun, ids: { run_id: runId } };
		const { data, requestId } = await this.reader.client.request(request);
		return this.processRun(workflow, toListItem({ ...data[0], id: runId }, requestId))!;
	}

	/** Compares a run with its stored state, which changes at once, or when the run's item is emitted. */
	private processRun(workflow: WorkflowState, item: ListItem): RunSnapshot | undefined {
		const { resource, createdMs } = item;
		if (!hasValidId(resource)) return void this.reader.addLoss(unusableIdMessage('run'));
		const { settings, clock } = this.reader;
		const runId = String(resource.id);
		const updatedMs = parseTimestamp(resource.updated_at);
		const snapshot = { createdMs, updatedMs, status: statusOf(resource) };
		const snapshots = this.snapshots.get(workflow) ?? new Map<string, RunSnapshot>();
		this.snapshots.set(workflow, snapshots.set(runId, snapshot));
		const before = workflow.runs.get(runId);
		if (before === undefined && createdMs === undefined && workflow.floorMs > 0) {
			this.reader.addLoss(UNTIMED_MESSAGE);
			return snapshot;
		}
		const { run, isNew } =
			processRun(settings, workflow, before, snapshot, clock.now(), clock.latest()) ?? {};
		if (run && isNew) {
			const extra: IDataObject = settings.event === 'newRun' ? {} : { previous_status: before?.mark ?? null };
			const json = this.toOutput(item, extra);
			const timeMs = before ? Math.max(run.createdMs, updatedMs ?? 0) : run.createdMs;
			const entry = { map: workflow.runs, key: runId, value: run };
			this.found.listOf(workflow).items.set(runId, { json, timeMs, entry });
		} else if (run) workflow.runs.set(runId, run);
		return snapshot;
	}

	private async readResults({ workflowId, workflow, runId }: Task, snapshot: RunSnapshot): Promise<unknown> {
		const { runs, sinceMs } = workflow;
		const { settings, budget, clock } = this.reader;
		if (settings.event !== 'newResult' || budget.isUsedUp()) return undefined;
		const { status } = snapshot;
		const nowMs = clock.now();
		const run = runs.get(runId)!;
		const floorMs = Math.max(run.floorMs ?? 0, sinceMs);
		const results = run.results ?? { list: startPosition(floorMs), seen: new Map<string, number>() };
		const unread = { ...run, mark: resultsMark(snapshot) };
		if (!isWantedStatus(settings, status))
			return void runs.set(runId, watched(unread, status, run.changedAtMs, nowMs));
		const readRun = { ...unread, results };
		runs.set(runId, { ...run, results, checkAtMs: nowMs, isMissing: undefined });
		const found = this.found.listOf(results);
		const existed = results.list.wholeAtMs === 0 && run.createdMs < sinceMs;
		const onResult = (item: ListItem) => {
			const { hash, createdMs } = item;
			if (!hasValidId(item.resource)) return this.reader.addLoss(unusableIdMessage('result'));
			if (results.seen.has(hash)) return;
			if (createdMs === undefined && run.floorMs !== undefined) return this.reader.addLoss(UNTIMED_MESSAGE);
			const timeMs = creationTime(createdMs, existed, clock.latest());
			if (timeMs < floorMs) {
				if (timeMs === 0) results.seen.set(hash, timeMs);
				return;
			}
			const json = this.toOutput(item, { run_id: runId, run_status: status, workflow_id: workflowId });
			found.items.set(hash, { json, timeMs, entry: { map: results.seen, key: hash, value: timeMs } });
		};
		const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
		const name = `The list of results of run '${runId}'`;
		const { startedAtMs, failure } = await this.readList(name, results, request, onResult);
		// There are none yet.
		if (hasStatus(failure, 404, 409)) return void runs.set(runId, missing(readRun, status, nowMs));
		if (startedAtMs !== undefined) {
			const changedAtMs = found.items.size > 0 ? nowMs : run.changedAtMs;
			// The next read finds what was added to the first pages since this one has started.
			found.settledRun = { runs, id: runId, run: watched(readRun, status, changedAtMs, startedAtMs) };
		}
		return failure;
	}

	private toOutput = ({ resource, requestId }: ListItem, extraFields: IDataObject): IDataObject =>
		selectFields(toOutputItem(resource, requestId, extraFields), this.reader.settings.selection);

	private async readList(
		name: string,
		owner: ListOwner,
		request: ApiRequest,
		onItem: (item: ListItem) => void,
	): Promise<ListRead> {
		const isOver = this.schedule.waiting > 1 ? this.reader.budget.half() : this.reader.budget.isUsedUp;
		const read = await this.reader.readList(name, owner.list, request, onItem, { isOver });
		this.found.listOf(owner).position = read.position;
		return read;
	}
}
