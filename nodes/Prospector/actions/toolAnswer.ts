// Bounds what a tool answers to its one input item (n8n-behaviour.md#ai-agents) to 50 KB in whole items. Called by Get
// Many for a list, and by the router for each item; a cursor continues a list of items with IDs without a gap, even if
// the list changes.
import type { IDataObject } from 'n8n-workflow';
import { isCursorRejection, isTimedOutOrThrottled } from '../api/failure/requestError';
import type { ApiResponse } from '../api/response';
import { throwUserError } from '../messages/userMessage';
import { hasValidId } from '../model/resource';
import type { Turns } from '../transport/turns';
import { shortHash, toText } from '../utils';

/** Counted as an AI agent sends it to its model: as JSON within JSON (n8n-behaviour.md#ai-agents). */
const MAX_ANSWER_BYTES = 50_000;
/** The rest is for the note, and for the brackets around the items. */
const MAX_BYTES_OF_ALL_ITEMS = MAX_ANSWER_BYTES - 5000;
/** A longer cursor would take too much of an answer. */
const MAX_CURSOR_BYTES = 2000;
/** A page has at least a few items, and an answer has room for a few hundred. */
const MAX_PAGES = 20;

/** Bytes of an item in the answer, which is JSON within JSON, with the comma after it. */
const sizeInBytes = (item: IDataObject) => Buffer.byteLength(JSON.stringify(JSON.stringify(item))) - 1;

/** Returns an item, or a note with its ID if the item is too large for an answer. */
export function replaceIfTooLarge(item: IDataObject): IDataObject {
	if (sizeInBytes(item) <= MAX_BYTES_OF_ALL_ITEMS) return item;
	const note = "This item was left out, because it is too large for a tool's answer.";
	return { ...(hasValidId(item) && { id: item.id }), note };
}

/** Where a list continues: after an item of a page or, without a cursor, after an item of the whole list. */
interface ListPosition {
	/** Number of items before it in the whole list. */
	listOffset: number;
	/** Cursor of its page; '' for the first one. */
	cursor: string;
	/** Number of items before it, from the cursor on. */
	offsetFromCursor: number;
	/** Hash of the ID of the last item before it; '' without an ID, and at the beginning. */
	previousIdHash: string;
}

/** Returns the same place, counted from the beginning of the list. */
const withoutCursor = (position: ListPosition): ListPosition => ({
	...position,
	offsetFromCursor: position.listOffset,
	cursor: '',
});

/** Returns a position as text, which a model passes on. @param listKey of the list that it belongs to */
function formatListPosition(position: ListPosition, listKey: string): string {
	const isTooLong = sizeInBytes({ cursor: position.cursor }) > MAX_CURSOR_BYTES;
	const { listOffset, offsetFromCursor, previousIdHash, cursor } = isTooLong
		? withoutCursor(position)
		: position;
	const place = `${listOffset}:${offsetFromCursor}:${previousIdHash}`;
	return `next:${place}:${shortHash(listKey + place + cursor)}:${cursor}`;
}

/** Returns the position in a text, or the beginning of the list. @throws UserError if it was made elsewhere */
function parseListPosition(text = '', listKey: string): ListPosition {
	if (text === '') return { listOffset: 0, offsetFromCursor: 0, previousIdHash: '', cursor: '' };
	const fields = /^next:(\d{1,9}):(\d{1,9}):([\w-]*):[\w-]*:(.*)$/s.exec(text);
	if (fields !== null) {
		const [, listOffset, offsetFromCursor, previousIdHash, cursor] = fields;
		const offsets = { listOffset: Number(listOffset), offsetFromCursor: Number(offsetFromCursor) };
		const position = { ...offsets, previousIdHash, cursor };
		if (formatListPosition(position, listKey) === text) return position;
	}
	return throwUserError(
		"'Start Cursor' does not belong to this list",
		"Use the 'next_cursor' of the last answer without any change, or leave it empty to begin with the first items",
	);
}

type Page = Pick<ApiResponse, 'data' | 'requestId' | 'nextCursor' | 'hasMore'>;

interface ListToAnswer {
	/** Reads the pages from a cursor on. */
	pagesFrom(cursor?: string): AsyncIterable<Page> | Page[];
	/** Returns an item as the model gets it. */
	toItem: (resource: IDataObject, requestId: string) => IDataObject;
	/** Differs for lists with different items or another order. */
	listKey: string;
	limit: number;
	startCursor?: string;
	/** The run whose results these are, if another tool lists the results of runs. */
	resultsOfRun?: string;
	turns: Turns;
}

/**
 * Returns as many whole items of a list as an answer may have, and an item about the others as the last one. If the
 * service rejects the cursor of the page, or the previous item is not found from this page on, the list is read once more.
 *
 * @throws RequestError when a page can't be read; UserError for a cursor that was made elsewhere
 */
export async function answerWithList(list: ListToAnswer): Promise<IDataObject[]> {
	const startFrom = parseListPosition(list.startCursor, list.listKey);
	const answer = await answerFrom(list, startFrom).catch((thrown: unknown) => {
		if (!isCursorRejection(thrown)) throw thrown;
		return undefined;
	});
	if (answer !== undefined) return answer;
	// Without a cursor, it never returns undefined.
	return (await answerFrom(list, withoutCursor(startFrom))) as IDataObject[];
}

type ListPartEntry = Pick<ListPosition, 'cursor' | 'offsetFromCursor'> & { item: IDataObject };

/** Returns undefined if the previous item is not found from the page of the position on. */
async function answerFrom(list: ListToAnswer, startFrom: ListPosition): Promise<IDataObject[] | undefined> {
	const { cursor, listOffset, offsetFromCursor, previousIdHash } = startFrom;
	const { entries, hasMorePages } = await readEntries(list, startFrom);
	const startIndex = await findStart(entries, startFrom, list.turns);
	// 0: the previous item is not on these pages.
	if (cursor !== '' && previousIdHash !== '' && startIndex === 0) return undefined;
	// The pages that an answer may read end before the position.
	if (hasMorePages && entries.length <= offsetFromCursor) {
		throwUserError(
			`The list has no further item on the ${MAX_PAGES} pages that one answer reads`,
			"Set 'Page Size' to a larger number",
		);
	}
	const { items, endIndex } = await takeItems(entries, startIndex, list);
	// The position can be after the end of a list that has become shorter.
	if (endIndex >= entries.length && !hasMorePages) return items;
	// Names the page of the previous item, because deletions can move items of the next page to it.
	const previous = entries[endIndex - 1];
	const nextCursor = formatListPosition(
		{
			listOffset: listOffset - offsetFromCursor + endIndex,
			offsetFromCursor: previous.offsetFromCursor + 1,
			previousIdHash: idHashOf(previous),
			cursor: previous.cursor,
		},
		list.listKey,
	);
	return [...items, buildNote(items.length, nextCursor, list.resultsOfRun)];
}

/** Reads pages, beginning with that of a position, until the items after the position fill an answer. */
async function readEntries(
	{ pagesFrom, toItem, limit, turns }: ListToAnswer,
	{ cursor, offsetFromCursor: wantedFrom }: ListPosition,
): Promise<{ entries: ListPartEntry[]; hasMorePages?: boolean }> {
	const entries: ListPartEntry[] = [];
	async function addPages(): Promise<boolean | undefined> {
		let pagesRead = 0;
		let pageCursor = cursor;
		let bytes = 0;
		for await (const { data, requestId, nextCursor = '', hasMore } of pagesFrom(cursor || undefined)) {
			for (const [offsetFromCursor, resource] of data.entries()) {
				if (turns.isOver()) await turns.next();
				const item = toItem(resource, requestId);
				const mayFit = entries.length >= wantedFrom && bytes <= MAX_BYTES_OF_ALL_ITEMS;
				if (mayFit) bytes += sizeInBytes(item);
				entries.push({ item, cursor: pageCursor, offsetFromCursor });
			}
			const hasEnoughItems = bytes > MAX_BYTES_OF_ALL_ITEMS || entries.length >= wantedFrom + limit;
			if (++pagesRead === MAX_PAGES || hasEnoughItems) return hasMore;
			pageCursor = nextCursor;
		}
		return undefined;
	}
	const hasMorePages = await addPages().catch((thrown: Error) => {
		// The next answer continues behind the pages that were read in time.
		if (entries.length > wantedFrom && isTimedOutOrThrottled(thrown)) return true;
		throw thrown;
	});
	return { entries, hasMorePages };
}

/**
 * Returns the index of the first item after a position, even if items were added or deleted before it. If the previous
 * item is gone, this is 0: repeating items is better than leaving some out.
 */
async function findStart(
	entries: ListPartEntry[],
	{ offsetFromCursor, previousIdHash }: ListPosition,
	turns: Turns,
): Promise<number> {
	const isInPlace =
		offsetFromCursor <= entries.length && idHashOf(entries[offsetFromCursor - 1]) === previousIdHash;
	if (previousIdHash === '' || isInPlace) return offsetFromCursor;
	return (await turns.map(entries, idHashOf)).lastIndexOf(previousIdHash) + 1;
}

/** Returns '' without an ID. */
const idHashOf = (entry?: ListPartEntry) => toText(entry?.item.id) && shortHash(toText(entry?.item.id));

/** Returns what fits into an answer, and the index of the first entry that does not. */
async function takeItems(entries: ListPartEntry[], startIndex: number, { limit, turns }: ListToAnswer) {
	const items: IDataObject[] = [];
	const seenIds = new Set<string>();
	let bytesLeft = MAX_BYTES_OF_ALL_ITEMS;
	let endIndex = startIndex;
	for (; endIndex < entries.length; endIndex++) {
		if (turns.isOver()) await turns.next();
		const { item } = entries[endIndex];
		const id = toText(item.id);
		// A list that changes while it is read can contain an item twice.
		if (id !== '' && seenIds.has(id)) continue;
		seenIds.add(id);
		const fittingItem = replaceIfTooLarge(item);
		bytesLeft -= sizeInBytes(fittingItem);
		if (bytesLeft < 0 || items.length === limit) break;
		items.push(fittingItem);
	}
	return { items, endIndex };
}

function buildNote(returnedCount: number, nextCursor: string, resultsOfRun?: string): IDataObject {
	const instruction =
		resultsOfRun === undefined
			? 'For the next ones, call this tool again with the same values and'
			: `Do not start another run. For the next ones, call the tool that gets many results, with run '${resultsOfRun}' and`;
	const note = `There are more items. ${instruction} the Start Cursor in 'next_cursor'.`;
	return { returned: returnedCount, next_cursor: nextCursor, note };
}
