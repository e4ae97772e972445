import type { IDataObject } from 'n8n-workflow';
import { isCursorError } from '../../transport/failure/requestError';
import type { Page } from '../../transport/request/pagination';
import type { RequestBudget } from '../../transport/request/requestBudget';
import { parseTimestamp, shortHash, toText } from '../../utils';
import type { ListPosition, ListReading, OrderEvidence } from '../state/triggerState';

interface ListSource {
	pages(startCursor?: string): AsyncIterable<Page>;
	budget: RequestBudget;
	/** Whether to interrupt the read after a page. */
	isOver(): boolean;
}

export interface ListItem {
	resource: IDataObject;
	requestId: string;
	/** Hash of its ID. */
	hash: string;
	/** Milliseconds; undefined without a valid timestamp. */
	created?: number;
}

interface ListRead {
	/** Where the next read starts, once everything new has been emitted. */
	position: ListPosition;
	/** When a complete read started; undefined if the read is not complete. */
	startedAt?: number;
	failure?: unknown;
}

/** How often a list is read to its end even if its order permits less, in case the order is a coincidence. */
const WHOLE_READ_INTERVAL_MS = 24 * 3_600_000;
/** A later creation time is wrong, and must not become the newest. */
const MAX_CLOCK_SKEW_MS = 48 * 3_600_000;

/**
 * Reads what can be new in a list: with the newest first down to the mark, with the oldest first from the last page on,
 * everything once a day or if no order is proven. The next call continues an interrupted read. Items can occur twice.
 */
export async function readList(
	source: ListSource,
	position: ListPosition,
	onItem: (item: ListItem) => void,
): Promise<ListRead> {
	const { order, marks, tail, unfinished } = position;
	const now = source.budget.now();
	const fromStart: ListReading = { startedAt: now, isWhole: true, newest: 0, evidence: NO_EVIDENCE };
	const isWholeDue = order === undefined || now - position.wholeAt >= WHOLE_READ_INTERVAL_MS;

	async function scan(start: ListReading, stopBelow = -Infinity, firstHash?: string) {
		const starts: Array<Pick<ListItem, 'hash' | 'created'> & { cursor?: string }> = [];
		let read = start;
		const ended = (end?: 'end' | 'mark' | 'otherPage', failure?: unknown) => ({ read, starts, end, failure });
		try {
			for await (const page of source.pages(start.cursor)) {
				const items = page.resources.map((resource) => toListItem(resource, page.requestId));
				if (firstHash !== undefined && read === start && items[0]?.hash !== firstHash)
					return ended('otherPage');
				if (items.length > 0) starts.push({ ...items[0], cursor: read.cursor });
				items.forEach(onItem);
				read = { ...read, cursor: page.nextCursor };
				for (const { created } of items) {
					const isPlausible = created !== undefined && created <= now + MAX_CLOCK_SKEW_MS;
					if (isPlausible) read.newest = Math.max(read.newest, created);
					read.evidence = addEvidence(read.evidence, created);
				}
				const { newest: isSorted, last = Infinity } = read.evidence;
				if (isSorted && last < stopBelow) return ended('mark');
				if (page.nextCursor !== undefined && source.isOver()) return ended();
			}
			return ended('end');
		} catch (failure) {
			const isRejected = start.cursor !== undefined && read === start && isCursorError(failure);
			return isRejected ? ended('otherPage') : ended(undefined, failure);
		}
	}

	const fromTail = tail && !isWholeDue && !unfinished ? tail : undefined;
	const start = unfinished ?? { ...fromStart, cursor: fromTail?.cursor, isWhole: !fromTail };
	const mark = order === 'newest' && !isWholeDue ? marks[0] : undefined;
	const { read, starts, end, failure } = await scan(start, mark, fromTail?.firstHash);
	if (end === 'otherPage') {
		const restart = { ...position, tail: undefined, unfinished: undefined };
		return source.budget.isUsedUp() ? { position: restart } : await readList(source, restart, onItem);
	}
	if (end === undefined) {
		const isNewestFirst = read.evidence.newest && !read.evidence.oldest;
		if (unfinished && isNewestFirst && failure === undefined && !source.budget.isUsedUp()) {
			// The first pages contain what was created since the read started.
			await scan(fromStart, unfinished.newest);
		}
		const isContinued = read !== start && read.cursor !== undefined;
		return { position: { ...position, unfinished: isContinued ? read : unfinished }, failure };
	}
	const isWholeRead = read.isWhole && end === 'end';
	const keptOrder = order && read.evidence[order] ? order : undefined;
	const nextOrder = isWholeRead ? provenOrder(read.evidence) : keptOrder;
	const newest = Math.max(marks[1], read.newest);
	// What is created later in the same millisecond as the newest item can be anywhere among its equals.
	const last = starts.filter(({ created }) => created !== undefined && created < newest).at(-1);
	const nextTail = last?.cursor === undefined ? undefined : { cursor: last.cursor, firstHash: last.hash };
	return {
		startedAt: read.startedAt,
		position: {
			// One read behind: deletions can move items to a page that was already read. The next read finds these.
			marks: [marks[1], newest],
			order: nextOrder,
			wholeAt: isWholeRead ? read.startedAt : position.wholeAt,
			tail: nextOrder === 'oldest' ? nextTail : undefined,
		},
	};
}

export const toListItem = (resource: IDataObject, requestId: string): ListItem => ({
	resource,
	requestId,
	hash: shortHash(toText(resource.id)),
	created: parseTimestamp(resource.created_at),
});

/** Fewer distinct timestamps can be in order by chance; of twelve, that happens once in 479 million lists. */
const MIN_TIMESTAMPS = 12;

export const NO_EVIDENCE: OrderEvidence = { newest: true, oldest: true, timestamps: 0 };

/** Adds the creation time of the next item; an item without a valid one is in no order. */
export function addEvidence(evidence: OrderEvidence, created: number | undefined): OrderEvidence {
	const { newest, oldest, timestamps, last } = evidence;
	if (created === undefined) return { ...evidence, newest: false, oldest: false };
	return {
		newest: newest && (last === undefined || created <= last),
		oldest: oldest && (last === undefined || created >= last),
		timestamps: timestamps + (created === last ? 0 : 1),
		last: created,
	};
}

/** Returns how a whole list is sorted (the contract does not say); undefined if it is unsorted or too short to tell. */
export function provenOrder({ newest, oldest, timestamps }: OrderEvidence): ListPosition['order'] {
	if (timestamps < MIN_TIMESTAMPS || newest === oldest) return undefined;
	return newest ? 'newest' : 'oldest';
}
