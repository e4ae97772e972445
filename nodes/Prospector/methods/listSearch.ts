import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { endpoints } from '../transport/endpoints';
import { pages } from '../transport/pagination';
import { editorClient } from './editorClient';
import { pickableRun, pickableWorkflow, matches, type Pickable } from './pickable';

/** Pages of workflows read for one answer while nothing is found; then the person may load more. */
const MAX_PAGES = 5;
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
		if (results.length > 0 || ++read === MAX_PAGES) return { results, paginationToken: page.nextCursor };
	}
	return { results };
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
		if (results.length > 0 || ++read === MAX_PAGES) {
			return { results: results.sort(newestFirst), paginationToken: page.nextCursor };
		}
	}
	return { results };
}

const startAt = (token?: string) => ({ startCursor: token === '' ? undefined : token });

const newestFirst = (a: Pickable, b: Pickable) => b.createdAt.localeCompare(a.createdAt);
