// Reads a list for an operation: all of it, up to a limit, one page, or a part for a tool. Called by each Get Many and
// for the results of a run; no ID is returned twice, except in one page, which is returned as it is.
import type { IDataObject } from 'n8n-workflow';
import { throwUserError } from '../messages/userMessage';
import { namesAnother, toOutputItem } from '../model/resource';
import { matchesStatus, statusOf } from '../model/runStatus';
import type { GetManyOptions, ListFilters } from '../parameters/getManyOptions';
import type { ApiRequest } from '../api/apiRequest';
import { endpointPath } from '../api/endpoints';
import { collectItems, paginate } from '../transport/request/pagination';
import { parseTimestamp, shortHash, toText } from '../utils';
import type { ItemContext } from './operation';
import { answerWithList } from './toolAnswer';

/** What to read of a list, and what becomes of its resources. */
interface ReadOptions extends Partial<GetManyOptions>, Partial<ListFilters> {
	/** Further fields of every output item. */
	extraFields?: IDataObject;
	/** Adds fields that follow from those of the resource. */
	addDerivedFields?: (resource: IDataObject) => IDataObject;
	/** Called, instead of adding a hint, if the list changed while it was read. */
	onListChanged?: () => void;
	/** The run whose results are read, if the operation also waits for it. */
	resultsOfRun?: string;
}

type ListToRead = ReadOptions &
	Required<Pick<ReadOptions, 'statuses' | 'extraFields' | 'addDerivedFields'>> & {
		itemContext: ItemContext;
		request: ApiRequest;
	};

/** @throws RequestError; UserError for filters with *Return One Page* */
export async function getMany(
	itemContext: ItemContext,
	request: ApiRequest,
	options: ReadOptions,
): Promise<IDataObject[]> {
	const { client, hints, isTool } = itemContext;
	const { isOnePage, limit = Infinity, pageSize, startCursor, query = {}, statuses = [], sort } = options;
	const { resultsOfRun } = options;
	const onListChanged = () => hints.add('changedList');
	const defaults = { extraFields: {}, addDerivedFields: (resource: IDataObject) => resource, onListChanged };
	const list = { ...defaults, ...options, itemContext, request: { ...request, query }, statuses };
	const needsWholeList = statuses.length > 0 || sort !== undefined;
	if (isOnePage && needsWholeList)
		throwUserError("'Status' and 'Sort' need the whole list", "Remove them, or turn off 'Return One Page'");
	if (isTool) {
		const allItems = needsWholeList ? await readFilteredItems(list) : undefined;
		return await answerWithList({
			limit,
			startCursor,
			resultsOfRun,
			listKey: listKeyOf(list),
			turns: client.turns,
			pagesFrom: (cursor) =>
				allItems
					? [{ data: allItems, requestId: '' }]
					: paginate(client, list.request, { pageSize, startCursor: cursor }),
			// The fields are selected first, because the size of the answer counts only what the model gets.
			toItem: allItems ? (item) => item : createMapper(list),
		});
	}
	if (isOnePage) return await readOnePage(list);
	if (!needsWholeList) return await readItems(list, createMapper(list), limit);
	const items = await readFilteredItems(list);
	// The first items of a sorted list are what was asked for.
	if (items.length > limit && sort === undefined) addTruncationHint(itemContext);
	return items.slice(0, limit);
}

/** Returns the same key for a list in all operations that read it, because a model passes cursors from one to another. */
function listKeyOf({ itemContext, request: { endpoint, ids, query }, statuses, sort }: ListToRead): string {
	const { apiKey } = itemContext.client.connection;
	return shortHash(JSON.stringify([apiKey, endpointPath(endpoint, ids), query, statuses, sort]));
}

async function readOnePage(list: ListToRead): Promise<IDataObject[]> {
	const { itemContext, request, pageSize, startCursor } = list;
	const { client } = itemContext;
	const pages = paginate(client, request, { pageSize, startCursor });
	for await (const { data, requestId, hasMore, nextCursor } of pages) {
		// Without items, a loop of the n8n workflow would end. Without the next cursor, `paginate` throws in its next step.
		if (data.length === 0 || (hasMore && nextCursor === undefined)) continue;
		const map = createMapper(list, { next_cursor: nextCursor ?? null });
		return await client.turns.map(data, (resource) => map(resource, requestId));
	}
	return [];
}

async function readItems(
	{ itemContext, request, pageSize, onListChanged }: ListToRead,
	toItem: typeof toOutputItem,
	limit?: number,
): Promise<IDataObject[]> {
	const { client } = itemContext;
	const onListTruncated = () => addTruncationHint(itemContext);
	const listOptions = { limit, pageSize, onListTruncated, onListChanged };
	return await collectItems(client, request, listOptions, toItem);
}

function addTruncationHint({ context, hints }: ItemContext): void {
	// n8n itself says so for a single item (n8n-behaviour.md#hints).
	if (context.getInputData().length > 1) hints.add('truncatedList');
}

function createMapper(list: ListToRead, pageFields: IDataObject = {}): typeof toOutputItem {
	const { itemContext, extraFields, addDerivedFields } = list;
	const { hints, selector } = itemContext;
	const { run_id: runId } = extraFields;
	const map = selector.createMapper({ ...extraFields, ...pageFields });
	return (resource, requestId) => {
		if (runId !== undefined && namesAnother(resource.run_id, String(runId)))
			hints.add('resultOfOtherRun', String(runId), toText(resource.run_id));
		return map(addDerivedFields(resource), requestId);
	};
}

/** Returns all items with a wanted status, in the wanted order. Items without a creation time come last. */
async function readFilteredItems(list: ListToRead): Promise<IDataObject[]> {
	const { itemContext, extraFields, addDerivedFields, statuses, sort } = list;
	const { client, selector } = itemContext;
	const { turns } = client;
	// The fields are selected last, because the user may not have selected the status and the creation time.
	const allItems = await readItems(list, (resource, requestId) =>
		toOutputItem(addDerivedFields(resource), requestId, extraFields),
	);
	const sortDirection = sort === 'newestFirst' ? -1 : 1;
	const entries = await turns.map(allItems, (item) => {
		const createdAtMs = parseTimestamp(item.created_at);
		const isWanted = statuses.length === 0 || matchesStatus(statusOf(item), statuses);
		const position = createdAtMs === undefined ? Number.MAX_VALUE : createdAtMs * sortDirection;
		return { item, isWanted, position };
	});
	const wantedEntries = entries.filter(({ isWanted }) => isWanted);
	const sortedEntries =
		sort === undefined ? wantedEntries : await turns.sort(wantedEntries, (a, b) => a.position - b.position);
	return await turns.map(sortedEntries, ({ item }) => selector.select(item));
}
