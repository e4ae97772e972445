import type { IDataObject } from 'n8n-workflow';
import type { PaginationFlaw, StatusFailure } from '../../api/failure/failure';
import { isRejectedCursor, RequestError } from '../../api/failure/requestError';
import type { ApiRequest } from '../../api/apiRequest';
import type { Client } from './client';
import { isFailure, type Pagination } from '../../api/response';

export interface ListOptions {
	/** Maximum number of resources; all if absent. */
	limit?: number;
	/** Called if the limit left resources unread. */
	onListTruncated?: () => void;
	/** Called if the list changed while it was read, so that a resource may be missing. */
	onListChanged?: () => void;
	/** Resources per request; the service's default if absent. */
	pageSize?: number;
}

export interface PageOptions extends Pick<ListOptions, 'pageSize'> {
	/** Cursor of the first page to read; the beginning of the list if absent. */
	startCursor?: string;
}

/** A page of a list (contract, section 2.1). */
export interface Page extends Pagination {
	resources: IDataObject[];
	requestId: string;
}

/**
 * A service that does not know the cursor parameter sends the same page again and again. A list that changes may shift
 * by a whole page, so a page counts only if it is repeated twice.
 */
const MAX_REPEATED_PAGES = 2;
/** After this many consecutive empty pages, the list is treated as endless. */
const MAX_CONSECUTIVE_EMPTY_PAGES = 100;
/** A list that is read without a limit and continues after this many pages or items is treated as endless. */
const MAX_LIST_PAGES = 10_000;
const MAX_LIST_ITEMS = 1_000_000;
/** A list of fewer pages is read too fast to change often. */
const MIN_PAGES_TO_CHECK_FOR_CHANGES = 5;
const CHECK_TIMEOUT_MS = 5000;

/**
 * Reads a list page by page, and no more pages than the caller takes.
 *
 * @param hasItemLimit whether the caller stops at a number of items, so that the list can have any length
 * @throws RequestError when a page can't be fetched, the cursors form a loop, or the list seems to be endless
 */
export async function* paginate(
	client: Client,
	request: ApiRequest,
	{ pageSize, startCursor }: PageOptions = {},
	hasItemLimit = false,
): AsyncGenerator<Page> {
	const visitedCursors = new Set<string>();
	let cursor = startCursor;
	let previousPage: IDataObject[] | undefined;
	let repeatedPages = 0;
	let pagesRead = 0;
	let itemsRead = 0;
	do {
		if (cursor !== undefined) visitedCursors.add(cursor);
		const query = toPageQuery(client, request, cursor, pageSize);
		const { data, requestId, pagination = { hasMore: false } } = await client.request({ ...request, query });
		const { hasMore } = pagination;
		const nextCursor = hasMore ? pagination.nextCursor : undefined;
		const paginationError = (reason: PaginationFlaw) =>
			new RequestError({ kind: 'invalidPagination', reason, requestId }, request);
		repeatedPages = previousPage !== undefined && haveSameIds(data, previousPage) ? repeatedPages + 1 : 0;
		previousPage = data;
		const wasCursorVisited = nextCursor !== undefined && visitedCursors.has(nextCursor);
		const maxRepeatedPages = data.length > 0 ? MAX_REPEATED_PAGES : MAX_CONSECUTIVE_EMPTY_PAGES - 1;
		if (hasMore && (wasCursorVisited || repeatedPages >= maxRepeatedPages)) {
			throw paginationError(data.length > 0 ? 'cursorLoop' : 'endlessEmptyPages');
		}
		yield { resources: data, requestId, nextCursor, hasMore };
		// Checked after the yield, so a caller that already has enough items never sees these failures.
		if (hasMore && nextCursor === undefined) throw paginationError('missingCursor');
		pagesRead++;
		itemsRead += data.length;
		if (hasMore && !hasItemLimit && itemsRead >= MAX_LIST_ITEMS) throw paginationError('tooManyItems');
		if (hasMore && !hasItemLimit && pagesRead >= MAX_LIST_PAGES) throw paginationError('tooManyPages');
		cursor = nextCursor;
	} while (cursor !== undefined);
}

const toPageQuery = ({ connection }: Client, { query }: ApiRequest, cursor?: string, pageSize?: number) => ({
	...query,
	[connection.cursorParameter]: cursor,
	[connection.pageSizeParameter]: pageSize,
});

const haveSameIds = (page: IDataObject[], otherPage: IDataObject[]) =>
	page.length === otherPage.length && page.every(({ id }, index) => id === otherPage[index].id);

/**
 * Reads a list up to its limit. No ID is returned twice, even if the list changes meanwhile. If the service no longer
 * accepts a cursor, the list is read once more from its beginning. @throws as {@link paginate} does
 */
export async function collectItems<Item>(
	client: Client,
	request: ApiRequest,
	{ limit = Infinity, onListTruncated, onListChanged, pageSize }: ListOptions,
	mapItem: (resource: IDataObject, requestId: string) => Item,
): Promise<Item[]> {
	const items: Item[] = [];
	const seenIds = new Set<unknown>();
	let hasRepeatedId = false;
	let pagesRead = 0;
	let firstPageResources: IDataObject[] = [];

	async function readPages(): Promise<void> {
		items.length = pagesRead = 0;
		seenIds.clear();
		hasRepeatedId = false;
		for await (const page of paginateForUser(client, request, { pageSize }, limit !== Infinity)) {
			const { resources, requestId, hasMore } = page;
			if (++pagesRead === 1) firstPageResources = resources;
			const newResources = resources.filter(({ id }) => !isId(id) || seenIds.size < seenIds.add(id).size);
			hasRepeatedId ||= newResources.length < resources.length;
			const resourcesWithinLimit = newResources.slice(0, limit - items.length);
			for (const resource of resourcesWithinLimit) items.push(mapItem(resource, requestId));
			if (items.length < limit) continue;
			if (hasMore || resourcesWithinLimit.length < newResources.length) onListTruncated?.();
			return;
		}
	}

	/** Deleted resources can shift others to a page that was read before. Not worth a delay. */
	async function hasFirstPageChanged(): Promise<boolean> {
		const query = toPageQuery(client, request, undefined, pageSize);
		const page = await client.safeRequest({ ...request, query, retryForMs: 0, timeoutMs: CHECK_TIMEOUT_MS });
		return !isFailure(page) && !haveSameIds(page.data, firstPageResources);
	}

	await readPages().catch(async (thrown: unknown) => {
		if (!isCursorFlaw(thrown)) throw thrown;
		await readPages();
	});
	const isChangeCheckDue = onListChanged && limit === Infinity && pagesRead >= MIN_PAGES_TO_CHECK_FOR_CHANGES;
	if (hasRepeatedId || (isChangeCheckDue && (await hasFirstPageChanged()))) onListChanged?.();
	return items;
}

/** Like {@link paginate}, but a rejected cursor is a failure of its own. */
export async function* paginateForUser(...args: Parameters<typeof paginate>): AsyncGenerator<Page> {
	let reason: PaginationFlaw | undefined = args[2]?.startCursor ? 'rejectedStartCursor' : undefined;
	try {
		for await (const page of paginate(...args)) {
			yield page;
			reason = 'rejectedCursor';
		}
	} catch (thrown) {
		throw explainRejectedCursor(thrown, reason);
	}
}

/** Returns a failure with the reason if the service has rejected a cursor; otherwise what was thrown. */
function explainRejectedCursor(thrown: unknown, reason?: PaginationFlaw): unknown {
	if (reason === undefined || !(thrown instanceof RequestError) || !isRejectedCursor(thrown)) return thrown;
	const { requestId = '' } = thrown.failure as StatusFailure;
	return new RequestError({ kind: 'invalidPagination', reason, requestId }, thrown.request);
}

/** Returns whether {@link paginateForUser} failed because the service has rejected a cursor. */
export function isCursorFlaw(thrown: unknown): boolean {
	const failure = thrown instanceof RequestError ? thrown.failure : undefined;
	return failure?.kind === 'invalidPagination' && failure.reason.startsWith('rejected');
}

const isId = (id: unknown) => (typeof id === 'string' && id !== '') || typeof id === 'number';

/** Returns the first page that is not empty: callers treat an empty page as the end of the list. @throws as {@link paginate} */
export async function firstNonEmptyPage(
	client: Client,
	request: ApiRequest,
	options: PageOptions,
): Promise<Page | undefined> {
	for await (const page of paginateForUser(client, request, options)) {
		// Without a cursor, the loop continues to the exception.
		const isCursorMissing = page.hasMore && page.nextCursor === undefined;
		if (page.resources.length > 0 && !isCursorMissing) return page;
	}
	return undefined;
}
