import type { IDataObject } from 'n8n-workflow';
import { toOutputItem } from '../model/resource';
import type { GetManyOptions } from '../parameters/getMany';
import type { ApiRequest } from '../transport/request/apiRequest';
import { collectItems, firstNonEmptyPage } from '../transport/request/pagination';
import type { ItemContext } from './operation';

/** @throws RequestError */
export async function getMany(
	{ client, hints }: ItemContext,
	request: ApiRequest,
	{ onePage, ...options }: GetManyOptions,
): Promise<IDataObject[]> {
	if (!onePage) {
		const onTruncated = () => hints.truncatedLists++;
		return await collectItems(client, request, { ...options, onTruncated }, toOutputItem);
	}
	const page = await firstNonEmptyPage(client, request, options);
	if (page === undefined) return [];
	const nextCursor = { next_cursor: page.nextCursor ?? null };
	return page.resources.map((resource) => toOutputItem(resource, page.requestId, nextCursor));
}
