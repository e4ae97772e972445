// Reads a list for an operation: all of it, up to a limit, one page, or a part for a tool. Called by each Get Many and
// for the results of a run; no ID is returned twice.
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
	/** Adds fields that follow from those of the resource. */
	addDerivedFields?: (resource: IDataObject) => IDataObject;
}

interface ListToRead extends Required<ItemDetails> {
	itemContext: ItemContext;
	request: ApiRequest;
	options: GetManyOptions;
	filters: ListFilters;
}

/** @throws RequestError; UserError for filters with *Return One Page* */
export async function getMany(
	itemContext: ItemContext,
	requestWithoutFilters: ApiRequest,
	options: GetManyOptions,
	filters: ListFilters,
	{ extraFields = {}, addDerivedFields = (resource) => resource }: ItemDetails = {},
): Promise<IDataObject[]> {
	const { answerSource, client, isTool } = itemContext;
	const { isOnePage, limit = Infinity, pageSize, startCursor } = options;
	const { query, statuses = [], sort } = filters;
	const request = { ...requestWithoutFilters, query };
	const list: ListToRead = { itemContext, request, options, filters, extraFields, addDerivedFields };
	const needsWholeList = statuses.length > 0 || sort !== undefined;
	if (isOnePage && needsWholeList)
		fail("'Status' and 'Sort' need the whole list", "Remove them, or turn off 'Return One Page'");
	itemContext.hasSelectedFields = true;
	if (isTool) {
		const part = { client, limit, startCursor, listKey: listKeyOf(list) };
		answerSource.list = needsWholeList
			? await takeListPart(await readFilteredItems(list), part)
			: // Only what the model gets counts for the size of the answer.
				await readListPart({ ...part, request, pageSize, toItem: createMapper(list) });
		return answerSource.list.items;
	}
	if (isOnePage) return await readOnePage(list);
	if (!needsWholeList) return await readItems(list, createMapper(list), limit);
	const items = await readFilteredItems(list);
	// The first items of a sorted list are what was asked for.
	if (items.length > limit && sort === undefined) addTruncationHint(itemContext);
	return items.slice(0, limit);
}

function listKeyOf({ itemContext, request: { endpoint, ids }, filters }: ListToRead): string {
	const { query, statuses = [], sort } = filters;
	const { apiKey } = itemContext.client.connection;
	return shortHash(JSON.stringify([apiKey, endpointPath(endpoint, ids), query, statuses, sort]));
}

async function readOnePage(list: ListToRead): Promise<IDataObject[]> {
	const { client } = list.itemContext;
	const page = await firstNonEmptyPage(client, list.request, list.options);
	if (page === undefined) return [];
	const map = createMapper(list, { next_cursor: page.nextCursor ?? null });
	return await client.turns.map(page.resources, (resource) => map(resource, page.requestId));
}

async function readItems(
	{ itemContext, request, options: { pageSize } }: ListToRead,
	toItem: typeof toOutputItem,
	limit?: number,
): Promise<IDataObject[]> {
	const { client, hints } = itemContext;
	const onListTruncated = () => addTruncationHint(itemContext);
	const onListChanged = () => hints.add('changedList', '', true);
	return await collectItems(client, request, { limit, pageSize, onListTruncated, onListChanged }, toItem);
}

function addTruncationHint({ context, hints }: ItemContext): void {
	// n8n itself says so for a single item (n8n-behaviour.md#hints).
	if (context.getInputData().length > 1) hints.add('truncatedList', '', true);
}

/** Returns a function that turns a resource into an output item with the selected fields. */
function createMapper(list: ListToRead, pageFields: IDataObject = {}): typeof toOutputItem {
	const { itemContext, extraFields, addDerivedFields } = list;
	const { hints, selector } = itemContext;
	const { run_id: runId } = extraFields;
	const map = selector.createMapper({ ...extraFields, ...pageFields });
	return (resource, requestId) => {
		if (runId !== undefined && differs(resource.run_id, String(runId)))
			hints.add('resultOfOtherRun', String(runId), toText(resource.run_id));
		return map(addDerivedFields(resource), requestId);
	};
}

/** Returns all items with a wanted status, in the wanted order, with the selected fields. */
async function readFilteredItems(list: ListToRead): Promise<IDataObject[]> {
	const { itemContext, extraFields, addDerivedFields } = list;
	const { turns } = itemContext.client;
	// The order and the status may not be selected.
	const allItems = await readItems(list, (resource, requestId) =>
		toOutputItem(addDerivedFields(resource), requestId, extraFields),
	);
	return await turns.map(await filterAndSort(allItems, list.filters, turns), itemContext.selector.select);
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
