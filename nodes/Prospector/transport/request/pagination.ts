import type { IDataObject } from 'n8n-workflow';
import type { Client } from './client';
import type { ApiRequest } from '../failure/failure';
import type { Pagination } from './response';

export interface ListOptions {
	/** Stop after so many resources; every one if absent. */
	limit?: number;
	/** Told when the limit left something unread. */
	onCut?: () => void;
	/** Resources per request; the service's own number if absent. */
	pageSize?: number;
	/** Where to begin; at the first page if absent. */
	startCursor?: string;
}

/** A page of a list (contract, section 2.1). */
export interface Page {
	resources: IDataObject[];
	requestId: string;
	/** Where the next page begins; absent on the last one. */
	nextCursor?: string;
	/** Whether the service says that the list goes on, which it may do without saying where. */
	hasMore: boolean;
}

/** What is known of a list while it is read. */
export interface PaginationState {
	/** The cursors that were followed so far. */
	followed: ReadonlySet<string>;
	/** How often in a row a page had the same resources as the one before. */
	repeats: number;
	/** Resources on this page. */
	size: number;
}

/** After this many consecutive empty pages, the list is treated as endless. */
export const MAX_EMPTY_PAGES = 100;

/** A list without a limit that goes on after this many pages or items is treated as endless. */
const MAX_PAGES = 10_000;
const MAX_ITEMS = 1_000_000;

/**
 * Reads a list page by page, and not a page more than the caller takes.
 *
 * @param isBounded whether the caller stops at some number of items, so that no list is too long
 * @throws NodeApiError when a page can't be fetched, the cursors form a loop, or the list seems to be endless
 */
export async function* paginate(
	client: Client,
	call: ApiRequest,
	{ pageSize, startCursor }: Omit<ListOptions, 'limit' | 'onCut'> = {},
	isBounded = false,
): AsyncGenerator<Page> {
	const { cursorParameter, pageSizeParameter } = client.connection;
	const followed = new Set<string>();
	let cursor = startCursor;
	let before: IDataObject[] | undefined;
	let repeats = 0;
	let pagesRead = 0;
	let itemsRead = 0;
	do {
		if (cursor !== undefined) followed.add(cursor);
		const query = { ...call.query, [cursorParameter]: cursor, [pageSizeParameter]: pageSize };
		const { data, requestId, pagination = { hasMore: false } } = await client.request({ ...call, query });
		repeats = before !== undefined && haveSameIds(data, before) ? repeats + 1 : 0;
		before = data;
		if (isCursorLoop(pagination, { followed, repeats, size: data.length })) {
			throw client.failure(
				{ kind: 'invalidPagination', reason: data.length ? 'cursorLoop' : 'endlessEmptyPages', requestId },
				call,
			);
		}
		const { hasMore, nextCursor } = pagination;
		yield { resources: data, requestId, nextCursor: hasMore ? nextCursor : undefined, hasMore };
		// Checked only here: whoever has enough already is not told of a next page that cannot be had.
		if (hasMore && nextCursor === undefined) {
			throw client.failure({ kind: 'invalidPagination', reason: 'missingCursor', requestId }, call);
		}
		pagesRead++;
		itemsRead += data.length;
		if (hasMore && !isBounded && (pagesRead >= MAX_PAGES || itemsRead >= MAX_ITEMS)) {
			const reason = itemsRead >= MAX_ITEMS ? 'tooManyItems' : 'tooManyPages';
			throw client.failure({ kind: 'invalidPagination', reason, requestId }, call);
		}
		cursor = hasMore ? nextCursor : undefined;
	} while (cursor !== undefined);
}

const haveSameIds = (page: IDataObject[], other: IDataObject[]) =>
	page.length === other.length && page.every(({ id }, index) => id === other[index].id);

/**
 * Whether a list leads back to where it was: by a cursor that was followed already, or, where the service does not
 * know the cursor's parameter, by the same page again. New resources may push a single one onto the next page too, so
 * pages of one count only when they repeat twice.
 */
export function isCursorLoop(
	{ hasMore, nextCursor }: Pagination,
	{ followed, repeats, size }: PaginationState,
): boolean {
	if (!hasMore) return false;
	if (nextCursor !== undefined && followed.has(nextCursor)) return true;
	if (size === 0) return repeats >= MAX_EMPTY_PAGES - 1;
	return repeats >= (size === 1 ? 2 : 1);
}

/**
 * Reads a list up to its limit.
 *
 * @param take makes of a resource, and the id of the request that brought it, what is wanted of it
 * @throws as {@link paginate} does
 */
export async function collectItems<Item>(
	client: Client,
	call: ApiRequest,
	{ limit = Infinity, onCut, ...rest }: ListOptions,
	take: (resource: IDataObject, requestId: string) => Item,
): Promise<Item[]> {
	const found: Item[] = [];
	const isBounded = limit !== Infinity;
	for await (const { resources, requestId, hasMore } of paginate(client, call, rest, isBounded)) {
		const wanted = resources.slice(0, limit - found.length);
		for (const resource of wanted) found.push(take(resource, requestId));
		if (found.length < limit) continue;
		if (hasMore || wanted.length < resources.length) onCut?.();
		break;
	}
	return found;
}

/**
 * Reads one page that has something on it: empty pages before it are passed over, since whoever goes from page to page
 * takes an empty one for the end.
 *
 * @returns undefined where nothing follows
 * @throws as {@link paginate} does, also when the page does not say where the next one begins
 */
export async function firstNonEmptyPage(
	client: Client,
	call: ApiRequest,
	options: Pick<ListOptions, 'pageSize' | 'startCursor'>,
): Promise<Page | undefined> {
	for await (const page of paginate(client, call, options)) {
		const leadsNowhere = page.hasMore && page.nextCursor === undefined;
		// Going on in either case: a page that leads nowhere then ends in the message about it.
		if (page.resources.length > 0 && !leadsNowhere) return page;
	}
	return undefined;
}
