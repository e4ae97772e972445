import type { IDataObject } from 'n8n-workflow';
import type { ListPosition } from '../transport/list/listPosition';
import type { RunState, WorkflowState } from './state/triggerState';

/** What has a position in a list: a Prospector workflow in its runs, or a run in its results. */
export type ListOwner = Pick<WorkflowState, 'list'>;

interface FoundItem {
	json: IDataObject;
	/** When it was created or changed; milliseconds. */
	timeMs: number;
	/** What the state stores when the item is emitted. */
	entry: { map: Map<string, unknown>; key: string; value: RunState | number };
}

interface FoundList {
	/** By a key that is the same when an item is found twice. */
	items: Map<string, FoundItem>;
	/** Where the next read starts, once all items are emitted. */
	position?: ListPosition;
	/** The run whose results were read to their end, once all items are emitted. */
	settledRun?: { runs: Map<string, RunState>; id: string; run: RunState };
}

/** The new items that a poll has found, by list. Some of them may have to wait for a later poll. */
export class FoundItems {
	private readonly lists = new Map<ListOwner, FoundList>();

	listOf(owner: ListOwner): FoundList {
		const list = this.lists.get(owner) ?? { items: new Map() };
		this.lists.set(owner, list);
		return list;
	}

	/** Changes the state of what is emitted: the oldest items, and each list of which nothing is left. Returns the items. */
	emit(maxItems: number): IDataObject[] {
		const items = [...this.lists.values()].flatMap((list) => [...list.items.values()]);
		items.sort((a, b) => a.timeMs - b.timeMs);
		const emitted = new Set(items.slice(0, maxItems));
		for (const { entry } of emitted) entry.map.set(entry.key, entry.value);
		for (const [owner, { items, position, settledRun }] of this.lists) {
			const isComplete = [...items.values()].every((item) => emitted.has(item));
			if (!isComplete) owner.list = { ...owner.list, isOpen: true };
			else if (position) owner.list = position;
			if (isComplete && settledRun) settledRun.runs.set(settledRun.id, settledRun.run);
		}
		return [...emitted].map(({ json }) => json);
	}
}
