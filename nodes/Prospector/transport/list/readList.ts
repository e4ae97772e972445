import type { IDataObject } from 'n8n-workflow';
import { DAY_MS, parseTimestamp, shortHash, toText } from '../../utils';
import { isInvalidPagination, isRejectedCursor } from '../../api/failure/requestError';
import type { Page } from '../request/pagination';
import type { RequestBudget } from '../request/requestBudget';
import {
	addEvidence,
	type ListPosition,
	type ListReading,
	NO_EVIDENCE,
	findProvenOrder,
} from './listPosition';

interface ListSource {
	pages(startCursor?: string): AsyncIterable<Page>;
	budget: RequestBudget;
	/** Milliseconds on the service's clock. */
	now(): number;
	/** Whether to interrupt the read after a page. */
	isOver(): boolean;
	/** Whether to read the whole list in any case. */
	mustReadWhole?: boolean;
}

export interface ListItem {
	resource: IDataObject;
	requestId: string;
	/** Hash of its ID. */
	hash: string;
	/** Milliseconds; undefined without a valid timestamp. */
	createdMs?: number;
}

export interface ListRead {
	/** Where the next read starts, once everything new has been emitted. */
	position: ListPosition;
	/** When a complete read started; undefined if the read is not complete. */
	startedAtMs?: number;
	failure?: unknown;
	/** Whether the service has rejected cursors twice, and more requests were not enough. */
	isUnreadable?: boolean;
}

/** How often a list is read to its end even if its order permits less, in case the order is a coincidence. */
const WHOLE_READ_INTERVAL_MS = DAY_MS;

interface Scan {
	read: ListReading;
	/** The first item of each page, and the page's cursor. */
	starts: Array<Pick<ListItem, 'hash' | 'createdMs'> & { cursor?: string }>;
	/** `restart`: the cursor was rejected, or led to another page. */
	end: 'listEnd' | 'mark' | 'interrupted' | 'restart' | 'failed';
	/** Whether it has read a page. */
	hasRead: boolean;
	failure?: unknown;
}

/**
 * Reads what can be new in a list: with the newest first down to the mark, with the oldest first from the last page on,
 * everything once a day or if no order is proven. The next call continues an interrupted read. If the service rejects a
 * cursor, the list is read again from its first page, at once and with more requests. Items can occur twice.
 */
export async function readList(
	source: ListSource,
	position: ListPosition,
	onItem: (item: ListItem) => void,
): Promise<ListRead> {
	const { order, marksMs, tail, unfinished } = position;
	const { budget } = source;
	const nowMs = source.now();
	const isWholeDue =
		source.mustReadWhole ||
		order === undefined ||
		Math.abs(nowMs - position.wholeAtMs) >= WHOLE_READ_INTERVAL_MS;
	const markMs = order === 'newest' && !isWholeDue ? marksMs[0] : undefined;
	const fromStart: ListReading = { startedAtMs: nowMs, isWhole: true, newestMs: 0, evidence: NO_EVIDENCE };
	const fromTail = tail && !isWholeDue && !unfinished ? tail : undefined;
	const start = unfinished ?? { ...fromStart, cursor: fromTail?.cursor, isWhole: !fromTail };

	const first = await scan(source, start, onItem, markMs, fromTail?.firstHash);
	if (first.end === 'interrupted' && unfinished && !budget.isUsedUp()) {
		// With the newest first, the first pages contain what was created since the read started.
		const { newest, oldest } = first.read.evidence;
		if (newest && !oldest) await scan(source, fromStart, onItem, unfinished.newestMs);
	}
	if (first.end !== 'restart') return nextPosition(position, first, source.now());
	const isRejected = isRejectedCursor(first.failure);
	const restarted: ListPosition = { ...position, tail: undefined, unfinished: undefined };
	if (isRejected) restarted.isRejected = true;
	const readAgain = async (isOver: () => boolean): Promise<ListRead> => {
		if (budget.isUsedUp()) return { position: restarted };
		const second = await scan({ ...source, isOver }, fromStart, onItem, markMs);
		return nextPosition(restarted, second, source.now());
	};
	if (!isRejected) return await readAgain(source.isOver);
	return await budget.extend(async (isExtended) => {
		const read = await readAgain(budget.isUsedUp);
		return { ...read, isUnreadable: isExtended && position.isRejected && read.startedAtMs === undefined };
	});
}

/** Reads pages from a cursor on. @param stopBelowMs ends a read with the newest first at older items */
async function scan(
	{ pages, isOver, now }: ListSource,
	start: ListReading,
	onItem: (item: ListItem) => void,
	stopBelowMs = -Infinity,
	firstHash?: string,
): Promise<Scan> {
	const starts: Scan['starts'] = [];
	const nowMs = now();
	let read = start;
	const ended = (end: Scan['end'], failure?: unknown): Scan => ({
		read,
		starts,
		end,
		hasRead: read !== start,
		failure,
	});
	try {
		for await (const page of pages(start.cursor)) {
			const items = page.resources.map((resource) => toListItem(resource, page.requestId));
			if (firstHash !== undefined && read === start && items[0]?.hash !== firstHash) return ended('restart');
			if (items.length > 0) starts.push({ ...items[0], cursor: read.cursor });
			items.forEach(onItem);
			read = { ...read, cursor: page.nextCursor };
			for (const { createdMs } of items) {
				// A time in the future says nothing about other items.
				if (createdMs !== undefined && createdMs <= nowMs) read.newestMs = Math.max(read.newestMs, createdMs);
				read.evidence = addEvidence(read.evidence, createdMs);
			}
			const { newest: isSorted, lastMs = Infinity } = read.evidence;
			// If even the first item is older than the mark, the newest are gone or elsewhere.
			const isMarkValid = start.cursor !== undefined || (starts[0]?.createdMs ?? Infinity) >= stopBelowMs;
			if (isSorted && isMarkValid && lastMs < stopBelowMs) return ended('mark');
			if (page.nextCursor !== undefined && isOver()) return ended('interrupted');
		}
		return ended('listEnd');
	} catch (failure) {
		const isResumed = read === start && start.cursor !== undefined;
		const isRejected = read.cursor !== undefined && isRejectedCursor(failure);
		const mustRestart = isRejected || (isResumed && isInvalidPagination(failure));
		return ended(mustRestart ? 'restart' : 'failed', failure);
	}
}

/** Returns the position behind what was read. Pure. */
function nextPosition(
	position: ListPosition,
	{ read, starts, end, hasRead, failure }: Scan,
	nowMs: number,
): ListRead {
	const { order, marksMs } = position;
	if (end === 'restart') return { position: { ...position, unfinished: undefined, isRejected: true } };
	if (end === 'failed' || end === 'interrupted') {
		const unfinished = hasRead && read.cursor !== undefined ? read : position.unfinished;
		return { position: { ...position, unfinished }, failure };
	}
	const isWholeRead = read.isWhole && end === 'listEnd';
	const keptOrder = order && read.evidence[order] ? order : undefined;
	const nextOrder = isWholeRead ? findProvenOrder(read.evidence) : keptOrder;
	const newestMs = isWholeRead ? read.newestMs : Math.max(marksMs[1], read.newestMs);
	// What is created later in the same millisecond as the newest item can be anywhere among its equals.
	const last = starts.filter(({ createdMs }) => createdMs !== undefined && createdMs < newestMs).at(-1);
	const nextTail = last?.cursor === undefined ? undefined : { cursor: last.cursor, firstHash: last.hash };
	// A response may have shown that the clock was wrong.
	const startedAtMs = Math.min(read.startedAtMs, nowMs);
	return {
		startedAtMs,
		position: {
			// One read behind: deletions can move items to a page that was already read. The next read finds these.
			marksMs: [Math.min(marksMs[1], newestMs), newestMs],
			order: nextOrder,
			wholeAtMs: isWholeRead ? startedAtMs : position.wholeAtMs,
			tail: nextOrder === 'oldest' ? nextTail : undefined,
		},
	};
}

export const toListItem = (resource: IDataObject, requestId: string): ListItem => ({
	resource,
	requestId,
	hash: shortHash(toText(resource.id)),
	createdMs: parseTimestamp(resource.created_at),
});
