import type { IDataObject } from 'n8n-workflow';
import type { Client } from './client';
import type { Call, Failure } from './failure';
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
	/** Pages without a single resource, since the last that had one. */
	emptyPages: number;
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
	let emptyPages = 0;
	let cursor = startCursor;
	do {
		if (cursor !== undefined) followed.add(cursor);
		const query = { ...call.query, [cursorParameter]: cursor, [pageSizeParameter]: pageSize };
		const { data, requestId, pagination = { hasMore: false } } = await client.call({ ...call, query });
		yield { resources: data, requestId, nextCursor: pagination.hasMore ? pagination.nextCursor : undefined };
		emptyPages = data.length > 0 ? 0 : emptyPages + 1;
		// Checked only here: whoever has enough already is not told of a next page that cannot be had.
		const next = nextPage(pagination, { followed, emptyPages }, requestId);
		if ('kind' in next) throw client.failure(next, call);
		cursor = next.cursor;
	} while (cursor !== undefined);
}

/** Decides where a list goes on after a page: never in a circle, never to a silent early end, never for ever. */
export function nextPage(
	{ hasMore, nextCursor }: Pagination,
	{ followed, emptyPages }: Progress,
	requestId: string,
): { cursor?: string } | Failure {
	if (!hasMore) return {};
	if (nextCursor === undefined) return { kind: 'brokenList', flaw: 'noCursor', requestId };
	if (followed.has(nextCursor)) return { kind: 'brokenList', flaw: 'circle', requestId };
	if (emptyPages >= MAX_EMPTY_PAGES) return { kind: 'brokenList', flaw: 'onlyEmptyPages', requestId };
	return { cursor: nextCursor };
}

/**
 * Reads a list up to its limit, each resource with the id of the request that brought it.
 *
 * @throws as {@link pages} does
 */
export async function readList(
	client: Client,
	call: Call,
	{ limit = Infinity, ...rest }: ListOptions,
): Promise<Array<{ resource: IDataObject; requestId: string }>> {
	const found: Array<{ resource: IDataObject; requestId: string }> = [];
	for await (const { resources, requestId } of pages(client, call, rest)) {
		for (const resource of resources.slice(0, limit - found.length)) found.push({ resource, requestId });
		if (found.length >= limit) break;
	}
	return found;
}
