// The lists from which a person picks a Prospector workflow or a run. Called by the editor; no two entries of a page look
// the same.
import type { IDataObject, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { ignoreStatuses } from '../api/failure/requestError';
import { hasValidId } from '../model/resource';
import { collectItems, type CollectOptions, paginate } from '../transport/request/pagination';
import { compareNewestFirst, foldCase, parseTimestamp, toText, truncate } from '../utils';
import type { EditorCall } from './editorMethod';

/** Pages of Prospector workflows to read for one search. */
const MAX_WORKFLOW_PAGES = 5;
/** Enough matches of a filter: in a shorter list, a person can't scroll to load more (n8n-behaviour.md#editor). */
const ENOUGH_MATCHES = 20;
/** Pages of runs to read: each costs a request of the rate limit, which executions share. */
const MAX_RUN_PAGES = 10;
/** n8n loads a list of options as a whole (n8n-behaviour.md#editor). */
const MAX_OPTIONS = 1000;

const WORKFLOW_LIST = { endpoint: endpoints.listWorkflows };

/** Searches Prospector workflows. The contract shows no search, so pages are read and filtered here. @throws RequestError */
export async function searchWorkflows(
	editor: EditorCall,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	/** By ID, because pages can overlap. */
	const entries = new Map<string, PickerEntry>();
	let nextCursor: string | undefined;
	const startCursor = toText(paginationToken) || undefined;
	let pageCount = 0;
	for await (const page of paginate(editor.client, WORKFLOW_LIST, { startCursor })) {
		for (const entry of await toEntries(editor, page.data, workflowListEntry, filter))
			entries.set(entry.id, entry);
		nextCursor = page.nextCursor;
		if (++pageCount === MAX_WORKFLOW_PAGES || entries.size >= (filter ? ENOUGH_MATCHES : 1)) break;
	}
	return { results: await toSearchItems([...entries.values()], editor), paginationToken: nextCursor };
}

/**
 * Searches the runs of the newest Prospector workflows, newest first. The contract lists the runs of one Prospector
 * workflow at a time. Other runs are picked by their ID. @throws RequestError
 */
export async function searchRuns(editor: EditorCall, filter?: string): Promise<INodeListSearchResult> {
	const { turns } = editor.client;
	const workflows = await readResources(editor, WORKFLOW_LIST, { maxPages: MAX_WORKFLOW_PAGES });
	const workflowEntries = await toEntries(editor, workflows, workflowListEntry);
	const newestWorkflows = (await turns.sort(workflowEntries, compareNewestFirst)).slice(0, MAX_RUN_PAGES);
	const maxPages = Math.floor(MAX_RUN_PAGES / newestWorkflows.length);
	const timeFormat = createTimeFormat(editor.context.getTimezone());
	const entries: PickerEntry[][] = [];
	for (const workflow of newestWorkflows) {
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflow.id } };
		// The Prospector workflow may have been deleted since its page was read.
		const runs = (await ignoreStatuses(readResources(editor, request, { maxPages }), [404])) ?? [];
		const toEntry = (run: IDataObject) => runListEntry(run, workflow, timeFormat);
		entries.push(await toEntries(editor, runs, toEntry, filter));
	}
	const newestRuns = (await turns.sort(entries.flat(), compareNewestFirst)).slice(0, MAX_OPTIONS);
	return { results: await toSearchItems(newestRuns, editor) };
}

/** Returns Prospector workflows as a list of options. @throws RequestError */
export async function getWorkflows(editor: EditorCall) {
	const workflows = await readResources(editor, WORKFLOW_LIST, { limit: MAX_OPTIONS });
	return await toSearchItems(await toEntries(editor, workflows, workflowListEntry), editor);
}

const readResources = async ({ client }: EditorCall, request: ApiRequest, options: CollectOptions) =>
	await collectItems(client, request, options, (resource) => resource);

/** Returns entries whose label or ID contains what a person typed, without resources that can't be picked. */
async function toEntries(
	{ client }: EditorCall,
	resources: IDataObject[],
	toEntry: (resource: IDataObject) => PickerEntry,
	filter = '',
): Promise<PickerEntry[]> {
	const searchText = foldCase(filter.trim());
	const isMatch = (text: string) => foldCase(text.replaceAll(NO_BREAK_SPACE, ' ')).includes(searchText);
	const entries = await client.turns.map(resources, (resource) => {
		const entry = hasValidId(resource) ? toEntry(resource) : undefined;
		return entry && (isMatch(entry.label) || isMatch(entry.id)) ? [entry] : [];
	});
	return entries.flat();
}

interface PickerEntry {
	/** As shown in the list. */
	label: string;
	id: string;
	createdAtMs?: number;
}

const MAX_SHOWN_LENGTH = 200;

const TIME_FORMAT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** In UTC, and with its name, if JavaScript does not know the time zone. */
function createTimeFormat(timeZone: string) {
	try {
		return new Intl.DateTimeFormat('en-GB', { ...TIME_FORMAT, timeZone });
	} catch {
		return new Intl.DateTimeFormat('en-GB', { ...TIME_FORMAT, timeZone: 'UTC', timeZoneName: 'short' });
	}
}

/** Ends the name in the label of a Prospector workflow. The subtitle of the node looks for it. */
const NO_BREAK_SPACE = '\u00a0';
const SEPARATOR = `${NO_BREAK_SPACE}· `;

const toShortText = (value: unknown) => (typeof value === 'string' ? truncate(value, MAX_SHOWN_LENGTH) : '');

/** Returns an entry such as `Austria (active)`, with the ID if there is no name. */
function workflowListEntry(workflow: IDataObject): PickerEntry {
	const id = String(workflow.id);
	const name = toShortText(workflow.name).replaceAll(NO_BREAK_SPACE, ' ').trim() || id;
	const status = toShortText(workflow.status);
	const label = name + (status && `${NO_BREAK_SPACE}(${status})`);
	return { label, id, createdAtMs: parseTimestamp(workflow.created_at) };
}

/** Returns an entry such as `1 Mar, 08:00 · completed · Austria`. n8n cuts off the end (n8n-behaviour.md#editor). */
export function runListEntry(
	run: IDataObject,
	workflow: Pick<PickerEntry, 'label'>,
	timeFormat: Pick<Intl.DateTimeFormat, 'format'>,
): PickerEntry {
	const createdAtMs = parseTimestamp(run.created_at);
	const time = createdAtMs === undefined ? '' : timeFormat.format(createdAtMs);
	const [workflowName] = workflow.label.split(NO_BREAK_SPACE);
	const label = [time, toShortText(run.status), workflowName].filter(Boolean).join(SEPARATOR);
	return { label, id: String(run.id), createdAtMs };
}

/** Returns entries for n8n. Labels that occur more than once get the ID. */
async function toSearchItems(
	entries: PickerEntry[],
	{ client }: EditorCall,
): Promise<INodeListSearchItems[]> {
	const countByLabel = new Map<string, number>();
	await client.turns.map(entries, ({ label }) => countByLabel.set(label, (countByLabel.get(label) ?? 0) + 1));
	return await client.turns.map(entries, ({ label, id }) => ({
		name: countByLabel.get(label) === 1 ? label : label + SEPARATOR + id,
		value: id,
	}));
}
