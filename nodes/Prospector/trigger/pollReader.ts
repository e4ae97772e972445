import type { IDataObject } from 'n8n-workflow';
import { unreadableListMessage } from '../messages/triggerMessages';
import { UserError, type UserMessage } from '../messages/userMessage';
import { isRateLimited } from '../api/failure/requestError';
import type { ListPosition } from '../transport/list/listPosition';
import { type ListItem, type ListRead, readList } from '../transport/list/readList';
import type { ApiRequest } from '../api/apiRequest';
import type { Client } from '../transport/request/client';
import { paginate } from '../transport/request/pagination';
import type { RequestBudget } from '../transport/request/requestBudget';
import type { ServiceClock } from '../transport/request/serviceClock';
import type { TriggerSettings } from './settings';
import type { WorkflowState } from './state/triggerState';

/** What has a position in a list: a Prospector workflow in its runs, or a run in its results. */
export type ListOwner = Pick<WorkflowState, 'list'>;

/** New items of a list, some of which may have to wait for a later poll. */
interface FoundList {
	/** With the time they were created or changed. The key is the same when an item is found twice. */
	items: Map<string, { json: IDataObject; timeMs: number; store: () => void }>;
	/** Where the next read starts, once all items are emitted. */
	position?: ListPosition;
	/** Stores that the list was read to its end, once all items are emitted. */
	storeEnd?: () => void;
}

/** Reads for a poll, and collects what it finds and what is wrong. */
export class PollReader {
	/** Why items may never be emitted: one reason per kind, which is identified by its advice. */
	readonly losses = new Map<string, UserError>();
	private readonly found = new Map<ListOwner, FoundList>();
	private readonly otherFailures: unknown[] = [];
	private readonly throttled: unknown[] = [];

	constructor(
		readonly client: Client,
		readonly settings: TriggerSettings,
		readonly budget: RequestBudget,
		readonly clock: ServiceClock,
	) {}

	/** Why something could not be read. The rate limit only slows a poll down if other requests succeed. */
	get failures(): unknown[] {
		return [...this.otherFailures, ...(this.budget.hasSucceeded ? [] : this.throttled)];
	}

	addFailure(failure: unknown): void {
		if (failure !== undefined) (isRateLimited(failure) ? this.throttled : this.otherFailures).push(failure);
	}

	addLoss(message: UserMessage): void {
		if (!this.losses.has(message.description)) this.losses.set(message.description, new UserError(message));
	}

	/** Reads what can be new in a list. @param name for messages, such as "The list of Prospector workflows" */
	async readList(
		name: string,
		position: ListPosition,
		request: ApiRequest,
		onItem: (item: ListItem) => void,
		options: { isOver: () => boolean; mustReadWhole?: boolean },
	): Promise<ListRead> {
		const { client, budget, clock, settings } = this;
		const pages = (startCursor?: string) =>
			paginate(client, request, { pageSize: settings.pageSize, startCursor });
		const source = { ...options, pages, budget, now: clock.now };
		const read = await readList(source, position, onItem);
		if (read.isUnreadable) this.addLoss(unreadableListMessage(name));
		return read;
	}

	foundIn(owner: ListOwner): FoundList {
		const list = this.found.get(owner) ?? { items: new Map() };
		this.found.set(owner, list);
		return list;
	}

	/** Stores what is emitted: the oldest items, and the position in each list of which nothing is left. Returns the items. */
	emit(): IDataObject[] {
		const items = [...this.found.values()].flatMap((list) => [...list.items.values()]);
		items.sort((a, b) => a.timeMs - b.timeMs);
		const emitted = new Set(items.slice(0, this.settings.maxItems));
		for (const { store } of emitted) store();
		for (const [owner, { items, position = owner.list, storeEnd }] of this.found) {
			const isComplete = [...items.values()].every((item) => emitted.has(item));
			owner.list = isComplete ? position : { ...owner.list, isOpen: true };
			if (isComplete) storeEnd?.();
		}
		return [...emitted].map(({ json }) => json);
	}
}
