import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { endpoints } from '../transport/endpoints';
import { pages } from '../transport/pagination';
import { editorClient } from './editorClient';
import { hasUsableId, matches, pickableRun, pickableWorkflow, type Pickable } from './pickable';
import { readPosition, writePosition, type Position } from './position';

/** Requests for workflows per answer while too little is found; then the person may load more. */
const MAX_STEPS = 5;
/** Finds that end the reading while a filter is set: a short list cannot be scrolled to load more. */
const ENOUGH_FINDS = 20;
/** Prospector workflows whose runs are read in one step: each costs a request. */
const WORKFLOWS_PER_STEP = 10;

/**
 * Prospector workflows for the picker. The contract shows no search, so pages are read and filtered here.
 *
 * @param filter what the person typed
 * @param paginationToken where the previous answer ended
 */
export async function searchWorkflows(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await editorClient(this);
	return await search(filter, paginationToken, async (position) => {
		const { workflows, nextCursor } = await workflowsAt(client, position);
		return { found: workflows.map(pickableWorkflow), next: nextCursor ? { cursor: nextCursor } : undefined };
	});
}

/**
 * Runs for the picker, newest first within one step. The contract lists runs per Prospector workflow only, so a few
 * workflows are gone through for each answer, the first page of runs of each.
 *
 * @param filter what the person typed
 * @param paginationToken where the previous answer ended
 */
export async function searchRuns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await editorClient(this);
	return await search(filter, paginationToken, async (position) => {
		const { workflows, nextCursor } = await workflowsAt(client, position);
		const end = (position.offset ?? 0) + WORKFLOWS_PER_STEP;
		const found: Pickable[] = [];
		for (const workflow of workflows.slice(position.offset ?? 0, end)) {
			const ids = { workflow_id: String(workflow.id) };
			const { data } = await client.call({ endpoint: endpoints.listRuns, ids });
			found.push(...data.filter(hasUsableId).map((run) => pickableRun(run, workflow)));
		}
		found.sort(newestFirst);
		if (end < workflows.length) return { found, next: { ...position, offset: end } };
		return { found, next: nextCursor ? { cursor: nextCursor } : undefined };
	});
}

type Step = (position: Position) => Promise<{ found: Pickable[]; next?: Position }>;

/** Steps on until there is something to show, the end is reached, or the person has waited long enough. */
async function search(filter: string | undefined, token: string | undefined, step: Step) {
	const results: Pickable[] = [];
	let position: Position | undefined = readPosition(token);
	for (let steps = 0; position && steps < MAX_STEPS; steps++) {
		const { found, next }: Awaited<ReturnType<Step>> = await step(position);
		results.push(...found.filter((entry) => matches(entry, filter)));
		position = next;
		if (results.length >= (filter ? ENOUGH_FINDS : 1)) break;
	}
	return { results: results.map(asItem), paginationToken: position && writePosition(position) };
}

async function workflowsAt(client: Client, { cursor }: Position) {
	const call = { endpoint: endpoints.listWorkflows };
	for await (const { resources, nextCursor } of pages(client, call, { startCursor: cursor })) {
		return { workflows: resources.filter(hasUsableId), nextCursor };
	}
	return { workflows: [] };
}

const newestFirst = (a: Pickable, b: Pickable) => b.createdAt.localeCompare(a.createdAt);

const asItem = ({ name, value }: Pickable): INodeListSearchItems => ({ name, value });
