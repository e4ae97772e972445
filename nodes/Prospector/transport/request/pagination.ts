// Reads lists page by page. Used by the node, the editor and the trigger; notices a list without an end and, for a whole
// list, whether it has changed while it was read. More tests: test/unit/actions/getMany.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { mayRejectCursor } from '../../api/failure/evidence';
import type { PaginationFlaw } from '../../api/failure/failure';
import { isCursorRejection, RequestError } from '../../api/failure/requestError';
import type { ApiRequest } from '../../api/apiRequest';
import type { Client } from './client';
import { type ApiResponse, isFailure } from '../../api/response';
import { toText } from '../../utils';

export interface CollectOptions {
	/** Maximum number of resources; all if absent. */
	limit?: number;
	/** Maximum number of pages; all if absent. */
	maxPages?: number;
	/** Called if the limit left resources unread. */
	onListTruncated?: () => void;
	/** Called if the list changed while it was read, so that a resource may be missing. */
	onListChanged?: () => void;
	/** Resources per request; the service's default if absent. */
	pageSize?: number;
}

export interface PageOptions extends Pick<CollectOptions, 'pageSize'> {
	/** Cursor of the first page to read; the beginning of the list if absent. */
	startCursor?: string;
}

/**
 * A service that does not know the cursor parameter sends the same page again and again (contract, section 4). A list
 * that changes may shift by a whole page, so only the second repetition of a page counts.
 */
const MAX_REPEATED_PAGES = 2;
/** After this many consecutive empty pages, the list is treated as endless (decisions/0005). */
const MAX_CONSECUTIVE_EMPTY_PAGES = 100;
/** After this many pages without a new item in a row, the list begins again and again. */
const MAX_PAGES_WITHOUT_NEW_ITEM = 100;
/** A list that is read without a limit and continues after this many pages or items is treated as endless. */
const MAX_LIST_PAGES = 10_000;
const MAX_ITEMS_PER_LIST = 1_000_000;
/** Besides the last page, which needs no check: a list of up to four pages is checked completely (decisions/0005). */
const MAX_CHECKED_PAGES = 3;
/** No retries and a short time, because the check is not worth a delay. */
const CHANGE_CHECK_OPTIONS = { retryForMs: 0, timeoutMs: 5000 };

/**
 * Reads a list page by page, and no more pages than the caller takes.
 *
 * @param options.hasItemLimit whether the caller stops at a number of items, so that the list can have any length
 * @throws RequestError when a page can't be fetched, a cursor is rejected, the cursors form a loop, or the list seems to
 *   be endless
 */
export async function* paginate(
	client: Client,
	request: ApiRequest,
	{ pageSize, startCursor, hasItemLimit }: PageOptions & { hasItemLimit?: boolean } = {},
): AsyncGenerator<ApiResponse> {
	const loopDetector = new LoopDetector();
	let cursor = startCursor;
	let pagesRead = 0;
	let itemsRead = 0;
	for (;;) {
		const query = toPageQuery(client, request, cursor, pageSize);
		const isFirstPage = cursor === startCursor;
		const hasOneAttempt = request.hasOneAttempt && isFirstPage;
		const page = await client.tryRequest({ ...request, query, hasOneAttempt });
		const { requestId } = page;
		const paginationError = (reason: PaginationFlaw, serverMessage?: string) =>
			new RequestError({ kind: 'invalidPagination', reason, requestId, serverMessage }, request);
		if (isFailure(page)) {
			if (cursor === undefined || !mayRejectCursor(page, isFirstPage)) throw new RequestError(page, request);
			throw paginationError(isFirstPage ? 'rejectedStartCursor' : 'rejectedCursor', page.serverMessage);
		}
		const { data, hasMore, nextCursor } = page;
		const flaw = loopDetector.findFlaw(page, cursor);
		if (hasMore && flaw !== undefined) throw paginationError(flaw);
		yield page;
		if (!hasMore) return;
		// Checked after the yield, so a caller that already has enough items never sees these failures.
		if (nextCursor === undefined) throw paginationError('missingCursor');
		pagesRead++;
		itemsRead += data.length;
		const isTooLong = pagesRead >= MAX_LIST_PAGES || itemsRead >= MAX_ITEMS_PER_LIST;
		if (!hasItemLimit && isTooLong) throw paginationError('tooLong');
		cursor = nextCursor;
	}
}

/** Finds pages that lead back to earlier ones, or nowhere. */
class LoopDetector {
	private readonly visitedCursors = new Set<string>();
	private previousPage?: string;
	private repeatedPages = 0;

	/** @param cursor of the page */
	findFlaw({ data, nextCursor }: ApiResponse, cursor?: string): PaginationFlaw | undefined {
		if (cursor !== undefined) this.visitedCursors.add(cursor);
		const page = summarize(data);
		this.repeatedPages = page === this.previousPage ? this.repeatedPages + 1 : 0;
		this.previousPage = page;
		if (nextCursor !== undefined && this.visitedCursors.has(nextCursor)) return 'cursorLoop';
		if (data.length > 0) return this.repeatedPages >= MAX_REPEATED_PAGES ? 'repeatedPage' : undefined;
		return this.repeatedPages >= MAX_CONSECUTIVE_EMPTY_PAGES - 1 ? 'endlessEmptyPages' : undefined;
	}
}

/** Adds the cursor and the page size. Without one, the user's query parameter of that name stays. */
const toPageQuery = ({ connection }: Client, { query }: ApiRequest, cursor?: string, pageSize?: number) => ({
	...query,
	...(cursor !== undefined && { [connection.cursorParameter]: cursor }),
	...(pageSize !== undefined && { [connection.pageSizeParameter]: pageSize }),
});

/** Returns what identifies a page: its length, and its first and last resource, by ID or else by content. */
const summarize = (page: IDataObject[]): string =>
	JSON.stringify([
		page.length,
		...[page[0], page.at(-1)].map((resource) => toText(resource?.id) || resource),
	]);

/**
 * Reads a list up to its limit. No ID is returned twice, even if the list changes meanwhile. If the service no longer
 * accepts a cursor, the list is read once more from its beginning. @throws as {@link paginate} does
 */
export async function collectItems<Item>(
	client: Client,
	request: ApiRequest,
	{ limit = Infinity, maxPages, onListTruncated, onListChanged, pageSize }: CollectOptions,
	mapItem: (resource: IDataObject, requestId: string) => Item,
): Promise<Item[]> {
	const { turns } = client;
	const isCheckDue = onListChanged !== undefined && limit === Infinity;
	async function readItems() {
		const items: Item[] = [];
		const seenIds = new Set<unknown>();
		let pagesWithoutNewItem = 0;
		const pages: PageToCheck[] = [];
		let cursor: string | undefined;
		for await (const page of paginate(client, request, { pageSize, hasItemLimit: limit !== Infinity })) {
			const { data, requestId, hasMore, nextCursor } = page;
			pages.push({ cursor, ids: isCheckDue ? data.map(({ id }) => id) : [] });
			cursor = nextCursor;
			let isTruncated = hasMore === true;
			pagesWithoutNewItem++;
			for (const resource of data) {
				if (turns.isOver()) await turns.next();
				const { id } = resource;
				const isRepeated = toText(id) !== '' && seenIds.has(id);
				if (isRepeated) continue;
				seenIds.add(id);
				pagesWithoutNewItem = 0;
				isTruncated ||= items.length >= limit;
				if (items.length >= limit) break;
				items.push(mapItem(resource, requestId));
			}
			if (items.length >= limit || pages.length === maxPages) {
				if (isTruncated) onListTruncated?.();
				break;
			}
			if (hasMore && pagesWithoutNewItem >= MAX_PAGES_WITHOUT_NEW_ITEM)
				throw new RequestError({ kind: 'invalidPagination', reason: 'noNewItems', requestId }, request);
		}
		return { items, pages };
	}

	/** Whether a page before the last one has changed: deletions can have moved resources to it that were not read. */
	async function hasPageChanged(pages: PageToCheck[]): Promise<boolean> {
		for (const { cursor, ids } of pickPages(pages.slice(0, -1))) {
			const query = toPageQuery(client, request, cursor, pageSize);
			const page = await client.tryRequest({ ...request, query, ...CHANGE_CHECK_OPTIONS });
			if (isFailure(page)) continue;
			const { data } = page;
			if (data.length !== ids.length || data.some(({ id }, index) => id !== ids[index])) return true;
		}
		return false;
	}

	const { items, pages } = await readItems().catch(async (thrown: unknown) => {
		if (!isCursorRejection(thrown)) throw thrown;
		return await readItems();
	});
	if (isCheckDue && (await hasPageChanged(pages))) onListChanged();
	return items;
}

interface PageToCheck {
	cursor?: string;
	ids: unknown[];
}

/** Returns all pages of a short list, and the first, middle and last one of a long list. */
const pickPages = (pages: PageToCheck[]): PageToCheck[] =>
	pages.length <= MAX_CHECKED_PAGES
		? pages
		: [pages[0], pages[Math.floor(pages.length / 2)], pages[pages.length - 1]];
