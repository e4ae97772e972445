import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';
import { endpoints } from '../api/endpoints';
import { hasStatus } from '../api/failure/requestError';
import { hasValidId } from '../model/resource';
import { paginate } from '../transport/request/pagination';
import { toText } from '../utils';
import type { Editor } from './editorMethod';
import {
	compareByAge,
	type ListEntry,
	matches,
	runListEntry,
	toSearchItems,
	workflowListEntry,
} from './listEntries';

/** Pages of Prospector workflows to read for one search. */
const MAX_WORKFLOW_PAGES = 5;
/** Enough matches of a filter: in a shorter list, a person can't scroll to load more. */
const ENOUGH_MATCHES = 20;
const MAX_RUN_LISTS = 10;
/** Each costs a request of the same limit as production. */
const MAX_RUN_PAGES = 10;
/** n8n shows a list of options as a whole. */
const MAX_OPTIONS = 1000;

/**
 * Searches Prospector workflows. The contract shows no search, so pages are read and filtered here.
 *
 * @param filter what the person typed
 * @param paginationToken the cursor that the previous result returned
 * @throws RequestError
 */
export async function searchWorkflows(
	editor: Editor,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const entries: ListEntry[] = [];
	let pagesRead = 0;
	for await (const { workflows, nextCursor } of workflowPages(editor, toText(paginationToken) || undefined)) {
		for (const workflow of workflows) {
			const entry = workflowListEntry(workflow);
			if (matches(entry, filter)) entries.push(entry);
		}
		const isEnough = entries.length >= (filter ? ENOUGH_MATCHES : 1);
		if (isEnough || ++pagesRead === MAX_WORKFLOW_PAGES) {
			return { results: toSearchItems(entries), paginationToken: nextCursor };
		}
	}
	return { results: toSearchItems(entries) };
}

/**
 * Searches the runs of the newest Prospector workflows, newest first. The contract lists the runs of one Prospector
 * workflow at a time. Other runs are picked by their ID.
 *
 * @param filter what the person typed
 * @throws RequestError
 */
export async function searchRuns(editor: Editor, filter?: string): Promise<INodeListSearchResult> {
	const workflows: ListEntry[] = [];
	let pagesRead = 0;
	for await (const page of workflowPages(editor)) {
		for (const workflow of page.workflows) workflows.push(workflowListEntry(workflow));
		if (++pagesRead === MAX_WORKFLOW_PAGES) break;
	}
	const newest = workflows.sort(compareByAge).slice(0, MAX_RUN_LISTS);
	const maxPages = Math.floor(MAX_RUN_PAGES / newest.length);
	const entries: ListEntry[] = [];
	for (const workflow of newest) {
		for (const run of await readRuns(editor, workflow, maxPages)) {
			const entry = runListEntry(run, workflow);
			if (matches(entry, filter)) entries.push(entry);
		}
	}
	return { results: toSearchItems(entries.sort(compareByAge)) };
}

/** Returns Prospector workflows as a list of options. @throws RequestError */
export async function getWorkflows(editor: Editor) {
	const entries: ListEntry[] = [];
	for await (const { workflows } of workflowPages(editor)) {
		for (const workflow of workflows) entries.push(workflowListEntry(workflow));
		if (entries.length >= MAX_OPTIONS) break;
	}
	return toSearchItems(entries);
}

async function* workflowPages({ client }: Editor, startCursor?: string) {
	const request = { endpoint: endpoints.listWorkflows };
	for await (const { resources, nextCursor } of paginate(client, request, { startCursor })) {
		yield { workflows: resources.filter(hasValidId), nextCursor };
	}
}

/** Returns the runs of the first pages of a list. */
async function readRuns({ client }: Editor, { id }: ListEntry, maxPages: number): Promise<IDataObject[]> {
	const request = { endpoint: endpoints.listRuns, ids: { workflow_id: id } };
	const pages: IDataObject[][] = [];
	let failure: unknown;
	try {
		for await (const { resources } of paginate(client, request)) {
			if (pages.push(resources.filter(hasValidId)) === maxPages) break;
		}
	} catch (thrown) {
		failure = thrown;
	}
	// The Prospector workflow may have been deleted since its page was read.
	if (failure !== undefined && !hasStatus(failure, 404)) throw failure;
	return pages.flat();
}
