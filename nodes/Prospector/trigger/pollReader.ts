import { unreadableMessage } from '../messages/triggerMessages';
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

/** Reads for a poll, and collects what is wrong. */
export class PollReader {
	/** Why items may never be emitted: one reason per kind, which is identified by its advice. */
	readonly losses = new Map<string, UserError>();
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
		if (read.isUnreadable) this.addLoss(unreadableMessage(name));
		return read;
	}
}
