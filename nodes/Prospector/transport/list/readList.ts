import type { IDataObject } from 'n8n-workflow';
import { DAY_MS, parseTimestamp, shortHash, toText } from '../../utils';
import { isInvalidPagination, isRateLimited, isCursorRejection } from '../../api/failure/requestError';
import type { Page } from '../request/pagination';
import type { RequestBudget } from '../request/requestBudget';
import type { Turns } from '../turns';
import {
	addOrderEvidence,
	type ListState,
	type ReadProgress,
	NO_EVIDENCE,
	findProvenOrder,
} from './listState';

interface ListSource {
	readPages(startCursor?: string): AsyncIterable<Page>;
	budget: RequestBudget;
	turns: Turns;
	/** Milliseconds on the service's clock. */
	now(): number;
	mustInterrupt(): boolean;
	mustReadFull?: boolean;
	/** Whether the items count only together, so that the list is read from its first page, with more requests. */
	isAllOrNothing?: boolean;
}

export interface ListItem {
	resource: IDataObject;
	requestId: string;
	idHash: string;
	/** Milliseconds; undefined without a valid timestamp. */
	createdAtMs?: number;
}

export interface ListReadResult {
	/** Where the next read starts, once everything new has been emitted. */
	listState: ListState;
	/** When a finished read started; undefined if it has not finished. */
	finishedReadStartedAtMs?: number;
	failure?: unknown;
	/** Whether the list had to be read in one poll twice, and more requests were not enough. */
	isTooLongForPoll?: boolean;
}

/** How often a list is read to its end even if its order permits less, in case the order is a coincidence. */
const FULL_READ_INTERVAL_MS = DAY_MS;

interface ScanResult {
	progress: ReadProgress;
	/** The first item of each page, and the page's cursor. */
	pageStarts: Array<Pick<ListItem, 'idHash' | 'createdAtMs'> & { cursor?: string }>;
	/** `restart`: the cursor was rejected, or led to another page. */
	endReason: 'listEnd' | 'olderItems' | 'interrupted' | 'restart' | 'failed';
	hasReadPage: boolean;
	failure?: unknown;
}

/**
 * Reads what can be new in a list: with the newest first down to known items, with the oldest first from the last page on,
 * everything once a day or if no order is proven. The next call continues an interrupted read. If the service rejects a
 * cursor, the list is read again from its first page, in one poll and with more requests. Items can occur twice.
 */
export async function readList(
	source: ListSource,
	listState: ListState,
	onItem: (item: ListItem) => void,
): Promise<ListReadResult> {
	const { order, newestCreatedAtMs, lastKnownPage, unfinishedRead } = listState;
	const { budget } = source;
	const nowMs = source.now();
	const isFullReadDue =
		source.mustReadFull ||
		order === undefined ||
		Math.abs(nowMs - listState.fullReadAtMs) >= FULL_READ_INTERVAL_MS;
	const stopBelowMs = order === 'newest' && !isFullReadDue ? newestCreatedAtMs.previousRead : undefined;
	const newRead = { startedAtMs: nowMs, isFromStart: true, newestMs: 0, evidence: NO_EVIDENCE };
	const knownPage = lastKnownPage && !isFullReadDue && !unfinishedRead ? lastKnownPage : undefined;
	const startFrom = unfinishedRead ?? { ...newRead, cursor: knownPage?.cursor, isFromStart: !knownPage };

	const readFromFirstPage = async (
		mustInterrupt: () => boolean,
		mustReadInOnePoll = listState.mustReadInOnePoll,
	): Promise<ListReadResult> => {
		const restart = { ...listState, mustReadInOnePoll, lastKnownPage: undefined, unfinishedRead: undefined };
		if (budget.isUsedUp()) return { listState: restart };
		const scan = await scanPages({ ...source, mustInterrupt }, newRead, onItem, stopBelowMs);
		return advanceListState(restart, scan, source.now());
	};
	if (!source.isAllOrNothing) {
		const scan = await scanPages(source, startFrom, onItem, stopBelowMs, knownPage?.firstItemHash);
		if (scan.endReason === 'interrupted' && unfinishedRead && !budget.isUsedUp()) {
			// With the newest first, the first pages contain what was created since the read started.
			const { isNewestFirst, isOldestFirst } = scan.progress.evidence;
			if (isNewestFirst && !isOldestFirst) await scanPages(source, newRead, onItem, unfinishedRead.newestMs);
		}
		if (scan.endReason !== 'restart') return advanceListState(listState, scan, source.now());
		if (!isCursorRejection(scan.failure)) return await readFromFirstPage(source.mustInterrupt);
	}
	return await budget.withExtraRequests(async (hasExtraRequests) => {
		const result = await readFromFirstPage(budget.isUsedUp, true);
		const { finishedReadStartedAtMs, failure } = result;
		const isTooLong =
			finishedReadStartedAtMs === undefined && (failure === undefined || isRateLimited(failure));
		if (source.isAllOrNothing && failure !== undefined && !isTooLong) return { listState, failure };
		return { ...result, isTooLongForPoll: hasExtraRequests && listState.mustReadInOnePoll && isTooLong };
	});
}

/** Reads pages from a cursor on. @param stopBelowMs ends a read with the newest first at older items */
async function scanPages(
	{ readPages, mustInterrupt, now, turns }: ListSource,
	startFrom: ReadProgress,
	onItem: (item: ListItem) => void,
	stopBelowMs = -Infinity,
	firstItemHash?: string,
): Promise<ScanResult> {
	const pageStarts: ScanResult['pageStarts'] = [];
	const nowMs = now();
	let progress = startFrom;
	const endScan = (endReason: ScanResult['endReason'], failure?: unknown): ScanResult => ({
		progress,
		pageStarts,
		endReason,
		hasReadPage: progress !== startFrom,
		failure,
	});
	try {
		for await (const page of readPages(startFrom.cursor)) {
			const items = await turns.map(page.resources, (resource) => toListItem(resource, page.requestId));
			if (firstItemHash !== undefined && progress === startFrom && items[0]?.idHash !== firstItemHash)
				return endScan('restart');
			if (items.length > 0) pageStarts.push({ ...items[0], cursor: progress.cursor });
			await turns.map(items, onItem);
			progress = { ...progress, cursor: page.nextCursor };
			for (const { createdAtMs } of items) {
				// A time in the future says nothing about other items.
				if (createdAtMs !== undefined && createdAtMs <= nowMs)
					progress.newestMs = Math.max(progress.newestMs, createdAtMs);
				progress.evidence = addOrderEvidence(progress.evidence, createdAtMs);
			}
			const { isNewestFirst, lastTimestampMs = Infinity } = progress.evidence;
			// If even the first item is older than `stopBelowMs`, the newest are gone or elsewhere.
			const canStop =
				startFrom.cursor !== undefined || (pageStarts[0]?.createdAtMs ?? Infinity) >= stopBelowMs;
			if (isNewestFirst && canStop && lastTimestampMs < stopBelowMs) return endScan('olderItems');
			if (page.nextCursor !== undefined && mustInterrupt()) return endScan('interrupted');
		}
		return endScan('listEnd');
	} catch (failure) {
		const isFirstResumedPage = progress === startFrom && startFrom.cursor !== undefined;
		const mustRestart = isCursorRejection(failure) || (isFirstResumedPage && isInvalidPagination(failure));
		return endScan(mustRestart ? 'restart' : 'failed', failure);
	}
}

/** Returns the state after what was read. Pure. */
function advanceListState(
	listState: ListState,
	{ progress, pageStarts, endReason, hasReadPage, failure }: ScanResult,
	nowMs: number,
): ListReadResult {
	const { order, newestCreatedAtMs } = listState;
	if (endReason === 'restart')
		return { listState: { ...listState, unfinishedRead: undefined, mustReadInOnePoll: true } };
	if (endReason === 'failed' || endReason === 'interrupted') {
		const unfinishedRead = hasReadPage && progress.cursor !== undefined ? progress : listState.unfinishedRead;
		return { listState: { ...listState, unfinishedRead }, failure };
	}
	const isFullRead = progress.isFromStart && endReason === 'listEnd';
	const { isNewestFirst, isOldestFirst } = progress.evidence;
	const uncontradictedOrder = (order === 'newest' ? isNewestFirst : isOldestFirst) ? order : undefined;
	const nextOrder = isFullRead ? findProvenOrder(progress.evidence) : uncontradictedOrder;
	const newestMs = isFullRead ? progress.newestMs : Math.max(newestCreatedAtMs.lastRead, progress.newestMs);
	// What is created later in the same millisecond as the newest item can be anywhere among its equals.
	const pagesBeforeNewest = pageStarts.filter(({ createdAtMs = Infinity }) => createdAtMs < newestMs);
	const { cursor, idHash: firstItemHash = '' } = pagesBeforeNewest.at(-1) ?? {};
	// A response may have shown that the clock was wrong.
	const finishedReadStartedAtMs = Math.min(progress.startedAtMs, nowMs);
	return {
		finishedReadStartedAtMs,
		listState: {
			// One read behind: deletions can move items to a page that was already read. The next read finds these.
			newestCreatedAtMs: { previousRead: Math.min(newestCreatedAtMs.lastRead, newestMs), lastRead: newestMs },
			order: nextOrder,
			fullReadAtMs: isFullRead ? finishedReadStartedAtMs : listState.fullReadAtMs,
			lastKnownPage: nextOrder === 'oldest' && cursor !== undefined ? { cursor, firstItemHash } : undefined,
		},
	};
}

export const toListItem = (resource: IDataObject, requestId: string): ListItem => ({
	resource,
	requestId,
	idHash: shortHash(toText(resource.id)),
	createdAtMs: parseTimestamp(resource.created_at),
});
