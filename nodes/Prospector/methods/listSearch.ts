import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError, type IDataObject, type JsonObject } from 'n8n-workflow';
import { isInvalid } from '../messages/userMessage';
import type { Client } from '../transport/request/client';
import { endpoints } from '../transport/request/endpoints';
import { inputError } from '../messages/nodeErrors';
import { paginate } from '../transport/request/pagination';
import { editorClient } from './editorClient';
import {
	disambiguateNames,
	hasValidId,
	matches,
	runListEntry,
	workflowListEntry,
	type ListEntry,
} from './listEntries';
import { decodePageToken, encodePageToken, type PageToken } from './position';

/** Pages of workflows read per answer while too little is found; then the person may load more. */
const MAX_PAGES = 5;
/** Run lists read per answer: each costs a request, on the same limit as production. */
const MAX_RUN_LISTS = 10;
/** Finds that end the reading while a filter is set: a short list cannot be scrolled to load more. */
const ENOUGH_FINDS = 20;

/**
 * Prospector workflows for the picker. The contract shows no search, so pages are read and filtered here.
 *
 * @param filter what the person typed
 * @param paginationToken where the previous answer ended
 * @throws NodeApiError when the list can't be read, NodeOperationError when the token was changed
 */
export async function searchWorkflows(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await editorClient(this);
	const position = positionIn(this, paginationToken);
	const results: ListEntry[] = [];
	let read = 0;
	for await (const { workflows, nextCursor } of workflowPages(client, position)) {
		const entries = workflows.map((workflow) => workflowListEntry(workflow, client.connection.pageUrls));
		const found = entries.filter((entry) => matches(entry, filter));
		for (const entry of found) results.push(entry);
		if (hasEnough(results, filter) || ++read === MAX_PAGES)
			return toSearchResult(results, { cursor: nextCursor });
	}
	return toSearchResult(results);
}

/**
 * Runs for the picker, newest first within one answer. The contract lists runs per Prospector workflow only, so they are
 * gone through workflow by workflow, as far as one answer may go.
 *
 * @param filter what the person typed
 * @param paginationToken where the previous answer ended
 * @throws NodeApiError when a list can't be read, NodeOperationError when the token was changed
 */
export async function searchRuns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await editorClient(this);
	const results: ListEntry[] = [];
	const position = positionIn(this, paginationToken);
	let { cursor, offset = 0, runsCursor } = position;
	let read = 0;
	let runLists = 0;
	for await (const { workflows, nextCursor } of workflowPages(client, position)) {
		for (; offset < workflows.length; offset++, runsCursor = undefined) {
			for await (const page of runPages(this, client, workflows[offset], runsCursor)) {
				const found = page.runs.filter((entry) => matches(entry, filter));
				for (const entry of found) results.push(entry);
				runsCursor = page.nextCursor;
				if (++runLists < MAX_RUN_LISTS) continue;
				const next = runsCursor === undefined ? { offset: offset + 1 } : { offset, runsCursor };
				return toSearchResult(results.sort(newestFirst), { cursor, ...next });
			}
		}
		[cursor, offset, runsCursor] = [nextCursor, 0, undefined];
		if (hasEnough(results, filter) || ++read === MAX_PAGES) {
			return toSearchResult(results.sort(newestFirst), { cursor });
		}
	}
	return toSearchResult(results.sort(newestFirst));
}

/** @throws NodeOperationError when the token was changed */
function positionIn(context: ILoadOptionsFunctions, paginationToken?: string): PageToken {
	const position = decodePageToken(paginationToken);
	if (isInvalid(position)) throw inputError(context.getNode(), position);
	return position.value;
}

async function* workflowPages(client: Client, { cursor }: PageToken) {
	const call = { endpoint: endpoints.listWorkflows };
	for await (const { resources, nextCursor } of paginate(client, call, { startCursor: cursor })) {
		yield { workflows: resources.filter(hasValidId), nextCursor };
	}
}

async function* runPages(
	context: ILoadOptionsFunctions,
	client: Client,
	workflow: IDataObject,
	startCursor?: string,
) {
	const call = { endpoint: endpoints.listRuns, ids: { workflow_id: String(workflow.id) } };
	const { pageUrls } = client.connection;
	try {
		for await (const { resources, nextCursor } of paginate(client, call, { startCursor })) {
			const runs = resources.filter(hasValidId);
			yield { runs: runs.map((run) => runListEntry(run, workflow, pageUrls)), nextCursor };
		}
	} catch (error) {
		// Deleted since its page was read: no reason to show nothing of the others.
		if ((error as NodeApiError).httpCode !== '404') {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
	}
}

/** @param next where the following answer begins; with neither cursor nor offset, there is none */
function toSearchResult(results: ListEntry[], next: PageToken = {}): INodeListSearchResult {
	const goesOn = next.cursor !== undefined || next.offset !== undefined;
	return {
		results: disambiguateNames(results).map(asItem),
		paginationToken: goesOn ? encodePageToken(next) : undefined,
	};
}

const hasEnough = (results: ListEntry[], filter?: string) => results.length >= (filter ? ENOUGH_FINDS : 1);

const newestFirst = (a: ListEntry, b: ListEntry) => b.createdAt.localeCompare(a.createdAt);

const asItem = ({ name, value, url }: ListEntry): INodeListSearchItems => ({
	name,
	value,
	...(url && { url }),
});
