import { hasValidId } from '../model/resource';
import { isCursorError, isRateLimited } from '../transport/failure/requestError';
import type { Client } from '../transport/request/client';
import { endpoints } from '../transport/request/endpoints';
import { paginate } from '../transport/request/pagination';
import { RequestBudget } from '../transport/request/requestBudget';
import type { TriggerSettings } from './settings';
import { newWorkflow, type TriggerState, type WorkflowState } from './state/triggerState';

/** How long a deleted Prospector workflow is remembered. */
const REMEMBER_MS = 30 * 24 * 3_600_000;

export interface PollInput {
	client: Client;
	settings: TriggerSettings;
	budget: RequestBudget;
	scope: string;
	/** State of the last poll; undefined for the first. */
	previous?: TriggerState;
	/** Called with the first poll's state before it reads anything new. */
	onBaseline(state: string): void;
}

interface FoundWorkflows {
	ids: string[];
	listing?: TriggerState['listing'];
	failure?: unknown;
}

/**
 * Returns the state with the Prospector workflows to watch. The response also shows the service's clock.
 *
 * @throws RequestError when the first poll gets no usable response, because there is no baseline without one
 */
export async function updateWorkflows(input: PollInput): Promise<{ state: TriggerState; failure?: unknown }> {
	const { settings, scope, budget, previous } = input;
	const startedAt = budget.now() - budget.clockOffset;
	const { workflowIds } = settings;
	const { ids, listing, failure } = await (workflowIds ? getAdded(input, workflowIds) : listWorkflows(input));
	if (previous === undefined && failure !== undefined && !isRateLimited(failure)) throw failure;
	const baseline = settings.includeExisting ? 0 : startedAt + budget.clockOffset;
	// If single ones were watched so far, what the others contain is not new.
	const since = previous && (previous.listing || !listing) ? previous.since : baseline;

	const workflows = new Map<string, WorkflowState>();
	const idSet = new Set(ids);
	for (const [id, workflow] of previous?.workflows ?? []) {
		const goneSince = listing && idSet.has(id) ? undefined : workflow.goneSince;
		const isForgotten = listing ? budget.now() - (goneSince ?? Infinity) > REMEMBER_MS : !idSet.has(id);
		if (!isForgotten) workflows.set(id, { ...workflow, goneSince });
	}
	for (const id of ids) {
		if (!workflows.has(id)) workflows.set(id, newWorkflow(listing ? since : baseline));
	}
	const { clockOffset } = budget;
	return { state: { version: '1', scope, since, clockOffset, workflows, listing }, failure };
}

/** Gets the first one of those chosen since the last poll. */
async function getAdded({ client, previous }: PollInput, ids: string[]): Promise<FoundWorkflows> {
	const added = ids.find((id) => !previous?.workflows.has(id));
	if (added === undefined) return { ids };
	try {
		await client.request({ endpoint: endpoints.getWorkflow, ids: { workflow_id: added } });
		return { ids };
	} catch (failure) {
		return { ids, failure };
	}
}

/** Lists all Prospector workflows if the list has waited longest, with at most half of the poll's budget. */
async function listWorkflows({ client, settings, budget, previous }: PollInput): Promise<FoundWorkflows> {
	const { polledAt: listedAt = 0, cursor: startCursor } = previous?.listing ?? {};
	const live = [...(previous?.workflows.values() ?? [])].filter(({ goneSince }) => goneSince === undefined);
	if (live.some(({ polledAt }) => polledAt < listedAt)) return { ids: [], listing: previous?.listing };
	const ids: string[] = [];
	const isOver = budget.half();
	let cursor = startCursor;
	try {
		const options = { pageSize: settings.pageSize, startCursor };
		for await (const page of paginate(client, { endpoint: endpoints.listWorkflows }, options)) {
			for (const workflow of page.resources.filter(hasValidId)) ids.push(String(workflow.id));
			cursor = page.nextCursor;
			if (isOver()) break;
		}
		return { ids, listing: { polledAt: budget.now(), cursor } };
	} catch (failure) {
		if (cursor !== undefined && isCursorError(failure)) return { ids, listing: { polledAt: budget.now() } };
		// What the rate limit prevented has waited longest next time, too.
		const polledAt = isRateLimited(failure) ? listedAt : budget.now();
		return { ids, listing: { polledAt, cursor }, failure };
	}
}
