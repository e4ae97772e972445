// Bounds what a tool answers to 50 KB in whole items, and reads as much of a list as fits. Called by the router last, and
// by Get Many; the cursors continue a list without a gap, even if items were added or deleted.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { isCursorRejection } from '../api/failure/requestError';
import { fail } from '../messages/userMessage';
import { hasValidId } from '../model/resource';
import type { Client } from '../transport/request/client';
import { type PageOptions, paginate } from '../transport/request/pagination';
import type { Turns } from '../transport/turns';
import { shortHash, toText } from '../utils';

/** Counted as an AI agent sends it to its model: as JSON within JSON (n8n-behaviour.md#ai-agents). */
const MAX_ANSWER_BYTES = 50_000;
/** The rest is for the note, and for the brackets around the items. */
const MAX_BYTES_OF_ALL_ITEMS = MAX_ANSWER_BYTES - 5000;
/** Each takes at least 20 bytes. */
const MAX_ITEMS_OF_ANSWER = MAX_BYTES_OF_ALL_ITEMS / 20;

/** A part of a list, and where the list continues. */
interface ListPart {
	items: IDataObject[];
	/** Number of items in the whole list; undefined if unknown. */
	totalCount?: number;
	/** Whether the list has further items behind the last one. */
	hasMore: boolean;
	/** Returns the cursor for the items from an index on. */
	cursorFrom(index: number): string;
}

/** Where the items of a tool's answer come from, so that the model can get the others. */
export interface AnswerSource {
	/** Undefined if the answer is no list. */
	list?: ListPart;
	/** The run whose results the items are, if another tool lists the results of runs. */
	runId?: string;
}

/**
 * Returns as many whole items as an answer of a tool may have, and an item about the others as the last one. An item that
 * is too large by itself becomes a note with its ID.
 */
export async function limitToolAnswer(
	items: INodeExecutionData[],
	source: AnswerSource,
	turns: Turns,
): Promise<INodeExecutionData[]> {
	let bytesLeft = MAX_BYTES_OF_ALL_ITEMS;
	const keptItems: INodeExecutionData[] = [];
	for (const { json } of items) {
		if (turns.isOver()) await turns.next();
		const fittingItem = sizeInBytes(json) > MAX_BYTES_OF_ALL_ITEMS ? buildItemPlaceholder(json) : json;
		bytesLeft -= sizeInBytes(fittingItem);
		if (bytesLeft < 0) break;
		keptItems.push({ json: fittingItem });
	}
	const isComplete = keptItems.length === items.length && source.list?.hasMore !== true;
	return isComplete ? keptItems : [...keptItems, { json: buildNote(keptItems.length, source) }];
}

/** Bytes of an item in the answer, which is JSON within JSON, with the comma after it. */
const sizeInBytes = (item: IDataObject) => Buffer.byteLength(JSON.stringify(JSON.stringify(item))) - 1;

const buildItemPlaceholder = (item: IDataObject): IDataObject => ({
	...(hasValidId(item) && { id: item.id }),
	note: "This item was left out, because it is too large for a tool's answer.",
});

function buildNote(returnedCount: number, { list, runId }: AnswerSource): IDataObject {
	const instruction =
		runId === undefined
			? 'For the next ones, call this tool again with the same values and'
			: `Do not start another run. For the next ones, call the tool that gets many results, with run '${runId}' and`;
	return {
		returned: returnedCount,
		total_known: list?.totalCount ?? null,
		next_cursor: list?.cursorFrom(returnedCount) ?? null,
		note: `There are more items. ${instruction} the Start Cursor in 'next_cursor'.`,
	};
}

/** Where a list continues: after an item of a page or, without a cursor, after an item of the whole list. */
interface ListPosition {
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
const withoutCursor = (position: ListPosition): ListPosition => ({
	...position,
	pageOffset: position.listOffset,
	cursor: '',
});

/** Returns a position as text, which a model passes on. @param listKey of the list that it belongs to */
function formatListPosition(position: ListPosition, listKey: string): string {
	const isTooLong = sizeInBytes({ cursor: position.cursor }) > MAX_CURSOR_BYTES;
	const { listOffset, pageOffset, previousIdHash, cursor } = isTooLong ? withoutCursor(position) : position;
	const place = `${listOffset}:${pageOffset}:${previousIdHash}`;
	return `next:${place}:${shortHash(listKey + place + cursor)}:${cursor}`;
}

/** Returns the position in a text, or the beginning of the list. @throws UserError if it was made elsewhere */
function parseListPosition(text = '', listKey: string): ListPosition {
	if (text === '') return { listOffset: 0, pageOffset: 0, previousIdHash: '', cursor: '' };
	const fields = /^next:(\d{1,9}):(\d{1,9}):([\w-]*):[\w-]*:(.*)$/s.exec(text);
	if (fields !== null) {
		const [, listOffset, pageOffset, previousIdHash, cursor] = fields;
		const offsets = { listOffset: Number(listOffset), pageOffset: Number(pageOffset) };
		const position = { ...offsets, previousIdHash, cursor };
		if (formatListPosition(position, listKey) === text) return position;
	}
	return fail(
		"'Start Cursor' does not belong to this list",
		"Use the 'next_cursor' of the last answer without any change, or leave it empty to begin with the first items",
	);
}

type ListEntry = Pick<ListPosition, 'cursor' | 'pageOffset'> & { item: IDataObject };

/** Returns '' without an ID. */
const idHashOf = ({ id }: IDataObject) => toText(id) && shortHash(toText(id));

/**
 * Returns the part of a list from a position on, even if items were added or deleted before it. If the previous item
 * is gone, the list starts again: repeating items is better than leaving some out. Pure.
 */
function takePart(
	entries: ListEntry[],
	startIndex: number,
	{ listOffset, pageOffset }: ListPosition,
	{ limit, listKey, hasMorePages }: Pick<ListPartOptions, 'limit' | 'listKey'> & { hasMorePages?: boolean },
): ListPart {
	const maxItems = Math.min(limit, MAX_ITEMS_OF_ANSWER);
	// A list that changes while it is read can contain an item twice.
	const seenIds = new Set<string>();
	const indexes: number[] = [];
	for (let index = startIndex; index < entries.length && indexes.length <= maxItems; index++) {
		const id = toText(entries[index].item.id);
		const isRepeated = id !== '' && seenIds.has(id);
		if (!isRepeated) indexes.push(index);
		seenIds.add(id);
	}
	const countBeforeEntries = listOffset - pageOffset;
	return {
		items: indexes.slice(0, maxItems).map((index) => entries[index].item),
		totalCount: hasMorePages ? undefined : countBeforeEntries + entries.length,
		hasMore: hasMorePages === true || indexes.length > maxItems,
		// Names the page of the previous item, because deletions can move items of the next page to it.
		cursorFrom(itemIndex) {
			const index = indexes[itemIndex] ?? entries.length;
			const { item, cursor, pageOffset: previousOffset } = entries[index - 1];
			const placeOnPage = { cursor, pageOffset: previousOffset + 1, previousIdHash: idHashOf(item) };
			return formatListPosition({ ...placeOnPage, listOffset: countBeforeEntries + index }, listKey);
		},
	};
}

/** Returns the index of the first item after a position; 0 if the previous item is not in the list any more. */
async function findStart(
	entries: ListEntry[],
	{ pageOffset, previousIdHash }: ListPosition,
	turns: Turns,
): Promise<number> {
	const isInPlace =
		pageOffset <= entries.length && idHashOf(entries[pageOffset - 1]?.item ?? {}) === previousIdHash;
	if (previousIdHash === '' || isInPlace) return pageOffset;
	return (await turns.map(entries, ({ item }) => idHashOf(item))).lastIndexOf(previousIdHash) + 1;
}

/** Returns the part of a complete list from a cursor on. @throws UserError for a cursor that was made elsewhere */
export async function takeListPart(
	allItems: IDataObject[],
	options: Pick<ListPartOptions, 'client' | 'listKey' | 'limit' | 'startCursor'>,
): Promise<ListPart> {
	const startFrom = withoutCursor(parseListPosition(options.startCursor, options.listKey));
	const { turns } = options.client;
	const entries = await turns.map(allItems, (item, pageOffset) => ({ item, pageOffset, cursor: '' }));
	return takePart(entries, await findStart(entries, startFrom, turns), startFrom, options);
}

interface ListPartOptions extends PageOptions {
	client: Client;
	request: ApiRequest;
	/** Differs for lists with different items or another order. */
	listKey: string;
	limit: number;
	/** Returns an item as the model gets it. */
	toItem: (resource: IDataObject, requestId: string) => IDataObject;
}

/** A page has at least a few items, and an answer has room for a few hundred. */
const MAX_PAGES = 20;

/**
 * Reads as much of a list as fits into an answer of a tool. If the service rejects the cursor of the page, or the previous
 * item is not found from this page on, the list is read once more. @throws RequestError as {@link paginate} does;
 * UserError for a cursor that was made elsewhere
 */
export async function readListPart(options: ListPartOptions): Promise<ListPart> {
	const startFrom = parseListPosition(options.startCursor, options.listKey);
	const part = await readFrom(options, startFrom).catch((thrown: unknown) => {
		if (!isCursorRejection(thrown)) throw thrown;
		return undefined;
	});
	return part ?? ((await readFrom(options, withoutCursor(startFrom))) as ListPart);
}

/** Returns undefined if the previous item is not found from the page of the position on. */
async function readFrom(options: ListPartOptions, startFrom: ListPosition): Promise<ListPart | undefined> {
	const { entries, hasMorePages } = await readEntries(options, startFrom);
	const { cursor, pageOffset, previousIdHash } = startFrom;
	const startIndex = await findStart(entries, startFrom, options.client.turns);
	if (cursor !== '' && previousIdHash !== '' && startIndex === 0) return undefined;
	if (hasMorePages && entries.length <= pageOffset) {
		fail(
			`The list has no further item on the ${MAX_PAGES} pages that one answer reads`,
			"Set 'Page Size' to a larger number",
		);
	}
	return takePart(entries, startIndex, startFrom, { ...options, hasMorePages });
}

/** Reads pages, beginning with that of a position, until the items after the position fill an answer. */
async function readEntries(
	{ client, request, pageSize, limit, toItem }: ListPartOptions,
	{ cursor, pageOffset: wantedFrom }: ListPosition,
): Promise<{ entries: ListEntry[]; hasMorePages?: boolean }> {
	const { turns } = client;
	const entries: ListEntry[] = [];
	let pagesRead = 0;
	let pageCursor = cursor;
	let bytes = 0;
	const pages = paginate(client, request, { pageSize, startCursor: cursor || undefined });
	for await (const { data, requestId, nextCursor = '', hasMore } of pages) {
		for (const [pageOffset, resource] of data.entries()) {
			if (turns.isOver()) await turns.next();
			const item = toItem(resource, requestId);
			const mayFit = entries.length >= wantedFrom && bytes <= MAX_BYTES_OF_ALL_ITEMS;
			if (mayFit) bytes += sizeInBytes(item);
			entries.push({ item, cursor: pageCursor, pageOffset });
		}
		const hasEnoughItems = bytes > MAX_BYTES_OF_ALL_ITEMS || entries.length >= wantedFrom + limit;
		if (++pagesRead === MAX_PAGES || hasEnoughItems) return { entries, hasMorePages: hasMore };
		pageCursor = nextCursor;
	}
	return { entries, hasMorePages: false };
}
