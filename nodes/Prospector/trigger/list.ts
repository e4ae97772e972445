// Reads what can be new in a list of the service, and proves its order. Called for each list of the trigger.
import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { isRateLimited } from '../api/failure/requestError';
import { unreadableListMessage, unusableIdMessage } from '../messages/triggerMessages';
import { hasValidId } from '../model/resource';
import { paginate } from '../transport/request/pagination';
import { DAY_MS, MINUTE_MS, parseTimestamp } from '../utils';
import type { RequestBudget } from './budget';
import type { ListState } from './listState';
import type { PollContext } from './pollContext';

export interface ListItem {
	resource: IDataObject;
	requestId: string;
	/** Milliseconds; undefined without a valid timestamp. */
	createdAtMs?: number;
}

export const toListItem = (resource: IDataObject, requestId: string): ListItem => ({
	resource,
	requestId,
	createdAtMs: parseTimestamp(resource.created_at),
});

interface TriggerList {
	/** For messages, e.g. "The list of Prospector workflows". */
	name: string;
	listState: ListState;
	/** Since when it can't be read, if the list's state does not say it. */
	failingSinceMs?: number;
	request: ApiRequest;
}

/**
 * How a read ends:
 * - `full`, `known`, `enough`, `usedUp`: at the list's end, at known items, with enough items, with no requests or time left
 * - `failed`: by a failure before its first page, or by the rate limit at any page
 * - `interrupted`: after its first page, by another failure, or by an empty page as the answer to a dead cursor
 */
type ReadEnding = 'full' | 'known' | 'enough' | 'usedUp' | 'failed' | 'interrupted';

/** How often a list is read to its end even if its order permits less: the order can be a coincidence. */
const FULL_READ_INTERVAL_MS = DAY_MS;
/** An item can become visible this long after its creation time, and deletions can move items to a page that was read. */
export const MAX_VISIBILITY_DELAY_MS = 10 * MINUTE_MS;
/** After this time, an empty page can be the response to a dead cursor. Some lists end with an empty page. */
const MIN_CURSOR_LIFE_MS = 30_000;
/** Fewer distinct timestamps can be in order by chance; of twelve, that happens once in 479 million lists. */
const MIN_TIMESTAMPS_TO_PROVE_ORDER = 12;

/** Reads what can be new in a list, by rule 2 (decisions/0002). Items can occur twice. */
export async function readList(poll: PollContext, list: TriggerList, onItem: (item: ListItem) => void) {
	const { budget, pollClock } = poll;
	const { name, listState, failingSinceMs = listState.failingSinceMs } = list;
	const { isNewestFirst, fullReadAtMs } = listState;
	const startedAtMs = pollClock.now();
	const isFullReadDue = !isNewestFirst || Math.abs(startedAtMs - fullReadAtMs) >= FULL_READ_INTERVAL_MS;
	// If the service's clock was set back, new items have earlier times than the newest known one.
	const newestKnownMs = Math.min(listState.newestCreatedAtMs, pollClock.serviceNow());
	const stopBelowMs = isFullReadDue ? -Infinity : newestKnownMs - MAX_VISIBILITY_DELAY_MS;
	// If the last read has failed, the first page is tried only once: others wait, too.
	const request = { ...list.request, hasOneAttempt: failingSinceMs !== undefined };
	const readOnce = async () => await readPass(poll, { ...list, request }, stopBelowMs, onItem);
	let pass = await readOnce();
	if (pass.ending === 'interrupted') {
		const second = await readOnce();
		// A second pass that has failed shows nothing new about the list.
		pass = second.ending === 'failed' ? { ...pass, failure: second.failure } : second;
	}
	const { ending, failure, pagesRead, isFinished } = pass;
	// A poll without an overdraft has all extra requests, so a later poll would not get further.
	const canBeReadLater = ending === 'enough' || (ending === 'usedUp' && budget.overdraft > 0);
	const hasFailed = !isFinished && !canBeReadLater;
	// This read was only a part of the list, and the one before it had failed.
	const isUnreadable = hasFailed && ending !== 'failed' && failingSinceMs !== undefined;
	if (isUnreadable) poll.addLoss(unreadableListMessage(name));
	const isUnchanged = ending === 'failed' && pagesRead === 0;
	const nextState = isUnchanged ? listState : stateAfter(pass, listState, startedAtMs, newestKnownMs, budget);
	return { listState: nextState, ending, isFinished, hasFailed, failure };
}

type Pass = Awaited<ReturnType<typeof readPass>>;

/** Returns what is known about a list after a read. */
const stateAfter = (
	{ ending, isFinished, newestMs, isOrderProven }: Pass,
	listState: ListState,
	startedAtMs: number,
	newestKnownMs: number,
	budget: RequestBudget,
): ListState => ({
	...listState,
	...(ending === 'known' && { newestCreatedAtMs: Math.max(newestKnownMs, newestMs) }),
	...(ending === 'full' && {
		newestCreatedAtMs: newestMs,
		fullReadAtMs: startedAtMs,
		isNewestFirst: isOrderProven || undefined,
	}),
	isUnfinished: !isFinished || undefined,
	isLong: isTooLong(ending, budget) || undefined,
});

/** Whether a list is too long for the usual requests of a poll. */
const isTooLong = (ending: ReadEnding, budget: RequestBudget): boolean =>
	(ending === 'usedUp' && !budget.isOutOfTime()) ||
	// The extra requests were used for this list. After a read that ended at known items, the next one is shorter.
	(ending !== 'known' && budget.hasUsedExtraRequests());

/** Reads pages from the first one on. @param stopBelowMs if the newest come first, the read ends at an older item */
async function readPass(
	poll: PollContext,
	{ name, request }: TriggerList,
	stopBelowMs: number,
	onItem: (item: ListItem) => void,
) {
	const { client, settings, budget, pollClock } = poll;
	const hasEnoughItems = () =>
		itemsRead >= poll.maxItemsPerList || (!settings.returnsResultsTogether && poll.hasEnoughItems());
	const startedAtMs = pollClock.now();
	let pagesRead = 0;
	let itemsRead = 0;
	/** Whether the newest items have come first so far. */
	let isInOrder = true;
	let timestampCount = 0;
	let lastMs = Infinity;
	// A time in the future says nothing about other items.
	let newestMs = 0;
	const readItem = (item: ListItem) => {
		if (hasValidId(item.resource)) onItem(item);
		else poll.addLoss(unusableIdMessage(name));
		// Without a time (NaN), the list is not in order.
		const { createdAtMs = NaN } = item;
		isInOrder &&= createdAtMs <= lastMs;
		if (createdAtMs !== lastMs) timestampCount++;
		lastMs = createdAtMs;
		if (createdAtMs <= pollClock.serviceNow()) newestMs = Math.max(newestMs, createdAtMs);
	};
	const mayCursorBeDead = (page: IDataObject[]) =>
		pagesRead > 1 && page.length === 0 && pollClock.now() - startedAtMs > MIN_CURSOR_LIFE_MS;
	const endPass = (ending: ReadEnding, failure?: unknown) => {
		const isOrderProven = isInOrder && timestampCount >= MIN_TIMESTAMPS_TO_PROVE_ORDER;
		const isFinished = ending === 'full' || ending === 'known';
		return { ending, failure, isFinished, newestMs, isOrderProven, pagesRead };
	};
	try {
		const pages = paginate(client, request, { pageSize: settings.pageSize });
		for await (const { data, requestId, hasMore } of pages) {
			await client.turns.map(data, (resource) => readItem(toListItem(resource, requestId)));
			// A single time, as of imported items, has no order.
			if (isInOrder && timestampCount > 1 && lastMs < stopBelowMs) return endPass('known');
			pagesRead++;
			itemsRead += data.length;
			if (!hasMore) return endPass(mayCursorBeDead(data) ? 'interrupted' : 'full');
			if (hasEnoughItems()) return endPass('enough');
			if (budget.isUsedUp()) return endPass('usedUp');
		}
		return endPass('full');
	} catch (failure) {
		if (pagesRead === 0) return endPass('failed', failure);
		// The poll has no time left, so the failure says nothing about the service.
		if (budget.isOutOfTime()) return endPass('usedUp');
		if (isRateLimited(failure)) return endPass(budget.isUsedUp() ? 'usedUp' : 'failed', failure);
		return endPass('interrupted', failure);
	}
}
