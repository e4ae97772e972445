import { unusableIdMessage } from '../messages/triggerMessages';
import { hasValidId } from '../model/resource';
import { isRateLimited } from '../api/failure/requestError';
import { type ListPosition, startPosition } from '../transport/list/listPosition';
import type { ListItem } from '../transport/list/readList';
import { endpoints } from '../api/endpoints';
import type { ServiceClock } from '../transport/request/serviceClock';
import { DAY_MS, MINUTE_MS } from '../utils';
import type { PollReader } from './pollReader';
import { newWorkflow, type TriggerState, type WorkflowState } from './state/triggerState';

/** How long an absent Prospector workflow is remembered. */
const REMEMBER_MS = 30 * DAY_MS;
/** An item can become visible this long after its creation time. */
const MAX_VISIBILITY_DELAY_MS = 10 * MINUTE_MS;

/**
 * Updates the Prospector workflows to watch in the state. The response also shows the service's clock.
 *
 * @param isFirst whether there is no baseline yet
 * @throws RequestError when the first poll gets no usable response, because there is no baseline without one
 */
export async function updateWorkflows(
	reader: PollReader,
	state: TriggerState,
	isFirst: boolean,
): Promise<void> {
	const { client, settings, clock } = reader;
	const { workflowIds, includeExisting } = settings;
	const found: ListItem[] = [];
	const { failure, listing } = await (workflowIds
		? getAdded(reader, state, workflowIds)
		: listWorkflows(reader, state, found));
	if (isFirst && failure !== undefined && !isRateLimited(failure)) throw failure;
	reader.addFailure(failure);
	if (clock.needsConfirmation()) await client.safeRequest({ endpoint: endpoints.listWorkflows });
	const startedAtMs = clock.startedAtMs();
	if (isFirst) state.sinceMs = includeExisting ? 0 : startedAtMs;
	if (workflowIds) return chooseWorkflows(state, workflowIds, isFirst ? state.sinceMs : startedAtMs);
	// When switching from chosen workflows to all, existing data is not new.
	if (!isFirst && state.listing === undefined) state.sinceMs = startedAtMs;
	correctListing(state, clock);
	for (const item of found) addListed(state, item, clock.now());
	state.listing = listing;
	for (const [id, { listedAtMs }] of state.workflows)
		if (listing!.wholeBeforeMs - listedAtMs > REMEMBER_MS) state.workflows.delete(id);
}

type Listed = { failure?: unknown; listing?: TriggerState['listing'] };

/** Gets the first one of those chosen since the last poll, so that a wrong ID is reported. */
async function getAdded({ client }: PollReader, { workflows }: TriggerState, ids: string[]): Promise<Listed> {
	const added = ids.find((id) => !workflows.has(id));
	if (added === undefined) return {};
	const request = { endpoint: endpoints.getWorkflow, ids: { workflow_id: added } };
	return await client.request(request).then(
		() => ({}),
		(failure: unknown) => ({ failure }),
	);
}

/** Chosen again, a Prospector workflow has the time of the choice as its baseline. */
function chooseWorkflows(state: TriggerState, ids: string[], sinceMs: number): void {
	state.listing = undefined;
	for (const id of state.workflows.keys()) if (!ids.includes(id)) state.workflows.delete(id);
	for (const id of ids) if (!state.workflows.has(id)) state.workflows.set(id, newWorkflow(sinceMs, sinceMs));
}

/** Whether the last two complete reads of the list did not contain a Prospector workflow. */
export const isAbsent = ({ listing }: TriggerState, { listedAtMs }: WorkflowState): boolean =>
	listing !== undefined && listedAtMs < listing.wholeBeforeMs;

/** Whether a list can be read: one whose cursors expire is read at once, so it waits until it may use more requests. */
export const canRead = ({ overdraft }: TriggerState, list?: ListPosition): boolean =>
	!list?.isRejected || overdraft === 0;

const NOT_LISTED = { polledAtMs: 0, list: startPosition(0), wholeBeforeMs: 0 };

/** Lists all Prospector workflows if no list of runs has waited longer, with at most half of the poll's budget. */
async function listWorkflows(reader: PollReader, state: TriggerState, found: ListItem[]): Promise<Listed> {
	const { budget, clock } = reader;
	const { listing = NOT_LISTED } = state;
	const { list, wholeBeforeMs } = listing;
	const present = [...state.workflows.values()].filter((workflow) => !isAbsent(state, workflow));
	const hasWaitedLonger = (one: WorkflowState) => !one.refusedAtMs && one.polledAtMs < listing.polledAtMs;
	// A list whose cursors expire can take all requests of a poll, so it waits for its turn.
	const isContinued = list.unfinished && !list.isRejected;
	if (!canRead(state, list) || (!isContinued && present.some(hasWaitedLonger))) return { listing };
	const { position, failure } = await reader.readList(
		'The list of Prospector workflows',
		list,
		{ endpoint: endpoints.listWorkflows },
		(item) => {
			if (hasValidId(item.resource)) found.push(item);
			else reader.addLoss(unusableIdMessage('Prospector workflow'));
		},
		{
			isOver: budget.half(),
			// One that only the last complete read did not contain may have been on a page that was shifted.
			mustReadWhole: present.some(({ listedAtMs }) => listedAtMs < list.wholeAtMs),
		},
	);
	return {
		failure,
		listing: {
			// Keep the old time, so that it is read first next time.
			polledAtMs: isRateLimited(failure) ? listing.polledAtMs : clock.now(),
			list: position,
			wholeBeforeMs: position.wholeAtMs === list.wholeAtMs ? wholeBeforeMs : list.wholeAtMs,
		},
	};
}

/**
 * Adds a Prospector workflow, or notes that it is still there. One that is older than the complete lists that did not
 * contain it has come back after it was forgotten, or belongs to another workspace: what it contained is not new.
 */
function addListed(state: TriggerState, item: ListItem, nowMs: number): void {
	const { workflows, listing = NOT_LISTED, sinceMs } = state;
	const id = String(item.resource.id);
	const known = workflows.get(id);
	if (known) return void (known.listedAtMs = nowMs);
	const { list, wholeBeforeMs } = listing;
	const { createdMs = nowMs } = item;
	const hasComeBack = createdMs < wholeBeforeMs - MAX_VISIBILITY_DELAY_MS;
	// Without a time, it may be either. The last complete list but one did not contain it.
	const earliestMs = item.createdMs === undefined ? Math.max(sinceMs, wholeBeforeMs) : sinceMs;
	const workflow = newWorkflow(hasComeBack ? list.wholeAtMs : earliestMs, nowMs);
	const isNew = !hasComeBack && list.wholeAtMs > 0 && createdMs >= sinceMs;
	workflows.set(id, isNew ? { ...workflow, isNew } : workflow);
}

/** Corrects times that were noted when the clock was wrong. Without `wholeBeforeMs`, no Prospector workflow has come back. */
export function correctListing({ listing }: TriggerState, clock: ServiceClock): void {
	if (listing === undefined) return;
	listing.polledAtMs = Math.min(listing.polledAtMs, clock.now());
	if (clock.hasChanged || listing.wholeBeforeMs > clock.now()) listing.wholeBeforeMs = 0;
}
