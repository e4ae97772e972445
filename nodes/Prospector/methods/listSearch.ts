// The lists from which a person picks a Prospector workflow or a run. Called by the editor; no two entries look the
// same.
import type { IDataObject, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { ignoreStatuses } from '../api/failure/requestError';
import { hasValidId } from '../model/resource';
import { collectItems, type ListOptions, paginate } from '../transport/request/pagination';
import { compareNewestFirst, DAY_MS, foldCase, parseTimestamp, toText, truncate } from '../utils';
import type { EditorCall } from './editorMethod';

/** Pages of Prospector workflows to read for one search. */
const MAX_WORKFLOW_PAGES = 5;
/** Enough matches of a filter: in a shorter list, a person can't scroll to load more (n8n-behaviour.md#editor). */
const ENOUGH_MATCHES = 20;
const MAX_RUN_LISTS = 10;
/** Each costs a request of the rate limit, which executions share. */
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
	const entries = new Map<string, ListEntry>();
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
	const workflows = await readResources(editor, WORKFLOW_LIST, { maxPages: MAX_WORKFLOW_PAGES });
	const { turns } = editor.client;
	const workflowEntries = await toEntries(editor, workflows, workflowListEntry);
	const newestWorkflows = (await turns.sort(workflowEntries, compareNewestFirst)).slice(0, MAX_RUN_LISTS);
	const formatTime = timeFormatOf(editor);
	const maxPages = Math.floor(MAX_RUN_PAGES / newestWorkflows.length);
	let entries: ListEntry[] = [];
	for (const workflow of newestWorkflows) {
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: workflow.id } };
		// The Prospector workflow may have been deleted since its page was read.
		const runs = (await ignoreStatuses(readResources(editor, request, { maxPages }), [404])) ?? [];
		const toEntry = (run: IDataObject) => runListEntry(run, workflow, formatTime);
		const runEntries = await toEntries(editor, runs, toEntry, filter);
		entries = (await turns.sort(entries.concat(runEntries), compareNewestFirst)).slice(0, MAX_OPTIONS);
	}
	return { results: await toSearchItems(entries, editor) };
}

/** Returns Prospector workflows as a list of options. @throws RequestError */
export async function getWorkflows(editor: EditorCall) {
	const workflows = await readResources(editor, WORKFLOW_LIST, { limit: MAX_OPTIONS });
	return await toSearchItems(await toEntries(editor, workflows, workflowListEntry), editor);
}

const readResources = async ({ client }: EditorCall, request: ApiRequest, options: ListOptions) =>
	await collectItems(client, request, options, (resource) => resource);

/** Returns entries that match a filter, without resources that can't be picked. */
async function toEntries(
	{ client }: EditorCall,
	resources: IDataObject[],
	toEntry: (resource: IDataObject) => ListEntry,
	filter?: string,
): Promise<ListEntry[]> {
	const isMatch = entryFilter(filter);
	const entries = await client.turns.map(resources, (resource) => {
		const entry = hasValidId(resource) ? toEntry(resource) : undefined;
		return entry && isMatch(entry) ? [entry] : [];
	});
	return entries.flat();
}

interface ListEntry {
	/** As shown in the list. */
	label: string;
	/** Name of the Prospector workflow; its ID if it has none. */
	name: string;
	id: string;
	createdAtMs?: number;
}

const MAX_NAME_LENGTH = 200;

/** Ends the name in a label. The subtitle of the node looks for it. */
const NO_BREAK_SPACE = '\u00a0';
const SEPARATOR = `${NO_BREAK_SPACE}· `;

const toShortText = (value: unknown) => (typeof value === 'string' ? truncate(value, MAX_NAME_LENGTH) : '');

/** With the year, a longer time ago than this. */
const SAME_YEAR_MS = 300 * DAY_MS;

type FormatTime = (createdAtMs?: number) => string;

/** Returns a function that formats a time such as `1 Mar, 08:00` in n8n's time zone; '' if it is unknown. */
function timeFormatOf({ context }: EditorCall): FormatTime {
	const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
	const timeZone = context.getTimezone();
	const [shortFormat, longFormat] = [{}, { year: 'numeric' } as const].map(
		(year) => new Intl.DateTimeFormat('en-GB', { ...options, ...year, timeZone }),
	);
	return (createdAtMs) => {
		if (createdAtMs === undefined) return '';
		const isRecent = Math.abs(Date.now() - createdAtMs) < SAME_YEAR_MS;
		return (isRecent ? shortFormat : longFormat).format(createdAtMs);
	};
}

/** Returns an entry such as `Austria (active)`. */
export function workflowListEntry(workflow: IDataObject): ListEntry {
	const id = String(workflow.id);
	const name = toShortText(workflow.name).replaceAll(NO_BREAK_SPACE, ' ').trim() || id;
	const status = toShortText(workflow.status);
	const label = name + (status && `${NO_BREAK_SPACE}(${status})`);
	return { label, name, id, createdAtMs: parseTimestamp(workflow.created_at) };
}

/** Returns an entry such as `1 Mar, 08:00 · completed · Austria`. n8n cuts off the end (n8n-behaviour.md#editor). */
export function runListEntry(
	run: IDataObject,
	{ name }: Pick<ListEntry, 'name'>,
	formatTime: FormatTime,
): ListEntry {
	const createdAtMs = parseTimestamp(run.created_at);
	const label = [formatTime(createdAtMs), toShortText(run.status), name].filter(Boolean).join(SEPARATOR);
	return { label, name, id: String(run.id), createdAtMs };
}

/** Returns entries for n8n. Labels that occur more than once get the time, and the ID if that is not enough. */
export async function toSearchItems(
	entries: ListEntry[],
	editor: EditorCall,
): Promise<INodeListSearchItems[]> {
	const { turns } = editor.client;
	const formatTime = timeFormatOf(editor);
	let labels = entries.map(({ label }) => label);
	for (const detailOf of [
		({ createdAtMs }: ListEntry) => formatTime(createdAtMs),
		// Without a name, the label has the ID already.
		({ id, name }: ListEntry) => (id === name ? '' : id),
	]) {
		const countByLabel = new Map<string, number>();
		await turns.map(labels, (label) => countByLabel.set(label, (countByLabel.get(label) ?? 0) + 1));
		labels = await turns.map(labels, (label, index) => {
			const detail = countByLabel.get(label) === 1 ? '' : detailOf(entries[index]);
			// The label of a run begins with its time already.
			return detail && !label.startsWith(detail + SEPARATOR) ? label + SEPARATOR + detail : label;
		});
	}
	return entries.map(({ id }, index) => ({ name: labels[index], value: id }));
}

/** Returns whether the label or the ID of an entry contains what a person typed. */
function entryFilter(filter = '') {
	const searchText = foldCase(filter.trim());
	return ({ label, id }: ListEntry): boolean =>
		[label.replaceAll(NO_BREAK_SPACE, ' '), id].some((text) => foldCase(text).includes(searchText));
}
