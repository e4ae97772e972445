import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import type { PageUrls } from '../parameters/credential/pageUrls';
import { truncate } from '../transport/failure/redactSecrets';
import { fillPlaceholders } from '../transport/request/endpoints';

export interface ListEntry extends INodeListSearchItems {
	value: string;
	createdAt: string;
}

const MAX_TEXT_LENGTH = 200;

const textOf = (value: unknown) => (typeof value === 'string' ? truncate(value, MAX_TEXT_LENGTH) : '');

const formatTimestamp = (createdAt: string) =>
	createdAt.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/, ' UTC');

/** Returns the name, status and time of a Prospector workflow; its ID if it has no name. */
export function workflowListEntry(workflow: IDataObject, { workflowPageUrl }: PageUrls = {}): ListEntry {
	const id = String(workflow.id);
	const status = textOf(workflow.status);
	const createdAt = textOf(workflow.created_at);
	const name = (textOf(workflow.name).trim() || id) + (status && ` (${status})`);
	return {
		name: [name, formatTimestamp(createdAt)].filter(Boolean).join(' · '),
		value: id,
		createdAt,
		url: workflowPageUrl && fillPlaceholders(workflowPageUrl, { workflow_id: id }),
	};
}

/** Returns the Prospector workflow, time, status and ID of a run. */
export function runListEntry(
	run: IDataObject,
	workflow: IDataObject,
	{ runPageUrl }: PageUrls = {},
): ListEntry {
	const id = String(run.id);
	const workflowId = String(workflow.id);
	const createdAt = textOf(run.created_at);
	const workflowName = textOf(workflow.name).trim() || workflowId;
	return {
		name: [workflowName, formatTimestamp(createdAt), textOf(run.status), id].filter(Boolean).join(' · '),
		value: id,
		createdAt,
		url: runPageUrl && fillPlaceholders(runPageUrl, { run_id: id, workflow_id: workflowId }),
	};
}

/** Returns entries for n8n. Names that occur more than once get the ID, because n8n shows nothing else of an entry. */
export function toSearchItems(entries: ListEntry[]): INodeListSearchItems[] {
	const count = new Map<string, number>();
	for (const { name } of entries) count.set(name, (count.get(name) ?? 0) + 1);
	return entries.map(({ name, value, url }) => ({
		name: count.get(name) === 1 ? name : `${name} · ${value}`,
		value,
		url,
	}));
}

/** Whether the name or the ID of an entry contains what a person typed, in any letter case. */
export function matches({ name, value }: ListEntry, filter?: string): boolean {
	const wanted = (filter ?? '').trim().toLowerCase();
	return name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
