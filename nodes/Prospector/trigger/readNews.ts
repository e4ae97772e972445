import type { Call } from '../transport/failure';
import type { Candidate } from './candidates';
import { noteTime, type Poll } from './pollUnderWay';
import { reliableOrder, settleBaseline, type SeenList } from './seenList';
import type { TriggerState } from './triggerState';
import { walk, type ListItem, type WalkEnd } from './walk';
import type { WorkflowPoll } from './workflowPoll';

/**
 * Reads what may be new of a list, and notes in the poll what the list tells beside it.
 *
 * @param kind of the list: those of a kind are sorted alike
 * @returns undefined where there was not the time for all of it
 * @throws NodeApiError when a page cannot be had
 */
export async function readNews(
	work: Poll,
	kind: keyof TriggerState['orders'],
	call: Call,
	seen: SeenList,
	take: (item: ListItem) => void,
): Promise<WalkEnd | undefined> {
	const { client, settings, state, now } = work;
	const order = reliableOrder(seen, state.orders[kind], now);
	const isOver = work.isHurried ? work.isOver : undefined;
	const plan = { client, call, pageSize: settings.pageSize, seen, order, now, isOver };
	const end = await walk(plan, (item) => {
		noteTime(work, item.resource);
		take(item);
	});
	if (end === 'outOfTime') {
		work.isIncomplete = true;
		return undefined;
	}
	if (end.order !== undefined) state.orders[kind] = end.order;
	return end;
}

/** Settles a list that was read: at once where it is known from the start, else once what it gave is put out. */
export function settleNews(
	{ work, isBaseline }: WorkflowPoll,
	seen: SeenList,
	end: WalkEnd,
	found: Candidate[],
	isPartial: boolean,
): void {
	if (isBaseline && found.length === 0) settleBaseline(seen, end, work.now);
	else work.lists.push({ seen, end, found, isPartial });
}
