import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { isCursorRejection } from '../api/failure/requestError';
import type { Client } from '../transport/request/client';
import { type PageOptions, paginate } from '../transport/request/pagination';
import { shortHash, toText } from '../utils';
import { type ListPart, MAX_BYTES_OF_ALL_ITEMS, sizeInBytes } from './limitToolAnswer';

/** Where a list continues: behind an item of a page or, without a cursor, of the whole list. */
interface Continuation {
	/** Number of items before it in the whole list. */
	listOffset: number;
	/** Number of items before it on its page. */
	pageOffset: number;
	/** Hash of the last item before it; '' at the beginning. */
	previousIdHash: string;
	/** Cursor of its page; '' for the first one. */
	cursor: string;
}

/** A longer cursor would take too much of an answer. */
const MAX_CURSOR_BYTES = 2000;

/** Returns the same place, counted from the beginning of the list. */
const withoutCursor = (continuation: Continuation): Continuation => ({
	...continuation,
	pageOffset: continuation.listOffset,
	cursor: '',
});

/** Returns a continuation as text, which a model passes on. */
function formatContinuation(continuation: Continuation): string {
	const isTooLong = sizeInBytes({ cursor: continuation.cursor }) > MAX_CURSOR_BYTES;
	const { listOffset, pageOffset, previousIdHash, cursor } = isTooLong
		? withoutCursor(continuation)
		: continuation;
	return `next:${listOffset}:${pageOffset}:${previousIdHash}:${cursor}`;
}

/** Returns the continuation in a text. Any other text is a cursor of the service. */
function parseContinuation(text = ''): Continuation {
	const [, listOffset = 0, pageOffset = 0, previousIdHash = '', cursor = text] =
		/^next:(\d{1,9}):(\d{1,9}):([\w-]*):(.*)$/s.exec(text) ?? [];
	return { listOffset: Number(listOffset), pageOffset: Number(pageOffset), previousIdHash, cursor };
}

type ListEntry = Pick<Continuation, 'cursor' | 'pageOffset'> & { item: IDataObject };

/** Returns '' without an ID. */
const idHashOf = ({ id }: IDataObject) => toText(id) && shortHash(toText(id));

/**
 * Returns the part of a list from a continuation on, even if items were added or deleted before it. If the last item
 * before it is gone, the list starts again: repeating items is better than leaving some out. Pure.
 */
function takePart(
	entries: ListEntry[],
	startFrom: Continuation,
	limit: number,
	hasMorePages = false,
): ListPart {
	const { listOffset, pageOffset, previousIdHash } = startFrom;
	const idHashes = entries.map(({ item }) => idHashOf(item));
	const isLastItemInPlace = pageOffset === 0 || idHashes[pageOffset - 1] === previousIdHash;
	const startIndex = isLastItemInPlace ? pageOffset : idHashes.lastIndexOf(previousIdHash) + 1;
	// A list that changes while it is read can contain an item twice.
	const seenHashes = new Set<string>();
	const indexes = [...entries.keys()].slice(startIndex).filter((index) => {
		const idHash = idHashes[index];
		return idHash === '' || seenHashes.size < seenHashes.add(idHash).size;
	});
	const firstEntryOffset = listOffset - pageOffset;
	return {
		items: indexes.slice(0, limit).map((index) => entries[index].item),
		totalCount: hasMorePages ? undefined : firstEntryOffset + entries.length,
		hasMore: hasMorePages || indexes.length > limit,
		// On the page of the last item, not on the next one, to which deletions can have moved further items.
		cursorFrom(itemIndex) {
			const index = indexes[itemIndex] ?? entries.length;
			if (index === 0) return formatContinuation(startFrom);
			const { cursor, pageOffset: previousOffset } = entries[index - 1];
			const placeOnPage = { cursor, pageOffset: previousOffset + 1, previousIdHash: idHashes[index - 1] };
			return formatContinuation({ ...placeOnPage, listOffset: firstEntryOffset + index });
		},
	};
}

/** Returns the part of a complete list from a cursor on. */
export function takeListPart(allItems: IDataObject[], limit: number, startCursor?: string): ListPart {
	const entries = allItems.map((item, pageOffset): ListEntry => ({ item, cursor: '', pageOffset }));
	return takePart(entries, withoutCursor(parseContinuation(startCursor)), limit);
}

interface ListPartOptions extends PageOptions {
	client: Client;
	request: ApiRequest;
	/** Maximum number of items. */
	limit: number;
	/** Returns an item as the model gets it. */
	toItem: (resource: IDataObject, requestId: string) => IDataObject;
}

/**
 * Reads as much of a list as fits into an answer of a tool. If the service rejects a cursor, the list is read once more
 * from its beginning. @throws RequestError as {@link paginate} does
 */
export async function readListPart(options: ListPartOptions): Promise<ListPart> {
	const startFrom = parseContinuation(options.startCursor);
	return await readFrom(options, startFrom).catch(async (thrown: unknown) => {
		// Nothing says how many items are before a cursor of the service.
		const isPositionKnown = startFrom.cursor === '' || startFrom.previousIdHash !== '';
		if (!isPositionKnown || !isCursorRejection(thrown)) throw thrown;
		return await readFrom(options, withoutCursor(startFrom));
	});
}

async function readFrom(options: ListPartOptions, startFrom: Continuation): Promise<ListPart> {
	const { client, request, pageSize, limit, toItem } = options;
	const entries: ListEntry[] = [];
	let pageCursor = startFrom.cursor;
	let hasMorePages = false;
	let bytes = 0;
	const pages = paginate(client, request, { pageSize, startCursor: pageCursor || undefined });
	for await (const { resources, requestId, nextCursor = '', hasMore } of pages) {
		for (const [pageOffset, resource] of resources.entries()) {
			const item = toItem(resource, requestId);
			if (entries.length >= startFrom.pageOffset) bytes += sizeInBytes(item);
			entries.push({ item, cursor: pageCursor, pageOffset });
		}
		pageCursor = nextCursor;
		hasMorePages = hasMore;
		const isEnough = bytes > MAX_BYTES_OF_ALL_ITEMS || entries.length >= startFrom.pageOffset + limit;
		// Without a cursor, the loop continues to the exception.
		if (isEnough && nextCursor !== '') break;
	}
	return takePart(entries, startFrom, limit, hasMorePages);
}
