import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { endpoints } from '../transport/endpoints';
import { pages } from '../transport/pagination';
import { editorClient } from './editorClient';
import { pickableRun, pickableWorkflow, matches, type Pickable } from './pickable';

/** Pages of workflows read for one answer while too little is found; then the person may load more. */
const MAX_PAGES = 5;
/** Finds that end the reading while a filter is set: a short list cannot be scrolled to load more. */
const ENOUGH_FINDS = 20;
/** Asked for per page when the runs of each workflow on it are read too. */
const WORKFLOWS_WITH_RUNS = 10;

/**
 * Prospector workflows for the picker. The contract shows no search, so pages are read and filtered here.
 *
 * @param filter what the person typed
 * @param paginationToken the cursor that the previous answer gave
 */
export async function searchWorkflows(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await editorClient(this);
	const call = { endpoint: endpoints.listWorkflows };
	const results: Pickable[] = [];
	let read = 0;
	for await (const page of pages(client, this.getNode(), call, startAt(paginationToken))) {
		results.push(...page.resources.map(pickableWorkflow).filter((entry) => matches(entry, filter)));
		if (isEnough(results, filter) || ++read === MAX_PAGES) {
			return { results: results.map(asItem), paginationToken: page.nextCursor };
		}
	}
	return { results: results.map(asItem) };
}

/**
 * Runs for the picker, newest first within one answer. The contract lists runs per Prospector workflow only, so a few
 * workflows are gone through for each answer, the first page of runs of each.
 *
 * @param filter what the person typed
 * @param paginationToken the cursor into the workflows that the previous answer gave
 */
export async function searchRuns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await editorClient(this);
	const node = this.getNode();
	const results: Pickable[] = [];
	let read = 0;
	const workflows = pages(
		client,
		node,
		{ endpoint: endpoints.listWorkflows },
		{ ...startAt(paginationToken), pageSize: WORKFLOWS_WITH_RUNS },
	);
	for await (const page of workflows) {
		for (const workflow of page.resources) {
			const ids = { workflow_id: String(workflow.id) };
			const { data } = await client.call({ endpoint: endpoints.listRuns, ids });
			results.push(...data.map((run) => pickableRun(run, workflow)).filter((run) => matches(run, filter)));
		}
		if (isEnough(results, filter) || ++read === MAX_PAGES) {
			return { results: results.sort(newestFirst).map(asItem), paginationToken: page.nextCursor };
		}
	}
	return { results: results.sort(newestFirst).map(asItem) };
}

const isEnough = (results: Pickable[], filter?: string) => results.length >= (filter ? ENOUGH_FINDS : 1);

const asItem = ({ name, value }: Pickable): INodeListSearchItems => ({ name, value });

const startAt = (token?: string) => ({ startCursor: token === '' ? undefined : token });

const newestFirst = (a: Pickable, b: Pickable) => b.createdAt.localeCompare(a.createdAt);
