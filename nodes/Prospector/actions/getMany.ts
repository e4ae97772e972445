import type { IDataObject } from 'n8n-workflow';
import { invalid } from '../messages/userMessage';
import { toOutputItem } from '../model/resource';
import { matchesStatus, statusOf } from '../model/runStatus';
import type { ListFilters } from '../parameters/listFilters';
import type { GetManyOptions } from '../parameters/getManyOptions';
import type { ApiRequest } from '../api/apiRequest';
import type { Client } from '../transport/request/client';
import { collectItems, firstNonEmptyPage } from '../transport/request/pagination';
import { parseTimestamp } from '../utils';
import type { ItemContext } from './operation';

/**
 * @param extraFields further fields of every output item
 * @throws RequestError; UserError if the filters can't be used
 */
export async function getMany(
	{ client, hints, answer }: ItemContext,
	unfilteredRequest: ApiRequest,
	{ onePage, startAt, limit: count = Infinity, pageSize, startCursor }: GetManyOptions,
	filters: ListFilters,
	extraFields: IDataObject = {},
): Promise<IDataObject[]> {
	requireUnreservedNames(filters, client);
	const request = { ...unfilteredRequest, query: filters.query };
	const onTruncated = () => {
		answer.hasMore = true;
		hints.truncatedLists++;
	};
	const onChanged = () => hints.changedLists++;
	const toItem = (resource: IDataObject, requestId: string) => toOutputItem(resource, requestId, extraFields);
	const needsWholeList = filters.statuses.length > 0 || filters.sort !== undefined;
	if (onePage) {
		if (needsWholeList) {
			invalid(
				"'Status' and 'Sort' need the whole list",
				"Remove them from 'Filters', or turn off 'Return One Page' under Options",
			);
		}
		const page = await firstNonEmptyPage(client, request, { pageSize, startCursor });
		if (page === undefined) return [];
		const pageFields = { ...extraFields, next_cursor: page.nextCursor ?? null };
		return page.resources.map((resource) => toOutputItem(resource, page.requestId, pageFields));
	}
	answer.startAt = startAt;
	const skipped = startAt - 1;
	const limit = count + skipped;
	if (!needsWholeList) {
		const options = { pageSize, limit, onTruncated, onChanged };
		return (await collectItems(client, request, options, toItem)).slice(skipped);
	}
	const items = applyFilters(await collectItems(client, request, { pageSize, onChanged }, toItem), filters);
	answer.hasMore = items.length > limit;
	// The first items of a sorted list are what was asked for.
	if (answer.hasMore && filters.sort === undefined) hints.truncatedLists++;
	return items.slice(skipped, limit);
}

/** Returns the items with a wanted status, in the wanted order; items without a creation time come last. */
function applyFilters(items: IDataObject[], { statuses, sort }: ListFilters): IDataObject[] {
	const wanted = items.filter((item) => statuses.length === 0 || matchesStatus(statusOf(item), statuses));
	if (sort === undefined) return wanted;
	const direction = sort === 'newestFirst' ? -1 : 1;
	// Parsed once per item, not once per comparison.
	const timed = wanted.map((item) => {
		const timeMs = parseTimestamp(item.created_at);
		return { item, position: timeMs === undefined ? Number.MAX_VALUE : timeMs * direction };
	});
	return timed.sort((a, b) => a.position - b.position).map(({ item }) => item);
}

/** The node sets these query parameters itself. @throws UserError */
function requireUnreservedNames({ query }: ListFilters, { connection }: Client): void {
	const reserved = [
		[connection.cursorParameter, 'Start Cursor'],
		[connection.pageSizeParameter, 'Page Size'],
	];
	for (const [name, label] of reserved) {
		if (!Object.hasOwn(query, name)) continue;
		invalid(`'${name}' can't be in 'Query Parameters'`, `Use '${label}' under Options`);
	}
}
