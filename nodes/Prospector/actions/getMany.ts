import type { IDataObject } from 'n8n-workflow';
import { fail } from '../messages/userMessage';
import { differs, selectFields, toOutputItem } from '../model/resource';
import { matchesStatus, statusOf } from '../model/runStatus';
import type { ListFilters } from '../parameters/listFilters';
import type { GetManyOptions } from '../parameters/getManyOptions';
import type { ApiRequest } from '../api/apiRequest';
import { endpointPath } from '../api/endpoints';
import { collectItems, firstNonEmptyPage } from '../transport/request/pagination';
import { parseTimestamp, shortHash, toText } from '../utils';
import type { ItemContext } from './operation';
import { readListPart, takeListPart } from './readListPart';

/**
 * @param extraFields further fields of every output item
 * @throws RequestError; UserError for filters with *Return One Page*
 */
export async function getMany(
	{ client, hints, isTool, answerSource, fieldSelection }: ItemContext,
	requestWithoutFilters: ApiRequest,
	{ isOnePage, limit = Infinity, pageSize, startCursor }: GetManyOptions,
	filters: ListFilters,
	extraFields: IDataObject = {},
): Promise<IDataObject[]> {
	const { query, statuses = [], sort } = filters;
	const request = { ...requestWithoutFilters, query };
	const onListTruncated = () => hints.add('truncatedList', '', true);
	const onListChanged = () => hints.add('changedList', '', true);
	const { run_id: runId } = extraFields;
	const toItem = (resource: IDataObject, requestId: string) => {
		const item = toOutputItem(resource, requestId, extraFields);
		if (runId !== undefined && differs(item.run_id, String(runId)))
			hints.add('resultOfOtherRun', String(runId), toText(item.run_id));
		return item;
	};
	const needsWholeList = statuses.length > 0 || sort !== undefined;
	const listKeyForTool = () => {
		const path = endpointPath(request.endpoint, request.ids);
		return shortHash(JSON.stringify([client.connection.apiKey, path, query, statuses, sort]));
	};
	if (isTool && !needsWholeList) {
		// Only what the model gets counts for the size of the answer.
		const toSelectedItem: typeof toItem = (...args) => selectFields(toItem(...args), fieldSelection);
		answerSource.list = await readListPart({
			...{ client, request, pageSize, startCursor, limit },
			...{ listKey: listKeyForTool(), toItem: toSelectedItem },
		});
		return answerSource.list.items;
	}
	if (isOnePage) {
		if (needsWholeList) {
			fail("'Status' and 'Sort' need the whole list", "Remove them, or turn off 'Return One Page'");
		}
		const page = await firstNonEmptyPage(client, request, { pageSize, startCursor });
		if (page === undefined) return [];
		return page.resources.map((resource) => ({
			...toItem(resource, page.requestId),
			next_cursor: page.nextCursor ?? null,
		}));
	}
	const options = { pageSize, onListChanged, onListTruncated, limit: needsWholeList ? Infinity : limit };
	const items = filterAndSort(await collectItems(client, request, options, toItem), statuses, sort);
	if (isTool) {
		answerSource.list = takeListPart(items, listKeyForTool(), limit, startCursor);
		return answerSource.list.items;
	}
	// The first items of a sorted list are what was asked for.
	if (items.length > limit && sort === undefined) onListTruncated();
	return items.slice(0, limit);
}

/** Returns the items with a wanted status, in the wanted order; items without a creation time come last. */
function filterAndSort(items: IDataObject[], statuses: string[], sort: ListFilters['sort']): IDataObject[] {
	const keptItems = items.filter((item) => statuses.length === 0 || matchesStatus(statusOf(item), statuses));
	if (sort === undefined) return keptItems;
	const sortDirection = sort === 'newestFirst' ? -1 : 1;
	// Parsed once per item, not once per comparison.
	const sortableItems = keptItems.map((item) => {
		const createdAtMs = parseTimestamp(item.created_at);
		return { item, sortPosition: createdAtMs === undefined ? Number.MAX_VALUE : createdAtMs * sortDirection };
	});
	return sortableItems.sort((a, b) => a.sortPosition - b.sortPosition).map(({ item }) => item);
}
