import type { IDataObject } from 'n8n-workflow';
import { hasValidId, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { selectFields } from '../parameters/outputFields';
import { hasStatus, isRateLimited } from '../transport/failure/requestError';
import type { ApiRequest } from '../transport/request/apiRequest';
import { endpoints } from '../transport/request/endpoints';
import { paginate } from '../transport/request/pagination';
import { parseTimestamp } from '../utils';
import { processRun, resultsMark, type RunSnapshot, watched } from './events/processRun';
import { FoundItems, type ListOwner } from './lists/foundItems';
import { type ListItem, readList, toListItem } from './lists/readList';
import { isWantedStatus } from './settings';
import { serializeState, startPosition } from './state/triggerState';
import { trimState, unwatched } from './state/trimState';
import { type Task, TaskQueue } from './tasks';
import { type PollInput, updateWorkflows } from './workflowList';

export interface PollOutcome {
	items: IDataObject[];
	/** State once the items have been emitted, as text. */
	state: string;
	/** Why something could not be read. A later poll catches up. */
	failures: unknown[];
	isComplete: boolean;
}

/** After this many failures, a poll ends: the rest would most likely meet the same. */
const MAX_FAILURES = 3;

/**
 * Reads what has waited longest until nothing waits or the budget is used up, and returns what is new. The position in
 * a list and the state of a run move on only with the items emitted, so a later poll finds everything else again.
 *
 * @throws RequestError when the first poll gets no usable response, because there is no baseline without one
 */
export async function runPoll(input: PollInput): Promise<PollOutcome> {
	const { settings, budget, previous, onBaseline } = input;
	const { state, failure } = await updateWorkflows(input);
	if (previous === undefined) onBaseline(serializeState(state));
	const queue = new TaskQueue(state);
	const poll = new Poll(input, queue, failure === undefined ? [] : [failure]);
	const stops = (error: unknown) => isRateLimited(error) || hasStatus(error, 401);
	const isOver = () => budget.isUsedUp() || poll.failures.length >= MAX_FAILURES || poll.failures.some(stops);
	let task = queue.take(budget.now());
	while (task !== undefined && !isOver()) {
		await (task.runId === undefined ? poll.readRuns(task) : poll.readRun(task, task.runId));
		task = queue.take(budget.now());
	}
	// The rate limit only slows a poll down if other requests succeed.
	const failures = poll.failures.filter((error) => !(budget.hasSucceeded && isRateLimited(error)));
	return {
		items: poll.found.emit(settings.maxItems),
		state: trimState(state),
		failures,
		isComplete: task === undefined,
	};
}

class Poll {
	readonly found = new FoundItems();
	private readonly snapshots = new Map<string, RunSnapshot>();

	constructor(
		private readonly input: PollInput,
		private readonly queue: TaskQueue,
		readonly failures: unknown[],
	) {}

	async readRuns(task: Task): Promise<void> {
		const { workflowId, workflow } = task;
		const { settings, budget } = this.input;
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } };
		const { failure } = await this.read(workflow, request, (item) => this.processRun(task, item));
		// What the rate limit prevented has waited longest next time, too.
		if (!isRateLimited(failure)) workflow.polledAt = budget.now();
		// The unfinished runs of a deleted one can still produce results.
		if (hasStatus(failure, 404) && !settings.workflowIds) workflow.goneSince = budget.now();
		else if (failure !== undefined) this.failures.push(failure);
	}

	async readRun(task: Task, runId: string): Promise<void> {
		const { client, settings, budget } = this.input;
		try {
			if (!this.snapshots.has(runId)) {
				const request = { endpoint: endpoints.getRun, ids: { run_id: runId } };
				const { data, requestId } = await client.request(request);
				this.processRun(task, toListItem({ ...data[0], id: runId }, requestId));
			}
			if (settings.event === 'newResult' && !budget.isUsedUp())
				await this.readResults(task, runId, this.snapshots.get(runId)!);
		} catch (failure) {
			const { runs } = task.workflow;
			const run = runs.get(runId)!;
			const now = budget.now();
			// A deleted run is no failure. It is checked less and less often, in case it is found again.
			if (hasStatus(failure, 404)) return void runs.set(runId, watched(run, '', run.changedAt, now));
			if (!isRateLimited(failure)) runs.set(runId, { ...run, checkAt: now });
			this.failures.push(failure);
		}
	}

	/** Compares a run with its stored state, which moves on at once, or when the run's item is emitted. */
	private processRun({ workflow }: Task, { resource, requestId, created }: ListItem): void {
		if (!hasValidId(resource)) return;
		const { settings, budget } = this.input;
		const runId = String(resource.id);
		const updated = parseTimestamp(resource.updated_at);
		const snapshot = { created, updated, status: statusOf(resource) };
		this.snapshots.set(runId, snapshot);
		const before = workflow.runs.get(runId);
		const decision = processRun(settings, workflow, before, snapshot, budget.now());
		if (decision === undefined) return;
		const { run, isNew } = decision;
		const remember = () => void workflow.runs.set(runId, run);
		if (!isNew) return remember();
		const extra: IDataObject = settings.event === 'newRun' ? {} : { previous_status: before?.mark ?? null };
		const json = selectFields(toOutputItem(resource, requestId, extra), settings.selection);
		const time = before ? Math.max(run.created, updated ?? 0) : run.created;
		this.found.listOf(workflow).items.set(runId, { json, time, remember });
	}

	/** @throws RequestError when the results can't be read */
	private async readResults(task: Task, runId: string, snapshot: RunSnapshot): Promise<void> {
		const { workflowId, workflow } = task;
		const { runs, since } = workflow;
		const { settings, budget } = this.input;
		const { status } = snapshot;
		const now = budget.now();
		const run = runs.get(runId)!;
		const settle = (changedAt: number | undefined, readAt: number) => {
			const next = watched({ ...runs.get(runId)!, mark: resultsMark(snapshot) }, status, changedAt, readAt);
			runs.set(runId, next.checkAt === undefined ? unwatched(next) : next);
		};
		if (!isWantedStatus(settings, status)) return settle(run.changedAt, now);
		const floor = run.floor ?? since;
		const results = run.results ?? { list: startPosition(floor), seen: new Map<string, number>() };
		runs.set(runId, { ...run, results, checkAt: now });
		const found = this.found.listOf(results);

		// A result without a timestamp is as old as its run if it is there when the list is read for the first time.
		const isExisting = results.list.wholeAt === 0 && run.created < since;
		const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
		const onResult = ({ resource, requestId, hash, created }: ListItem) => {
			const time = created ?? (isExisting ? 0 : now);
			if (results.seen.has(hash) || (created !== undefined && time < floor)) return;
			const remember = () => void results.seen.set(hash, time);
			if (time < floor) return remember();
			const extra = { run_id: runId, run_status: status, workflow_id: workflowId };
			const json = selectFields(toOutputItem(resource, requestId, extra), settings.selection);
			found.items.set(hash, { json, time, remember });
		};
		const { startedAt, failure } = await this.read(results, request, onResult);
		if (failure !== undefined) throw failure;
		if (startedAt === undefined) return;
		const changedAt = found.items.size > 0 ? now : run.changedAt;
		// The next read finds what was added to the first pages since this one has started.
		found.commits.push(() => settle(changedAt, startedAt));
	}

	private async read(owner: ListOwner, request: ApiRequest, onItem: (item: ListItem) => void) {
		const { client, budget, settings } = this.input;
		const source = {
			pages: (startCursor?: string) =>
				paginate(client, request, { pageSize: settings.pageSize, startCursor }),
			budget,
			isOver: this.queue.waiting > 1 ? budget.half() : budget.isUsedUp,
		};
		const read = await readList(source, owner.list, onItem);
		this.found.listOf(owner).commits.push(() => (owner.list = read.position));
		return read;
	}
}
