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
	const { query, statuses = [], sort } = filters;
	requireUnreservedNames(query, client);
	const request = { ...unfilteredRequest, query };
	const onTruncated = () => {
		answer.hasMore = true;
		hints.truncatedLists++;
	};
	const onChanged = () => hints.changedLists++;
	const toItem = (resource: IDataObject, requestId: string) => toOutputItem(resource, requestId, extraFields);
	const needsWholeList = statuses.length > 0 || sort !== undefined;
	if (onePage) {
		if (needsWholeList) {
			invalid("'Status' and 'Sort' need the whole list", "Remove them, or turn off 'Return One Page'");
		}
		const page = await firstNonEmptyPage(client, request, { pageSize, startCursor });
		if (page === undefined) return [];
		const pageFields = { ...extraFields, next_cursor: page.nextCursor ?? null };
		return page.resources.map((resource) => toOutputItem(resource, page.requestId, pageFields));
	}
	answer.startAt = startAt;
	const skipped = startAt - 1;
	const limit = count + skipped;
	const options = { pageSize, onChanged, onTruncated, limit: needsWholeList ? Infinity : limit };
	const items = applyFilters(await collectItems(client, request, options, toItem), statuses, sort);
	answer.hasMore ||= items.length > limit;
	// The first items of a sorted list are what was asked for.
	if (items.length > limit && sort === undefined) hints.truncatedLists++;
	return items.slice(skipped, limit);
}

/** Returns the items with a wanted status, in the wanted order; items without a creation time come last. */
function applyFilters(items: IDataObject[], statuses: string[], sort: ListFilters['sort']): IDataObject[] {
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
function requireUnreservedNames(query: ListFilters['query'], { connection }: Client): void {
	const reserved = [
		[connection.cursorParameter, 'Start Cursor'],
		[connection.pageSizeParameter, 'Page Size'],
	];
	for (const [name, label] of reserved) {
		if (!Object.hasOwn(query, name)) continue;
		invalid(`'${name}' can't be in 'Query Parameters'`, `Use '${label}' under Options`);
	}
}
