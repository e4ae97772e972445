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

/** @throws RequestError; UserError for filters with *Return One Page* */
export async function getMany(
	itemContext: ItemContext,
	listRequest: ApiRequest,
	options: ReadOptions,
): Promise<IDataObject[]> {
	const { client, context, hints, isTool, selector } = itemContext;
	const { isOnePage, limit = Infinity, pageSize, startCursor, query = {}, statuses = [], sort } = options;
	const { extraFields = {}, addDerivedFields = (resource) => resource, resultsOfRun } = options;
	const { onListChanged = () => hints.add('changedList') } = options;
	const { turns } = client;
	const request = { ...listRequest, query };
	const needsWholeList = statuses.length > 0 || sort !== undefined;

	function createMapper(pageFields: IDataObject = {}): typeof toOutputItem {
		const { run_id: runId } = extraFields;
		const map = selector.createMapper({ ...extraFields, ...pageFields });
		return (resource, requestId) => {
			if (runId !== undefined && namesAnother(resource.run_id, String(runId)))
				hints.add('resultOfOtherRun', String(runId), toText(resource.run_id));
			return map(addDerivedFields(resource), requestId);
		};
	}

	function addTruncationHint(): void {
		// n8n itself says so for a single item (n8n-behaviour.md#hints).
		if (context.getInputData().length > 1) hints.add('truncatedList');
	}

	async function readOnePage(): Promise<IDataObject[]> {
		const pages = paginate(client, request, { pageSize, startCursor });
		for await (const { data, requestId, hasMore, nextCursor } of pages) {
			// A page without items would end a loop of the n8n workflow, so the next one is read. If there should be a next page,
			// but its cursor is missing, `paginate` throws in its next step.
			if (data.length === 0 || (hasMore && nextCursor === undefined)) continue;
			const map = createMapper({ next_cursor: nextCursor ?? null });
			return await turns.map(data, (resource) => map(resource, requestId));
		}
		return [];
	}

	async function readItems(toItem: typeof toOutputItem, maxItems?: number): Promise<IDataObject[]> {
		const listOptions = { limit: maxItems, pageSize, onListTruncated: addTruncationHint, onListChanged };
		return await collectItems(client, request, listOptions, toItem);
	}

	/** Returns all items with a wanted status, in the wanted order. Items without a creation time come last. */
	async function readFilteredItems(): Promise<IDataObject[]> {
		// The fields are selected last, because the user may not have selected the status and the creation time.
		const allItems = await readItems((resource, requestId) =>
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

	/** Returns as much of the list as fits into an answer. */
	async function answerTool(): Promise<IDataObject[]> {
		const allItems = needsWholeList ? await readFilteredItems() : undefined;
		// The same for a list in all operations that read it, because a model passes cursors from one to another.
		const path = endpointPath(request.endpoint, request.ids);
		const listKey = shortHash(JSON.stringify([client.connection.apiKey, path, query, statuses, sort]));
		return await answerWithList({
			...{ limit, startCursor, resultsOfRun, listKey, turns },
			pagesFrom: (cursor) =>
				allItems
					? [{ data: allItems, requestId: '' }]
					: paginate(client, request, { pageSize, startCursor: cursor }),
			// The fields are selected first, because the size of the answer counts only what the model gets.
			toItem: allItems ? (item) => item : createMapper(),
		});
	}

	if (isOnePage && needsWholeList)
		throwUserError("'Status' and 'Sort' need the whole list", "Remove them, or turn off 'Return One Page'");
	if (isTool) return await answerTool();
	if (isOnePage) return await readOnePage();
	if (!needsWholeList) return await readItems(createMapper(), limit);
	const items = await readFilteredItems();
	// The first items of a sorted list are what was asked for.
	if (items.length > limit && sort === undefined) addTruncationHint();
	return items.slice(0, limit);
}
