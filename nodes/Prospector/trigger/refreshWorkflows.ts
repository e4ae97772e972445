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
export async function refreshWorkflows(reader: PollReader, state: TriggerState, isFirstPoll: boolean) {
	const { client, settings, clock } = reader;
	const { workflowIds, includeExisting } = settings;
	const result: WorkflowListResult = workflowIds
		? { failure: await checkChosenWorkflow(reader, state, workflowIds) }
		: await listWorkflows(reader, state);
	const { failure, discovery, foundWorkflows = [] } = result;
	if (isFirstPoll && failure !== undefined && !isRateLimited(failure)) throw failure;
	reader.addFailure(failure);
	if (clock.needsConfirmation()) await client.tryRequest({ endpoint: endpoints.listWorkflows });
	const baselineMs = isFirstPoll && includeExisting ? 0 : clock.pollStartedAtMs();
	// When switching from chosen workflows to all, existing data is not new.
	if (isFirstPoll || (!workflowIds && state.discovery === undefined)) state.baselineMs = baselineMs;
	if (workflowIds) return setChosenWorkflows(state, workflowIds, baselineMs);
	correctDiscoveryTimes(state, clock);
	for (const item of foundWorkflows) addListedWorkflow(state, item, clock.now());
	state.discovery = discovery;
	for (const [id, { lastSeenAtMs }] of state.workflows)
		if (discovery!.priorFullReadAtMs - lastSeenAtMs > REMEMBER_ABSENT_MS) state.workflows.delete(id);
}

type WorkflowListResult = Pick<TriggerState, 'discovery'> & {
	foundWorkflows?: ListItem[];
	failure?: unknown;
};

/** Gets the first one of those chosen since the last poll, so that a wrong ID is reported. @returns why it failed */
async function checkChosenWorkflow({ client }: PollReader, { workflows }: TriggerState, ids: string[]) {
	const newlyChosenId = ids.find((id) => !workflows.has(id));
	if (newlyChosenId === undefined) return undefined;
	const request = { endpoint: endpoints.getWorkflow, ids: { workflow_id: newlyChosenId } };
	const response = client.request(request).then(() => undefined);
	return await response.catch((failure: unknown) => failure);
}

/** Chosen again, a Prospector workflow has the time of the choice as its baseline. */
function setChosenWorkflows(state: TriggerState, ids: string[], baselineMs: number): void {
	state.discovery = undefined;
	const chosenIds = new Set(ids);
	for (const id of state.workflows.keys()) if (!chosenIds.has(id)) state.workflows.delete(id);
	for (const id of ids)
		if (!state.workflows.has(id)) state.workflows.set(id, createWorkflowState(baselineMs, baselineMs));
}

/** Whether the last two full reads of the list did not contain a Prospector workflow. */
export const isAbsent = ({ discovery }: TriggerState, { lastSeenAtMs }: WorkflowState): boolean =>
	lastSeenAtMs < (discovery?.priorFullReadAtMs ?? 0);

/** Whether a list can be read: one that must be read in one poll waits until it may use more requests. */
export const hasBudgetForList = ({ overdraft }: TriggerState, listState?: ListState): boolean =>
	!listState?.mustReadInOnePoll || overdraft === 0;

const INITIAL_DISCOVERY = { triedAtMs: 0, listState: initialListState(0), priorFullReadAtMs: 0 };

/** Lists all Prospector workflows if no list of runs has waited longer, with at most half of the poll's budget. */
async function listWorkflows(reader: PollReader, state: TriggerState): Promise<WorkflowListResult> {
	const { budget, clock } = reader;
	const { discovery = INITIAL_DISCOVERY } = state;
	const { listState, priorFullReadAtMs } = discovery;
	const presentWorkflows = [...state.workflows.values()].filter((workflow) => !isAbsent(state, workflow));
	const hasWaitedLonger = (one: WorkflowState) =>
		!one.limitedSinceMs && one.runsTriedAtMs < discovery.triedAtMs;
	// A list that must be read in one poll can take all its requests, so it waits for its turn.
	const isReadContinued = listState.unfinishedRead && !listState.mustReadInOnePoll;
	if (!hasBudgetForList(state, listState) || (!isReadContinued && presentWorkflows.some(hasWaitedLonger)))
		return { discovery };
	const foundWorkflows: ListItem[] = [];
	const { listState: nextListState, failure } = await reader.readList(
		'The list of Prospector workflows',
		listState,
		{ endpoint: endpoints.listWorkflows },
		(item) => {
			if (!hasValidId(item.resource)) return reader.addLoss(unusableIdMessage('Prospector workflow'));
			foundWorkflows.push(item);
			reader.listedWorkflowIds.add(String(item.resource.id));
			addWorkflowName(reader.settings, item.resource);
		},
		{
			mustInterrupt: budget.createHalfUsedCheck(),
			// One that only the last full read did not contain may have been on a page that was shifted.
			mustReadFull: presentWorkflows.some(({ lastSeenAtMs }) => lastSeenAtMs < listState.fullReadAtMs),
		},
	);
	return {
		failure,
		foundWorkflows,
		discovery: {
			// Keep the old time, so that it is read first next time.
			triedAtMs: isRateLimited(failure) ? discovery.triedAtMs : clock.now(),
			listState: nextListState,
			priorFullReadAtMs:
				nextListState.fullReadAtMs === listState.fullReadAtMs ? priorFullReadAtMs : listState.fullReadAtMs,
		},
	};
}

/**
 * Adds a Prospector workflow, or notes that it is still there. One that is older than the full reads that did not
 * contain it has come back after it was forgotten, or belongs to another workspace: what it contained is not new.
 */
function addListedWorkflow(state: TriggerState, item: ListItem, nowMs: number): void {
	const { workflows, discovery = INITIAL_DISCOVERY, baselineMs } = state;
	const id = String(item.resource.id);
	const knownWorkflow = workflows.get(id);
	if (knownWorkflow) return void (knownWorkflow.lastSeenAtMs = nowMs);
	const { listState, priorFullReadAtMs } = discovery;
	const { createdAtMs = nowMs } = item;
	const hasComeBack = createdAtMs < priorFullReadAtMs - MAX_VISIBILITY_DELAY_MS;
	// Without a time, it may be either. The last full read but one did not contain it.
	const earliestMs = item.createdAtMs === undefined ? Math.max(baselineMs, priorFullReadAtMs) : baselineMs;
	const workflow = createWorkflowState(hasComeBack ? listState.fullReadAtMs : earliestMs, nowMs);
	const isCreatedAfterBaseline = !hasComeBack && listState.fullReadAtMs > 0 && createdAtMs >= baselineMs;
	workflows.set(id, isCreatedAfterBaseline ? { ...workflow, isCreatedAfterBaseline } : workflow);
}

/** Corrects times of a wrong clock. Without `priorFullReadAtMs`, no Prospector workflow has come back. */
export function correctDiscoveryTimes({ discovery }: TriggerState, clock: ServiceClock): void {
	if (discovery === undefined) return;
	discovery.triedAtMs = Math.min(discovery.triedAtMs, clock.now());
	if (clock.hasOffsetChanged || discovery.priorFullReadAtMs > clock.now()) discovery.priorFullReadAtMs = 0;
}
