import { unusableIdMessage } from '../messages/triggerMessages';
import { hasValidId } from '../model/resource';
import { isRateLimited } from '../api/failure/requestError';
import { type ListState, initialListState } from '../transport/list/listState';
import type { ListItem } from '../transport/list/readList';
import { endpoints } from '../api/endpoints';
import type { ServiceClock } from '../transport/request/serviceClock';
import { DAY_MS, MINUTE_MS } from '../utils';
import type { PollReader } from './pollReader';
import { addWorkflowName } from './settings';
import { createWorkflowState, type TriggerState, type WorkflowState } from './state/triggerState';

const REMEMBER_ABSENT_MS = 30 * DAY_MS;
/** An item can become visible this long after its creation time. */
const MAX_VISIBILITY_DELAY_MS = 10 * MINUTE_MS;

/**
 * Updates the Prospector workflows to watch in the state. The response also shows the service's clock.
 *
 * @param isFirstPoll whether there is no baseline yet
 * @throws RequestError when the first poll gets no usable response, because there is no baseline without one
 */
export async function updateWorkflows(reader: PollReader, state: TriggerState, isFirstPoll: boolean) {
	const { client, settings, clock } = reader;
	const { workflowIds, includeExisting } = settings;
	const result: WorkflowListResult = workflowIds
		? { failure: await checkAddedWorkflow(reader, state, workflowIds) }
		: await listWorkflows(reader, state);
	const { failure, workflowListing, foundWorkflows = [] } = result;
	if (isFirstPoll && failure !== undefined && !isRateLimited(failure)) throw failure;
	reader.addFailure(failure);
	if (clock.needsConfirmation()) await client.safeRequest({ endpoint: endpoints.listWorkflows });
	const baselineMs = isFirstPoll && includeExisting ? 0 : clock.pollStartedAtMs();
	// When switching from chosen workflows to all, existing data is not new.
	if (isFirstPoll || (!workflowIds && state.workflowListing === undefined)) state.baselineMs = baselineMs;
	if (workflowIds) return setChosenWorkflows(state, workflowIds, baselineMs);
	correctListingTimes(state, clock);
	for (const item of foundWorkflows) addListedWorkflow(state, item, clock.now());
	state.workflowListing = workflowListing;
	for (const [id, { lastSeenAtMs }] of state.workflows)
		if (workflowListing!.absentBeforeMs - lastSeenAtMs > REMEMBER_ABSENT_MS) state.workflows.delete(id);
}

type WorkflowListResult = Pick<TriggerState, 'workflowListing'> & {
	foundWorkflows?: ListItem[];
	failure?: unknown;
};

/** Gets the first one of those chosen since the last poll, so that a wrong ID is reported. @returns why it failed */
async function checkAddedWorkflow({ client }: PollReader, { workflows }: TriggerState, ids: string[]) {
	const addedId = ids.find((id) => !workflows.has(id));
	if (addedId === undefined) return undefined;
	const request = { endpoint: endpoints.getWorkflow, ids: { workflow_id: addedId } };
	const response = client.request(request).then(() => undefined);
	return await response.catch((failure: unknown) => failure);
}

/** Chosen again, a Prospector workflow has the time of the choice as its baseline. */
function setChosenWorkflows(state: TriggerState, ids: string[], baselineMs: number): void {
	state.workflowListing = undefined;
	for (const id of state.workflows.keys()) if (!ids.includes(id)) state.workflows.delete(id);
	for (const id of ids)
		if (!state.workflows.has(id)) state.workflows.set(id, createWorkflowState(baselineMs, baselineMs));
}

/** Whether the last two complete reads of the list did not contain a Prospector workflow. */
export const isAbsent = ({ workflowListing }: TriggerState, { lastSeenAtMs }: WorkflowState): boolean =>
	lastSeenAtMs < (workflowListing?.absentBeforeMs ?? 0);

/** Whether a list can be read: one whose cursors expire is read in one poll, so it waits until it may use more requests. */
export const hasBudgetForList = ({ overdraft }: TriggerState, listState?: ListState): boolean =>
	!listState?.mustReadInOnePoll || overdraft === 0;

const UNREAD_LISTING = { readAtMs: 0, listState: initialListState(0), absentBeforeMs: 0 };

/** Lists all Prospector workflows if no list of runs has waited longer, with at most half of the poll's budget. */
async function listWorkflows(reader: PollReader, state: TriggerState): Promise<WorkflowListResult> {
	const { budget, clock } = reader;
	const { workflowListing = UNREAD_LISTING } = state;
	const { listState, absentBeforeMs } = workflowListing;
	const presentWorkflows = [...state.workflows.values()].filter((workflow) => !isAbsent(state, workflow));
	const hasWaitedLonger = (one: WorkflowState) =>
		!one.limitedSinceMs && one.runsReadAtMs < workflowListing.readAtMs;
	// A list whose cursors expire can take all requests of a poll, so it waits for its turn.
	const isReadContinued = listState.unfinishedRead && !listState.mustReadInOnePoll;
	if (!hasBudgetForList(state, listState) || (!isReadContinued && presentWorkflows.some(hasWaitedLonger)))
		return { workflowListing };
	const foundWorkflows: ListItem[] = [];
	const { listState: nextListState, failure } = await reader.readList(
		'The list of Prospector workflows',
		listState,
		{ endpoint: endpoints.listWorkflows },
		(item) => {
			if (!hasValidId(item.resource)) return reader.addLoss(unusableIdMessage('Prospector workflow'));
			foundWorkflows.push(item);
			addWorkflowName(reader.settings, item.resource);
		},
		{
			mustInterrupt: budget.createHalfUsedCheck(),
			// One that only the last complete read did not contain may have been on a page that was shifted.
			mustReadFull: presentWorkflows.some(({ lastSeenAtMs }) => lastSeenAtMs < listState.fullReadAtMs),
		},
	);
	return {
		failure,
		foundWorkflows,
		workflowListing: {
			// Keep the old time, so that it is read first next time.
			readAtMs: isRateLimited(failure) ? workflowListing.readAtMs : clock.now(),
			listState: nextListState,
			absentBeforeMs:
				nextListState.fullReadAtMs === listState.fullReadAtMs ? absentBeforeMs : listState.fullReadAtMs,
		},
	};
}

/**
 * Adds a Prospector workflow, or notes that it is still there. One that is older than the complete lists that did not
 * contain it has come back after it was forgotten, or belongs to another workspace: what it contained is not new.
 */
function addListedWorkflow(state: TriggerState, item: ListItem, nowMs: number): void {
	const { workflows, workflowListing = UNREAD_LISTING, baselineMs } = state;
	const id = String(item.resource.id);
	const knownWorkflow = workflows.get(id);
	if (knownWorkflow) return void (knownWorkflow.lastSeenAtMs = nowMs);
	const { listState, absentBeforeMs } = workflowListing;
	const { createdAtMs = nowMs } = item;
	const hasComeBack = createdAtMs < absentBeforeMs - MAX_VISIBILITY_DELAY_MS;
	// Without a time, it may be either. The last complete list but one did not contain it.
	const earliestMs = item.createdAtMs === undefined ? Math.max(baselineMs, absentBeforeMs) : baselineMs;
	const workflow = createWorkflowState(hasComeBack ? listState.fullReadAtMs : earliestMs, nowMs);
	const isCreatedAfterBaseline = !hasComeBack && listState.fullReadAtMs > 0 && createdAtMs >= baselineMs;
	workflows.set(id, isCreatedAfterBaseline ? { ...workflow, isCreatedAfterBaseline } : workflow);
}

/** Corrects times of a wrong clock. Without `absentBeforeMs`, no Prospector workflow has come back. */
export function correctListingTimes({ workflowListing: listing }: TriggerState, clock: ServiceClock): void {
	if (listing === undefined) return;
	listing.readAtMs = Math.min(listing.readAtMs, clock.now());
	if (clock.hasOffsetChanged || listing.absentBeforeMs > clock.now()) listing.absentBeforeMs = 0;
}
