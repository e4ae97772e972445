// Keeps the list of Prospector workflows that the trigger watches. Called at the start of a poll; reads the
// workspace's list only if all are watched.
import { endpoints } from '../api/endpoints';
import { isRateLimited, RequestError } from '../api/failure/requestError';
import { isFailure } from '../api/response';
import { OTHER_WORKSPACE_NOTE } from '../messages/triggerMessages';
import { DAY_MS } from '../utils';
import { type ListItem, MAX_VISIBILITY_DELAY_MS, readList } from './list';
import type { PollContext } from './pollContext';
import { addWorkflowName } from './settings';
import { afterListAttempt, INITIAL_LIST_STATE } from './listState';
import { BASELINE_OF_ALL, createWorkflowState, type TriggerState } from './state';
import { dueTimeOfList, hasBudgetFor } from './taskQueue';

const REMEMBER_ABSENT_MS = 30 * DAY_MS;

/**
 * Updates the Prospector workflows to watch in the state. The response also shows the service's clock.
 *
 * @param isNewState whether the poll has no state to continue with
 * @throws RequestError if such a poll gets no usable response, unless it is throttled: an activation with a wrong API key
 *   or ID must fail
 */
export async function refreshWorkflows(poll: PollContext, isNewState: boolean): Promise<void> {
	const { state, settings } = poll;
	const { workflowIds, includeExisting } = settings;
	const failure = workflowIds
		? await chooseWorkflows(poll, workflowIds, isNewState)
		: await listWorkflows(poll);
	if (isNewState && failure !== undefined && !isRateLimited(failure)) throw failure;
	if (isNewState && includeExisting) state.baseline = BASELINE_OF_ALL;
}

/** Gets the first newly chosen Prospector workflow, so that a wrong ID is reported. @returns why that failed */
async function chooseWorkflows(poll: PollContext, ids: string[], isNewState: boolean): Promise<unknown> {
	const { client, pollClock, state } = poll;
	const { workflows } = state;
	const chosenIds = new Set(ids);
	const newIds = ids.filter((id) => !workflows.has(id));
	state.discovery = undefined;
	for (const [id, workflow] of workflows) {
		// Only the list of Prospector workflows, which is not read any more, can show that one is absent.
		if (chosenIds.has(id)) workflow.absentSinceMs = undefined;
		else workflows.delete(id);
	}
	if (newIds.length === 0) return undefined;
	const request = { endpoint: endpoints.getWorkflow, ids: { workflow_id: newIds[0] } };
	const response = await client.tryRequest(request);
	const failure = isFailure(response) ? new RequestError(response, request) : undefined;
	poll.addFailure(`getting Prospector workflow '${newIds[0]}'`, failure);
	// With a state to continue with, it is the time of the choice.
	const baseline = isNewState ? undefined : pollClock.createBaseline();
	for (const id of newIds) workflows.set(id, createWorkflowState(baseline));
	return failure;
}

/** Lists all Prospector workflows if no list of runs has been due for longer. @returns why that failed */
async function listWorkflows(poll: PollContext): Promise<unknown> {
	const { pollClock, state } = poll;
	const discovery = (state.discovery ??= switchToAll(poll));
	if (!hasBudgetFor(state, discovery.listState) || !isDiscoveryDue(state, pollClock.now())) return undefined;
	const found = new Map<string, ListItem>();
	const list = {
		name: 'The list of Prospector workflows',
		listState: discovery.listState,
		request: { endpoint: endpoints.listWorkflows },
	};
	const onWorkflow = (item: ListItem) => {
		const id = String(item.resource.id);
		found.set(id, item);
		poll.listedWorkflowIds.add(id);
		addWorkflowName(poll.settings, id, item.resource);
	};
	const { ending, failure, hasFailed, listState } = await readList(poll, list, onWorkflow);
	discovery.listState = afterListAttempt(listState, hasFailed, pollClock.now());
	// Without a proven order, the next poll reads the whole list, which decides whether it is another workspace.
	if (ending === 'known' && isOtherWorkspace(state, found)) discovery.listState.isNewestFirst = undefined;
	poll.addFailure('listing the Prospector workflows', failure);
	updateWorkflows(poll, discovery, found, ending === 'full');
	return ending === 'failed' ? failure : undefined;
}

type Discovery = NonNullable<TriggerState['discovery']>;

/** Adds what was found in the list to the state. The whole list also shows what is absent, and another workspace. */
function updateWorkflows(
	poll: PollContext,
	discovery: Discovery,
	found: Map<string, ListItem>,
	isWholeList: boolean,
): void {
	const { pollClock, state } = poll;
	const seemsOther = isOtherWorkspace(state, found);
	if (isWholeList && seemsOther) {
		poll.notes.add(OTHER_WORKSPACE_NOTE);
		state.workflows.clear();
		state.baseline = pollClock.createBaseline();
		discovery.listedAtMs = 0;
	}
	// A part of the list may belong to another workspace. Once added, it would count as known.
	if (isWholeList || !seemsOther) for (const [id, item] of found) addListedWorkflow(poll, id, item);
	if (!isWholeList) return;
	const { serviceMs, n8nMs } = pollClock.createBaseline();
	markAbsent(state, found, n8nMs);
	// The earlier of the two clocks, so that no new Prospector workflow seems old, and so of another workspace.
	discovery.listedAtMs = Math.min(serviceMs, n8nMs);
}

/** Begins to watch all Prospector workflows. After chosen ones were watched, what the others contain is not new. */
function switchToAll({ state, pollClock }: PollContext): Discovery {
	for (const workflow of state.workflows.values()) workflow.baseline ??= state.baseline;
	if (state.workflows.size > 0) state.baseline = pollClock.createBaseline();
	return { listState: INITIAL_LIST_STATE, listedAtMs: 0 };
}

/** Whether the list of Prospector workflows is due, and no readable list of runs has been due for longer. */
function isDiscoveryDue(state: TriggerState, nowMs: number): boolean {
	const dueAtMs = dueTimeOfList(state.discovery!, nowMs);
	const isFirst = [...state.workflows.values()].every(
		(one) => dueTimeOfList(one, nowMs) >= dueAtMs || !hasBudgetFor(state, one.listState),
	);
	return isFirst && dueAtMs <= nowMs;
}

/** Whether a list has no known Prospector workflow, but one so old that the last full read would have found it. */
function isOtherWorkspace({ workflows, discovery }: TriggerState, found: Map<string, ListItem>): boolean {
	const oldBeforeMs = discovery!.listedAtMs - MAX_VISIBILITY_DELAY_MS;
	const isAnyOld = [...found.values()].some(({ createdAtMs = 0 }) => createdAtMs < oldBeforeMs);
	return workflows.size > 0 && isAnyOld && ![...found.keys()].some((id) => workflows.has(id));
}

/** Adds a Prospector workflow, or notes that it is not absent any more. */
function addListedWorkflow({ state, pollClock }: PollContext, id: string, item: ListItem): void {
	const { workflows, baseline, discovery } = state;
	const { createdAtMs = Infinity } = item;
	const isNew = discovery!.listedAtMs > 0 && createdAtMs >= pollClock.settleBaseline(baseline).serviceMs;
	const known = workflows.get(id);
	if (known) known.absentSinceMs = undefined;
	else workflows.set(id, createWorkflowState(isNew ? BASELINE_OF_ALL : undefined));
}

/** @param found in the whole list @param startedAtMs when the poll started, on n8n's clock */
function markAbsent({ workflows }: TriggerState, found: Map<string, ListItem>, startedAtMs: number): void {
	for (const [id, workflow] of workflows) {
		if (!found.has(id)) workflow.absentSinceMs ??= startedAtMs;
		if (startedAtMs - (workflow.absentSinceMs ?? Infinity) > REMEMBER_ABSENT_MS) workflows.delete(id);
	}
}
