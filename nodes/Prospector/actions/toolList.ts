import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import type { Client } from '../transport/request/client';
import { isCursorFlaw, type PageOptions, paginateForUser } from '../transport/request/pagination';
import { shortHash, toText } from '../utils';
import { type ListPart, MAX_ANSWER_BYTES, sizeInBytes } from './limitToolAnswer';

/** Where a list continues: behind an item of a page or, without a cursor, of the whole list. */
export interface Continuation {
	/** Number of items before it in the whole list. */
	position: number;
	/** Number of items before it on its page. */
	offset: number;
	/** Hash of the last item before it; '' at the beginning. */
	lastIdHash: string;
	/** Cursor of its page; '' for the first one. */
	cursor: string;
}

/** A longer cursor would take too much of an answer. */
const MAX_CURSOR_BYTES = 2000;

/** Returns a continuation as text, which a model passes on. */
export function formatContinuation({ position, offset, lastIdHash, cursor }: Continuation): string {
	return sizeInBytes({ cursor }) > MAX_CURSOR_BYTES
		? `next:${position}:${position}:${lastIdHash}:`
		: `next:${position}:${offset}:${lastIdHash}:${cursor}`;
}

/** Returns the continuation in a text. Any other text is a cursor of the service. */
export function parseContinuation(text = ''): Continuation {
	const [, position = 0, offset = 0, lastIdHash = '', cursor = text] =
		/^next:(\d{1,9}):(\d{1,9}):([\w-]*):(.*)$/s.exec(text) ?? [];
	return { position: Number(position), offset: Number(offset), lastIdHash, cursor };
}

/**
 * Returns the index at which a list continues, even if items were added or deleted before it. If the last item is gone,
 * the list starts again: repeating items is better than leaving some out. Pure.
 */
export function findStartIndex(idHashes: string[], offset: number, lastIdHash: string): number {
	if (offset === 0 || idHashes[offset - 1] === lastIdHash) return offset;
	return idHashes.lastIndexOf(lastIdHash) + 1;
}

/** Returns '' without an ID. */
const hashOf = ({ id }: IDataObject) => toText(id) && shortHash(toText(id));

/** Returns the part of a complete list from a continuation on. */
export function takeListPart(allItems: IDataObject[], limit: number, startFrom: Continuation): ListPart {
	const idHashes = allItems.map(hashOf);
	const startIndex = findStartIndex(idHashes, startFrom.position, startFrom.lastIdHash);
	const items = allItems.slice(startIndex, startIndex + limit);
	const hasMore = startIndex + items.length < allItems.length;
	const continueAt = (index: number) => {
		const position = startIndex + index;
		const lastIdHash = idHashes[position - 1] ?? '';
		return formatContinuation({ position, offset: position, lastIdHash, cursor: '' });
	};
	return { items, totalCount: allItems.length, hasMore, continueAt };
}

interface PartRequest {
	client: Client;
	request: ApiRequest;
	/** Resources per request. */
	pageSize?: number;
	/** Maximum number of items. */
	limit: number;
	/** Returns an item as the model gets it. */
	toItem: (resource: IDataObject, requestId: string) => IDataObject;
}

/**
 * Reads as much of a list as fits into an answer of a tool. If the service rejects a cursor, the list is read once more
 * from its beginning. @throws RequestError as {@link paginateForUser} does
 */
export async function readListPart(part: PartRequest, { startCursor }: PageOptions): Promise<ListPart> {
	const startFrom = parseContinuation(startCursor);
	return await readFrom(part, startFrom).catch(async (thrown: unknown) => {
		// Nothing says how many items are before a cursor of the service.
		const isPositionKnown = startFrom.cursor === '' || startFrom.lastIdHash !== '';
		if (!isPositionKnown || !isCursorFlaw(thrown)) throw thrown;
		return await readFrom(part, { ...startFrom, offset: startFrom.position, cursor: '' });
	});
}

async function readFrom(part: PartRequest, startFrom: Continuation): Promise<ListPart> {
	const { client, request, pageSize, limit, toItem } = part;
	const { offset } = startFrom;
	const entries: Array<{ item: IDataObject; idHash: string; cursor: string; offset: number }> = [];
	let pageCursor = startFrom.cursor;
	let hasMorePages = false;
	let bytes = 0;
	const pages = paginateForUser(client, request, { pageSize, startCursor: pageCursor || undefined });
	for await (const { resources, requestId, nextCursor = '', hasMore } of pages) {
		for (const [index, resource] of resources.entries()) {
			const item = toItem(resource, requestId);
			if (entries.length >= offset) bytes += sizeInBytes(item);
			entries.push({ item, idHash: hashOf(resource), cursor: pageCursor, offset: index });
		}
		pageCursor = nextCursor;
		hasMorePages = hasMore;
		const isEnough = bytes > MAX_ANSWER_BYTES || entries.length > offset + limit;
		// Without a cursor, the loop continues to the exception.
		if (isEnough && nextCursor !== '') break;
	}
	const startIndex = findStartIndex(
		entries.map(({ idHash }) => idHash),
		offset,
		startFrom.lastIdHash,
	);
	// A list that changes while it is read can contain an item twice.
	const seenHashes = new Set<string>();
	const indexes = [...entries.keys()].slice(startIndex).filter((index) => {
		const { idHash } = entries[index];
		return idHash === '' || seenHashes.size < seenHashes.add(idHash).size;
	});
	const items = indexes.slice(0, limit).map((index) => entries[index].item);
	const hasMore = hasMorePages || indexes.length > limit;
	const firstPosition = startFrom.position - offset;
	return {
		items,
		totalCount: hasMorePages ? undefined : firstPosition + entries.length,
		hasMore,
		// On the page of the last item, not on the next one, to which deletions can have moved further items.
		continueAt(itemIndex) {
			const index = indexes[itemIndex] ?? entries.length;
			if (index === 0) return formatContinuation(startFrom);
			const { cursor, offset: lastOffset, idHash: lastIdHash } = entries[index - 1];
			return formatContinuation({
				position: firstPosition + index,
				offset: lastOffset + 1,
				lastIdHash,
				cursor,
			});
		},
	};
}
