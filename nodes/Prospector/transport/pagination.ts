import type { IDataObject, INode } from 'n8n-workflow';
import type { Problem } from './checked';
import type { Client } from './client';
import { inputError } from './errors';
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

/**
 * Reads a list page by page, and not a page more than the caller takes.
 *
 * @throws NodeApiError when a page cannot be had; NodeOperationError when the cursors lead nowhere
 */
export async function* pages(
	client: Client,
	node: INode,
	call: Call,
	{ pageSize, startCursor }: Omit<ListOptions, 'limit'> = {},
): AsyncGenerator<Page> {
	const { cursorParameter, pageSizeParameter } = client.connection;
	const seen = new Set<string>();
	let cursor = startCursor;
	do {
		if (cursor !== undefined) seen.add(cursor);
		const query = { ...call.query, [cursorParameter]: cursor, [pageSizeParameter]: pageSize };
		const { data, requestId, pagination } = await client.call({ ...call, query });
		const { hasMore, nextCursor } = pagination ?? { hasMore: false };
		yield { resources: data, requestId, nextCursor: hasMore ? nextCursor : undefined };
		// Checked only here: whoever has enough already is not told of a next page that cannot be had.
		const next = nextPage({ hasMore, nextCursor }, seen, requestId);
		if ('message' in next) throw inputError(node, next);
		cursor = next.cursor;
	} while (cursor !== undefined);
}

/**
 * Decides where a list goes on after a page: never in a circle, never to a silent early end.
 *
 * @param seen the cursors that were followed so far
 */
export function nextPage(
	{ hasMore, nextCursor }: Pagination,
	seen: ReadonlySet<string>,
	requestId: string,
): { cursor?: string } | Problem {
	if (!hasMore) return {};
	if (nextCursor === undefined) {
		return {
			message: `The service says that the list goes on, but not where (request ${requestId})`,
			description:
				"The list would be incomplete, so nothing was put out. Retry; if it happens again, report the request to the service's support",
		};
	}
	if (seen.has(nextCursor)) {
		return {
			message: `The list leads back to a page that was already read (request ${requestId})`,
			description:
				"It would never end, so nothing was put out. If the service names its cursor parameter differently, set 'Cursor Parameter' under 'Show Advanced Settings' of the credential",
		};
	}
	return { cursor: nextCursor };
}

/**
 * Reads a list up to its limit, each resource with the id of the request that brought it.
 *
 * @throws as {@link pages} does
 */
export async function readList(
	client: Client,
	node: INode,
	call: Call,
	{ limit = Infinity, ...rest }: ListOptions,
): Promise<Array<{ resource: IDataObject; requestId: string }>> {
	const found: Array<{ resource: IDataObject; requestId: string }> = [];
	for await (const { resources, requestId } of pages(client, node, call, rest)) {
		for (const resource of resources.slice(0, limit - found.length)) found.push({ resource, requestId });
		if (found.length >= limit) break;
	}
	return found;
}
