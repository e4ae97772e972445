import type { IDataObject } from 'n8n-workflow';
import type { WorkflowState } from '../state/triggerState';

interface FoundItem {
	json: IDataObject;
	/** When it was created or changed; milliseconds. */
	time: number;
	remember(): void;
}

/** What has a position in a list: a Prospector workflow in its runs, or a run in its results. */
export type ListOwner = Pick<WorkflowState, 'list'>;

interface FoundList {
	/** By a key that is the same when an item is found twice. */
	items: Map<string, FoundItem>;
	/** Called once everything that was found in the list is emitted in this poll. */
	commits: Array<() => void>;
}

/** The new items that a poll has found, by list. Some of them may have to wait for a later poll. */
export class FoundItems {
	private readonly lists = new Map<ListOwner, FoundList>();

	listOf(owner: ListOwner): FoundList {
		const list = this.lists.get(owner) ?? { items: new Map(), commits: [] };
		this.lists.set(owner, list);
		return list;
	}

	/** Returns the oldest items, and stores that these are emitted. */
	emit(maxItems: number): IDataObject[] {
		const items = [...this.lists.values()].flatMap((list) => [...list.items.values()]);
		items.sort((a, b) => a.time - b.time);
		const emitted = new Set(items.slice(0, maxItems));
		for (const { remember } of emitted) remember();
		for (const [owner, list] of this.lists) {
			const isComplete = [...list.items.values()].every((item) => emitted.has(item));
			if (isComplete) list.commits.forEach((commit) => commit());
			else owner.list = { ...owner.list, isOpen: true };
		}
		return [...emitted].map(({ json }) => json);
	}
}
