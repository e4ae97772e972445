import { unusableIdMessage } from '../messages/triggerMessages';
import { hasValidId } from '../model/resource';
import { isRateLimited } from '../api/failure/requestError';
import { type ListPosition, startPosition } from '../transport/list/listPosition';
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
	const {
		failure,
		workflowList,
		foundWorkflows = [],
	}: Listing = workflowIds
		? { failure: await checkAddedWorkflow(reader, state, workflowIds) }
		: await listWorkflows(reader, state);
	if (isFirstPoll && failure !== undefined && !isRateLimited(failure)) throw failure;
	reader.addFailure(failure);
	if (clock.needsConfirmation()) await client.safeRequest({ endpoint: endpoints.listWorkflows });
	const baselineMs = isFirstPoll && includeExisting ? 0 : clock.pollStartedAtMs();
	// When switching from chosen workflows to all, existing data is not new.
	if (isFirstPoll || (!workflowIds && state.workflowList === undefined)) state.baselineMs = baselineMs;
	if (workflowIds) return setChosenWorkflows(state, workflowIds, baselineMs);
	correctWorkflowListTimes(state, clock);
	for (const item of foundWorkflows) addListedWorkflow(state, item, clock.now());
	state.workflowList = workflowList;
	for (const [id, { listedAtMs }] of state.workflows)
		if (workflowList!.absentBeforeMs - listedAtMs > REMEMBER_ABSENT_MS) state.workflows.delete(id);
}

type Listing = Pick<TriggerState, 'workflowList'> & { foundWorkflows?: ListItem[]; failure?: unknown };

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
	state.workflowList = undefined;
	for (const id of state.workflows.keys()) if (!ids.includes(id)) state.workflows.delete(id);
	for (const id of ids)
		if (!state.workflows.has(id)) state.workflows.set(id, createWorkflowState(baselineMs, baselineMs));
}

/** Whether the last two complete reads of the list did not contain a Prospector workflow. */
export const isAbsent = ({ workflowList }: TriggerState, { listedAtMs }: WorkflowState): boolean =>
	listedAtMs < (workflowList?.absentBeforeMs ?? 0);

/** Whether a list can be read: one whose cursors expire is read in one poll, so it waits until it may use more requests. */
export const canReadList = ({ overdraft }: TriggerState, position?: ListPosition): boolean =>
	!position?.mustReadInOnePoll || overdraft === 0;

const UNREAD_WORKFLOW_LIST = { readAtMs: 0, listPosition: startPosition(0), absentBeforeMs: 0 };

/** Lists all Prospector workflows if no list of runs has waited longer, with at most half of the poll's budget. */
async function listWorkflows(reader: PollReader, state: TriggerState): Promise<Listing> {
	const { budget, clock } = reader;
	const { workflowList = UNREAD_WORKFLOW_LIST } = state;
	const { listPosition, absentBeforeMs } = workflowList;
	const presentWorkflows = [...state.workflows.values()].filter((workflow) => !isAbsent(state, workflow));
	const hasWaitedLonger = (one: WorkflowState) => !one.refusedAtMs && one.polledAtMs < workflowList.readAtMs;
	// A list whose cursors expire can take all requests of a poll, so it waits for its turn.
	const isReadContinued = listPosition.unfinishedRead && !listPosition.mustReadInOnePoll;
	if (!canReadList(state, listPosition) || (!isReadContinued && presentWorkflows.some(hasWaitedLonger)))
		return { workflowList };
	const foundWorkflows: ListItem[] = [];
	const { position, failure } = await reader.readList(
		'The list of Prospector workflows',
		listPosition,
		{ endpoint: endpoints.listWorkflows },
		(item) => {
			if (!hasValidId(item.resource)) return reader.addLoss(unusableIdMessage('Prospector workflow'));
			foundWorkflows.push(item);
			addWorkflowName(reader.settings, item.resource);
		},
		{
			mustInterrupt: budget.createHalfUsedCheck(),
			// One that only the last complete read did not contain may have been on a page that was shifted.
			mustReadWhole: presentWorkflows.some(({ listedAtMs }) => listedAtMs < listPosition.wholeReadAtMs),
		},
	);
	return {
		failure,
		foundWorkflows,
		workflowList: {
			// Keep the old time, so that it is read first next time.
			readAtMs: isRateLimited(failure) ? workflowList.readAtMs : clock.now(),
			listPosition: position,
			absentBeforeMs:
				position.wholeReadAtMs === listPosition.wholeReadAtMs ? absentBeforeMs : listPosition.wholeReadAtMs,
		},
	};
}

/**
 * Adds a Prospector workflow, or notes that it is still there. One that is older than the complete lists that did not
 * contain it has come back after it was forgotten, or belongs to another workspace: what it contained is not new.
 */
function addListedWorkflow(state: TriggerState, item: ListItem, nowMs: number): void {
	const { workflows, workflowList = UNREAD_WORKFLOW_LIST, baselineMs } = state;
	const id = String(item.resource.id);
	const knownWorkflow = workflows.get(id);
	if (knownWorkflow) return void (knownWorkflow.listedAtMs = nowMs);
	const { listPosition, absentBeforeMs } = workflowList;
	const { createdMs = nowMs } = item;
	const hasComeBack = createdMs < absentBeforeMs - MAX_VISIBILITY_DELAY_MS;
	// Without a time, it may be either. The last complete list but one did not contain it.
	const earliestBaselineMs = item.createdMs === undefined ? Math.max(baselineMs, absentBeforeMs) : baselineMs;
	const workflow = createWorkflowState(hasComeBack ? listPosition.wholeReadAtMs : earliestBaselineMs, nowMs);
	const isCreatedAfterBaseline = !hasComeBack && listPosition.wholeReadAtMs > 0 && createdMs >= baselineMs;
	workflows.set(id, isCreatedAfterBaseline ? { ...workflow, isCreatedAfterBaseline } : workflow);
}

/** Corrects times of a wrong clock. Without `absentBeforeMs`, no Prospector workflow has come back. */
export function correctWorkflowListTimes({ workflowList }: TriggerState, clock: ServiceClock): void {
	if (workflowList === undefined) return;
	workflowList.readAtMs = Math.min(workflowList.readAtMs, clock.now());
	if (clock.hasOffsetChanged || workflowList.absentBeforeMs > clock.now()) workflowList.absentBeforeMs = 0;
}
