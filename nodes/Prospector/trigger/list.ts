// Reads what can be new in a list of the service, and proves its order. Called through the poll reader for each list
// of the trigger.
import type { IDataObject } from 'n8n-workflow';
import { isRateLimited } from '../api/failure/requestError';
import { type CodecValue, flag, number, objectOf } from '../codec';
import type { ApiResponse } from '../api/response';
import type { Turns } from '../transport/turns';
import { DAY_MS, MINUTE_MS, parseTimestamp, shortHash, toText } from '../utils';
import type { RequestBudget } from './budget';
import type { PollClock } from './pollClock';

/** What is stored about a list between two reads. Times are on n8n's clock, except creation times. */
export const listStateCodec = objectOf(
	{
		/** The newest creation time that was found, on the service's clock; 0 without one. */
		newestCreatedAtMs: number,
		/** When the last read to the list's end started. `triedAtMs`: when the last attempt ended. 0 if there was none. */
		fullReadAtMs: number,
		triedAtMs: number,
	},
	{
		/** Whether it is proven to have the newest items first, so that a read can stop at known ones. */
		isNewestFirst: flag,
		/** Whether its last read left items unread. */
		isUnfinished: flag,
		/** Whether the usual requests of a poll were not enough for its last read. */
		isLong: flag,
		/** Since when all attempts to read it have failed. */
		failingSinceMs: number,
	},
);

export type ListState = CodecValue<typeof listStateCodec>;

/** State of a list that was never read. */
export const INITIAL_LIST_STATE: ListState = { newestCreatedAtMs: 0, fullReadAtMs: 0, triedAtMs: 0 };

/** @param nowMs when an attempt to read the list has ended, on n8n's clock, which may have been set back */
export const afterListAttempt = (listState: ListState, hasFailed: boolean, nowMs: number): ListState => ({
	...listState,
	triedAtMs: nowMs,
	failingSinceMs: hasFailed ? Math.min(listState.failingSinceMs ?? Infinity, nowMs) : undefined,
});

export interface ListItem {
	resource: IDataObject;
	requestId: string;
	idHash: string;
	/** Milliseconds; undefined without a valid timestamp. */
	createdAtMs?: number;
}

export const toListItem = (resource: IDataObject, requestId: string): ListItem => ({
	resource,
	requestId,
	idHash: shortHash(toText(resource.id)),
	createdAtMs: parseTimestamp(resource.created_at),
});

interface ListSource {
	readPages(): AsyncIterable<ApiResponse>;
	budget: RequestBudget;
	clock: PollClock;
	turns: Turns;
	hasEnoughItems(): boolean;
}

/**
 * How a read ends: at the list's end, at known items, with enough items, with no requests left, or by a failure.
 * `interrupted`: after its first page, by a failure or by an empty page as the answer to a dead cursor.
 */
type Ending = 'full' | 'known' | 'enough' | 'usedUp' | 'failed' | 'interrupted';

export interface ListRead {
	listState: ListState;
	ending: Ending;
	isFinished: boolean;
	/** Whether it can't be read. A list that is too long for the requests that are left can be read later. */
	hasFailed: boolean;
	/** Undefined if it has failed because the list can't be read to its end. */
	failure?: unknown;
}

/** How often a list is read to its end even if its order permits less: the order can be a coincidence. */
const FULL_READ_INTERVAL_MS = DAY_MS;
/** An item can become visible this long after its creation time, and deletions can move items to a page that was read. */
export const MAX_VISIBILITY_DELAY_MS = 10 * MINUTE_MS;
/** After this time, an empty page can be the response to a dead cursor. Some lists end with an empty page. */
const MIN_CURSOR_LIFE_MS = 30_000;
/** Fewer distinct timestamps can be in order by chance; of twelve, that happens once in 479 million lists. */
const MIN_TIMESTAMPS_TO_PROVE_ORDER = 12;

/** Reads what can be new in a list, by rule 2 (decisions/0002). Items can occur twice. */
export async function readList(source: ListSource, listState: ListState, onItem: (item: ListItem) => void) {
	const { budget, clock } = source;
	const { isNewestFirst, fullReadAtMs } = listState;
	const startedAtMs = clock.now();
	const isFullReadDue = !isNewestFirst || Math.abs(startedAtMs - fullReadAtMs) >= FULL_READ_INTERVAL_MS;
	// If the service's clock was set back, new items have earlier times than the newest known one.
	const newestKnownMs = Math.min(listState.newestCreatedAtMs, clock.serviceNow());
	const stopBelowMs = isFullReadDue ? -Infinity : newestKnownMs - MAX_VISIBILITY_DELAY_MS;
	return await budget.withExtraRequests(async () => {
		let pass = await readPass(source, stopBelowMs, onItem);
		if (pass.ending === 'interrupted') {
			const second = await readPass(source, stopBelowMs, onItem);
			// Without a page, the second pass shows nothing new about the list.
			pass = second.ending === 'failed' ? { ...pass, failure: second.failure } : second;
		}
		const { ending, failure, evidence, pagesRead } = pass;
		const isFinished = ending === 'full' || ending === 'known';
		const next: ListState = {
			...listState,
			...(ending === 'known' && { newestCreatedAtMs: Math.max(newestKnownMs, evidence.newestMs) }),
			...(ending === 'full' && {
				newestCreatedAtMs: evidence.newestMs,
				fullReadAtMs: startedAtMs,
				isNewestFirst: evidence.isOrderProven() || undefined,
			}),
			isUnfinished: !isFinished || undefined,
			isLong: hasTooFewRequests(ending, budget),
		};
		const canBeReadLater = ending === 'enough' || (ending === 'usedUp' && !budget.mayUseExtraRequests());
		const hasFailed = !isFinished && !canBeReadLater;
		const nextState = ending === 'failed' && pagesRead === 0 ? listState : next;
		return { listState: nextState, ending, isFinished, hasFailed, failure };
	});
}

const hasTooFewRequests = (ending: Ending, budget: RequestBudget): true | undefined =>
	(ending === 'usedUp' && budget.timeLeftMs() > 0) ||
	// Only this read can have used them. After a read down to known items, the next read is shorter.
	(ending !== 'known' && budget.hasUsedExtraRequests()) ||
	undefined;

/** What the items of a read show of the list's order. */
class OrderEvidence {
	/** The newest time that is not in the future. One in the future says nothing about other items. */
	newestMs = 0;
	private isNewestFirst = true;
	private timestampCount = 0;
	private lastMs = Infinity;

	/** An item without a time (NaN) means that the list is not in order. */
	add(createdAtMs = NaN, nowMs: number): void {
		this.isNewestFirst &&= createdAtMs <= this.lastMs;
		if (createdAtMs !== this.lastMs) this.timestampCount++;
		this.lastMs = createdAtMs;
		if (createdAtMs <= nowMs) this.newestMs = Math.max(this.newestMs, createdAtMs);
	}

	/** Whether the read has come down to older items. */
	isBelow = (boundMs: number): boolean => this.isNewestFirst && this.lastMs < boundMs;

	isOrderProven = (): boolean => this.isNewestFirst && this.timestampCount >= MIN_TIMESTAMPS_TO_PROVE_ORDER;
}

/** Reads pages from the first one on. @param stopBelowMs if the newest come first, the read ends at an older item */
async function readPass(source: ListSource, stopBelowMs: number, onItem: (item: ListItem) => void) {
	const { readPages, budget, clock, turns, hasEnoughItems } = source;
	const startedAtMs = clock.now();
	const evidence = new OrderEvidence();
	let pagesRead = 0;
	const endPass = (ending: Ending, failure?: unknown) => ({ ending, failure, evidence, pagesRead });
	try {
		for await (const { data, requestId, hasMore } of readPages()) {
			await turns.map(data, (resource) => {
				const item = toListItem(resource, requestId);
				onItem(item);
				evidence.add(item.createdAtMs, clock.serviceNow());
			});
			if (evidence.isBelow(stopBelowMs)) return endPass('known');
			pagesRead++;
			const isSlow = clock.now() - startedAtMs > MIN_CURSOR_LIFE_MS;
			const mayCursorBeDead = pagesRead > 1 && data.length === 0 && isSlow;
			// Without a cursor for the rest, the next step throws.
			if (!hasMore) return endPass(mayCursorBeDead ? 'interrupted' : 'full');
			if (hasEnoughItems()) return endPass('enough');
			if (budget.isUsedUp()) return endPass('usedUp');
		}
		return endPass('full');
	} catch (failure) {
		// The poll has no time left, so the failure says nothing about the service.
		if (pagesRead > 0 && budget.timeLeftMs() === 0) return endPass('usedUp');
		if (isRateLimited(failure)) return endPass(budget.isUsedUp() ? 'usedUp' : 'failed', failure);
		return endPass(pagesRead > 0 ? 'interrupted' : 'failed', failure);
	}
}
