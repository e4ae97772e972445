import type { IDataObject } from 'n8n-workflow';
import { fail } from '../messages/userMessage';
import { differs, toOutputItem } from '../model/resource';
import { matchesStatus, statusOf } from '../model/runStatus';
import type { ListFilters } from '../parameters/listFilters';
import type { GetManyOptions } from '../parameters/getManyOptions';
import type { ApiRequest } from '../api/apiRequest';
import { endpointPath } from '../api/endpoints';
import { collectItems, firstNonEmptyPage } from '../transport/request/pagination';
import type { Turns } from '../transport/turns';
import { parseTimestamp, shortHash, toText } from '../utils';
import type { ItemContext } from './operation';
import { readListPart, takeListPart } from './readListPart';

/** What becomes of the resources of a list. */
interface ItemDetails {
	/** Further fields of every output item. */
	extraFields?: IDataObject;
	/** Adds fields to a resource. */
	complete?: (resource: IDataObject) => IDataObject;
}

/**
 * @throws RequestError; UserError for filters with *Return One Page*
 */
export async function getMany(
	itemContext: ItemContext,
	requestWithoutFilters: ApiRequest,
	{ isOnePage, limit = Infinity, pageSize, startCursor }: GetManyOptions,
	filters: ListFilters,
	{ extraFields = {}, complete = (resource) => resource }: ItemDetails = {},
): Promise<IDataObject[]> {
	const { client, context, hints, isTool, answerSource, selector } = itemContext;
	const { query, statuses = [], sort } = filters;
	const request = { ...requestWithoutFilters, query };
	// n8n itself says so for a single item.
	const onListTruncated = () => {
		if (context.getInputData().length > 1) hints.add('truncatedList', '', true);
	};
	const onListChanged = () => hints.add('changedList', '', true);
	const { run_id: runId } = extraFields;
	const createMapper = (addedFields: IDataObject) => {
		const map = selector.createMapper(addedFields);
		return (resource: IDataObject, requestId: string) => {
			if (runId !== undefined && differs(resource.run_id, String(runId)))
				hints.add('resultOfOtherRun', String(runId), toText(resource.run_id));
			return map(complete(resource), requestId);
		};
	};
	itemContext.hasSelectedFields = true;
	const needsWholeList = statuses.length > 0 || sort !== undefined;
	const listKeyForTool = () => {
		const path = endpointPath(request.endpoint, request.ids);
		return shortHash(JSON.stringify([client.connection.apiKey, path, query, statuses, sort]));
	};
	if (isTool && !needsWholeList) {
		// Only what the model gets counts for the size of the answer.
		answerSource.list = await readListPart({
			...{ client, request, pageSize, startCursor, limit },
			...{ listKey: listKeyForTool(), toItem: createMapper(extraFields) },
		});
		return answerSource.list.items;
	}
	if (isOnePage) {
		if (needsWholeList) {
			fail("'Status' and 'Sort' need the whole list", "Remove them, or turn off 'Return One Page'");
		}
		const page = await firstNonEmptyPage(client, request, { pageSize, startCursor });
		if (page === undefined) return [];
		const map = createMapper({ ...extraFields, next_cursor: page.nextCursor ?? null });
		return await client.turns.map(page.resources, (resource) => map(resource, page.requestId));
	}
	const options = { pageSize, onListChanged, onListTruncated };
	if (!isTool && !needsWholeList)
		return await collectItems(client, request, { ...options, limit }, createMapper(extraFields));
	// The order and the status may not be selected.
	const allItems = await collectItems(client, request, options, (resource, requestId) =>
		toOutputItem(complete(resource), requestId, extraFields),
	);
	const items = await client.turns.map(await filterAndSort(allItems, filters, client.turns), selector.select);
	if (isTool) {
		answerSource.list = await takeListPart(items, { client, limit, listKey: listKeyForTool(), startCursor });
		return answerSource.list.items;
	}
	// The first items of a sorted list are what was asked for.
	if (items.length > limit && sort === undefined) onListTruncated();
	return items.slice(0, limit);
}

/** Returns the items with a wanted status, in the wanted order; items without a creation time come last. */
async function filterAndSort(
	items: IDataObject[],
	{ statuses = [], sort }: ListFilters,
	turns: Turns,
): Promise<IDataObject[]> {
	if (statuses.length === 0 && sort === undefined) return items;
	const sortDirection = sort === 'newestFirst' ? -1 : 1;
	// Parsed once per item, not once per comparison.
	const sortableItems = await turns.map(items, (item) => {
		const createdAtMs = parseTimestamp(item.created_at);
		const isWanted = statuses.length === 0 || matchesStatus(statusOf(item), statuses);
		const sortPosition = createdAtMs === undefined ? Number.MAX_VALUE : createdAtMs * sortDirection;
		return { item, sortPosition, isWanted };
	});
	const wantedItems = sortableItems.filter((sortableItem) => sortableItem.isWanted);
	if (sort === undefined) return wantedItems.map(({ item }) => item);
	const sortedItems = await turns.sort(wantedItems, (a, b) => a.sortPosition - b.sortPosition);
	return sortedItems.map(({ item }) => item);
}
