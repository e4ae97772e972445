import type { IDataObject } from 'n8n-workflow';
import type { Client } from './client';
import type { Call } from './failure';
import type { Pagination } from './reply';

export interface ListOptions {
	/** Stop after so many resources; every one if absent. */
	limit?: number;
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
}

/** What is known of a list while it is read. */
export interface Progress {
	/** The cursors that were followed so far. */
	followed: ReadonlySet<string>;
	/** How often in a row a page had the same resources as the one before. */
	repeats: number;
	/** Resources on this page. */
	size: number;
}

/** So many empty pages in a row are no pause in a list: it would never end. */
export const MAX_EMPTY_PAGES = 100;

/**
 * Reads a list page by page, and not a page more than the caller takes.
 *
 * @throws NodeApiError when a page cannot be had, or the cursors lead nowhere
 */
export async function* pages(
	client: Client,
	call: Call,
	{ pageSize, startCursor }: Omit<ListOptions, 'limit'> = {},
): AsyncGenerator<Page> {
	const { cursorParameter, pageSizeParameter } = client.connection;
	const followed = new Set<string>();
	let cursor = startCursor;
	let before: string | undefined;
	let repeats = 0;
	do {
		if (cursor !== undefined) followed.add(cursor);
		const query = { ...call.query, [cursorParameter]: cursor, [pageSizeParameter]: pageSize };
		const { data, requestId, pagination = { hasMore: false } } = await client.call({ ...call, query });
		const ids = JSON.stringify(data.map(({ id }) => id));
		repeats = ids === before ? repeats + 1 : 0;
		before = ids;
		if (isCircle(pagination, { followed, repeats, size: data.length })) {
			throw client.failure(
				{ kind: 'brokenList', flaw: data.length ? 'circle' : 'onlyEmptyPages', requestId },
				call,
			);
		}
		const { hasMore, nextCursor } = pagination;
		yield { resources: data, requestId, nextCursor: hasMore ? nextCursor : undefined };
		// Checked only here: whoever has enough already is not told of a next page that cannot be had.
		if (hasMore && nextCursor === undefined) {
			throw client.failure({ kind: 'brokenList', flaw: 'noCursor', requestId }, call);
		}
		cursor = hasMore ? nextCursor : undefined;
	} while (cursor !== undefined);
}

/**
 * Whether a list leads back to where it was: by a cursor that was followed already, or, where the service does not
 * know the cursor's parameter, by the same page again. New resources may push a single one onto the next page too, so
 * pages of one count only when they repeat twice.
 */
export function isCircle(
	{ hasMore, nextCursor }: Pagination,
	{ followed, repeats, size }: Progress,
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
 * @throws as {@link pages} does
 */
export async function readList<Item>(
	client: Client,
	call: Call,
	{ limit = Infinity, ...rest }: ListOptions,
	take: (resource: IDataObject, requestId: string) => Item,
): Promise<Item[]> {
	const found: Item[] = [];
	for await (const { resources, requestId } of pages(client, call, rest)) {
		for (const resource of resources.slice(0, limit - found.length)) found.push(take(resource, requestId));
		if (found.length >= limit) break;
	}
	return found;
}
