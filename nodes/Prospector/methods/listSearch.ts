import { jsonParse, type IDataObject, type INodeListSearchResult } from 'n8n-workflow';
import { invalid } from '../messages/userMessage';
import { hasValidId } from '../model/resource';
import { hasStatus } from '../api/failure/requestError';
import { endpoints } from '../api/endpoints';
import { paginate } from '../transport/request/pagination';
import { isObject } from '../utils';
import type { Editor } from './editorMethod';
import { type ListEntry, matches, runListEntry, toSearchItems, workflowListEntry } from './listEntries';

/** Pages of Prospector workflows to read at once while too little is found; then the person can load more. */
const MAX_PAGES = 5;
/** Lists of runs to read at once. Each costs a request of the same limit as production. */
const MAX_RUN_LISTS = 10;
/** Enough matches of a filter: in a shorter list, a person can't scroll to load more. */
const ENOUGH_MATCHES = 20;

/**
 * Searches Prospector workflows. The contract shows no search, so pages are read and filtered here.
 *
 * @param filter what the person typed
 * @param paginationToken of the previous result
 * @throws RequestError; UserError when the token is invalid
 */
export async function searchWorkflows(
	editor: Editor,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const entries: ListEntry[] = [];
	let pagesRead = 0;
	for await (const page of workflowPages(editor, decodePageToken(paginationToken))) {
		const listed = page.workflows.map((workflow) => workflowListEntry(workflow, editor.pageUrls));
		for (const entry of listed) if (matches(entry, filter)) entries.push(entry);
		if (hasEnough(entries, filter) || ++pagesRead === MAX_PAGES) {
			return toSearchResult(entries, { cursor: page.nextCursor });
		}
	}
	return toSearchResult(entries);
}

/**
 * Searches runs, newest first within one result. The contract lists the runs of one Prospector workflow at a time, so
 * these lists are read one by one.
 *
 * @param filter what the person typed
 * @param paginationToken of the previous result
 * @throws RequestError; UserError when the token is invalid
 */
export async function searchRuns(
	editor: Editor,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const entries: ListEntry[] = [];
	const token = decodePageToken(paginationToken);
	let { cursor, offset = 0, runsCursor } = token;
	let pagesRead = 0;
	let runListsRead = 0;
	for await (const { workflows, nextCursor } of workflowPages(editor, token)) {
		for (; offset < workflows.length; offset++, runsCursor = undefined) {
			for await (const page of runPages(editor, workflows[offset], runsCursor)) {
				for (const entry of page.runs) if (matches(entry, filter)) entries.push(entry);
				runsCursor = page.nextCursor;
				if (++runListsRead < MAX_RUN_LISTS) continue;
				const next = runsCursor === undefined ? { offset: offset + 1 } : { offset, runsCursor };
				return toSearchResult(entries.sort(newestFirst), { cursor, ...next });
			}
		}
		[cursor, offset, runsCursor] = [nextCursor, 0, undefined];
		if (hasEnough(entries, filter) || ++pagesRead === MAX_PAGES) {
			return toSearchResult(entries.sort(newestFirst), { cursor });
		}
	}
	return toSearchResult(entries.sort(newestFirst));
}

/** n8n shows a list of options as a whole. */
const MAX_OPTIONS = 1000;

/** Returns Prospector workflows as a list of options. @throws RequestError */
export async function getWorkflows(editor: Editor) {
	const entries: ListEntry[] = [];
	for await (const { workflows } of workflowPages(editor, {})) {
		for (const workflow of workflows) entries.push(workflowListEntry(workflow));
		if (entries.length >= MAX_OPTIONS) break;
	}
	return toSearchItems(entries);
}

async function* workflowPages({ client }: Editor, { cursor }: PageToken) {
	const request = { endpoint: endpoints.listWorkflows };
	for await (const { resources, nextCursor } of paginate(client, request, { startCursor: cursor })) {
		yield { workflows: resources.filter(hasValidId), nextCursor };
	}
}

async function* runPages({ client, pageUrls }: Editor, workflow: IDataObject, startCursor?: string) {
	const request = { endpoint: endpoints.listRuns, ids: { workflow_id: String(workflow.id) } };
	let failure: unknown;
	try {
		for await (const { resources, nextCursor } of paginate(client, request, { startCursor })) {
			const runs = resources.filter(hasValidId).map((run) => runListEntry(run, workflow, pageUrls));
			yield { runs, nextCursor };
		}
	} catch (thrown) {
		failure = thrown;
	}
	// The Prospector workflow may have been deleted since its page was read.
	if (failure !== undefined && !hasStatus(failure, 404)) throw failure;
}

/** @param next where the next result starts; without cursor and offset, there is none */
function toSearchResult(entries: ListEntry[], next: PageToken = {}): INodeListSearchResult {
	const hasMore = next.cursor !== undefined || next.offset !== undefined;
	return {
		results: toSearchItems(entries),
		paginationToken: hasMore ? JSON.stringify(next) : undefined,
	};
}

const hasEnough = (entries: ListEntry[], filter?: string) => entries.length >= (filter ? ENOUGH_MATCHES : 1);

const newestFirst = (a: ListEntry, b: ListEntry) => b.createdAt.localeCompare(a.createdAt);

/** Where the next search result starts. The editor keeps it as JSON. */
interface PageToken {
	/** Of the page of Prospector workflows; the first if absent. */
	cursor?: string;
	/** Number of Prospector workflows of that page to skip. */
	offset?: number;
	/** Of the page of runs of the next Prospector workflow; the first if absent. */
	runsCursor?: string;
}

/**
 * Returns the token, which may have been changed on its way through the browser. Text that is not JSON is a cursor.
 *
 * @throws UserError
 */
function decodePageToken(token: unknown): PageToken {
	if (token === undefined || token === null || token === '') return {};
	const parsed =
		typeof token === 'string' ? jsonParse<unknown>(token, { fallbackValue: { cursor: token } }) : undefined;
	if (isPageToken(parsed)) return parsed;
	return invalid(
		"The list can't be continued from here",
		'Search again, or close the list and open it again',
	);
}

function isPageToken(value: unknown): value is PageToken {
	if (!isObject(value)) return false;
	const { cursor, offset, runsCursor, ...others } = value;
	const isOffset = typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0;
	return (
		[cursor, runsCursor].every((one) => one === undefined || (typeof one === 'string' && one !== '')) &&
		(offset === undefined || isOffset) &&
		Object.keys(others).length === 0
	);
}
