import type { IDataObject } from 'n8n-workflow';
import { unreadableListMessage } from '../messages/triggerMessages';
import type { UserMessage } from '../messages/userMessage';
import { isRateLimited } from '../api/failure/requestError';
import type { ListState } from '../transport/list/listState';
import { type ListItem, type ListReadResult, readList } from '../transport/list/readList';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import type { Client } from '../transport/request/client';
import { paginate } from '../transport/request/pagination';
import type { RequestBudget } from '../transport/request/requestBudget';
import type { ServiceClock } from '../transport/request/serviceClock';
import type { TriggerSettings } from './settings';
import type { WorkflowState } from './state/triggerState';

/** What has a list: a Prospector workflow in its runs, or a run in its results. */
export type ListOwner = Pick<WorkflowState, 'listState'>;

/** With when it was created or changed. `commit` stores that it was emitted. */
interface FoundItem {
	json: IDataObject;
	sortByMs: number;
	commit: () => void;
}

/** New items of a list, some of which may have to wait for a later poll. */
interface FoundItems {
	/** Found twice, the key is the same. */
	items: Map<string, FoundItem>;
	/** Where the next read starts, once all items are emitted. */
	nextListState?: ListState;
	/** Stores that the list was read to its end, once all items are emitted. */
	commitFinishedRead?: () => void;
}

/** Reads for a poll, and collects what it finds and what is wrong. */
export class PollReader {
	/** Why items may never be emitted: one reason per kind, which is identified by its advice. */
	readonly losses = new Map<string, UserMessage>();
	private readonly foundByOwner = new Map<ListOwner, FoundItems>();
	/** IDs of the Prospector workflows in the list that this poll has read. */
	readonly listedWorkflowIds = new Set<string>();
	private readonly allFailures: unknown[] = [];

	constructor(
		readonly client: Client,
		readonly settings: TriggerSettings,
		readonly budget: RequestBudget,
		readonly clock: ServiceClock,
	) {}

	/** Why something could not be read. The rate limit only slows a poll down if other requests succeed. */
	get failures(): unknown[] {
		return this.allFailures.filter((failure) => !this.budget.hadSuccessResponse || !isRateLimited(failure));
	}

	addFailure(failure: unknown): void {
		if (failure !== undefined) this.allFailures.push(failure);
	}

	addLoss = (loss: UserMessage): void => void this.losses.set(loss.description, loss);

	/** Reads what can be new in a list. @param listName for messages, e.g. "The list of Prospector workflows" */
	async readList(
		listName: string,
		listState: ListState,
		request: ApiRequest,
		onItem: (item: ListItem) => void,
		options: { mustInterrupt: () => boolean; mustReadFull?: boolean },
	): Promise<ListReadResult> {
		const { client, budget, clock, settings } = this;
		const readPages = (startCursor?: string) =>
			paginate(client, request, { pageSize: settings.pageSize, startCursor });
		const isAllOrNothing = request.endpoint === endpoints.listResults && settings.returnsResultsTogether;
		const source = { ...options, readPages, budget, turns: client.turns, now: clock.now, isAllOrNothing };
		const result = await readList(source, listState, onItem);
		if (result.isTooLongForPoll) this.addLoss(unreadableListMessage(listName));
		return result;
	}

	foundItemsOf(owner: ListOwner): FoundItems {
		const foundItems = this.foundByOwner.get(owner) ?? { items: new Map() };
		this.foundByOwner.set(owner, foundItems);
		return foundItems;
	}

	/** Returns the oldest groups, at least one, and stores them. The position in a list moves on once nothing is left. */
	async takeItemsToEmit(): Promise<IDataObject[]> {
		const { settings, foundByOwner } = this;
		const { turns } = this.client;
		const unsortedGroups: FoundItem[][] = [];
		for (const { items } of foundByOwner.values()) {
			const group = await turns.sort([...items.values()], (a, b) => a.sortByMs - b.sortByMs);
			if (!settings.returnsResultsTogether) for (const item of group) unsortedGroups.push([item]);
			else if (group.length > 0) unsortedGroups.push(group);
		}
		const groups = await turns.sort(unsortedGroups, (a, b) => a.at(-1)!.sortByMs - b.at(-1)!.sortByMs);
		const emittedItems = new Set(groups[0]);
		for (const group of groups.slice(1)) {
			if (emittedItems.size + group.length > settings.maxItems) break;
			for (const item of group) emittedItems.add(item);
		}
		await turns.map(emittedItems, ({ commit }) => commit());
		for (const [owner, { items, nextListState = owner.listState, commitFinishedRead }] of foundByOwner) {
			const hasEmittedAll = [...items.values()].every((item) => emittedItems.has(item));
			owner.listState = hasEmittedAll ? nextListState : { ...owner.listState, hasUnemittedItems: true };
			if (hasEmittedAll) commitFinishedRead?.();
		}
		return [...emittedItems].map(({ json }) => json);
	}
}
