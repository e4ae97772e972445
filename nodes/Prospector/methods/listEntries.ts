import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { truncate } from '../transport/failure/plainText';
import { pageUrl, type PageUrls } from '../parameters/credential/pageUrls';
import { checkResourceId } from '../model/resourceId';
import { isInvalid } from '../messages/userMessage';

/** An entry of a picker. */
export interface ListEntry extends INodeListSearchItems {
	value: string;
	createdAt: string;
}

/** Whether a resource can be picked at all: what cannot be part of an address is left out. */
export const hasValidId = ({ id }: IDataObject) =>
	typeof id === 'string' && !isInvalid(checkResourceId(id, 'id'));

/** More than a list shows of a name. */
const MAX_TEXT_LENGTH = 200;

const text = (value: unknown) => (typeof value === 'string' ? truncate(value, MAX_TEXT_LENGTH) : '');

const formatTimestamp = (createdAt: string) =>
	createdAt.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/, ' UTC');

/** A Prospector workflow by its name, status and time; by its id where it has no name. */
export function workflowListEntry(workflow: IDataObject, { workflowPageUrl }: PageUrls = {}): ListEntry {
	const id = String(workflow.id);
	const status = text(workflow.status);
	const createdAt = text(workflow.created_at);
	const name = (text(workflow.name).trim() || id) + (status && ` (${status})`);
	return {
		name: [name, formatTimestamp(createdAt)].filter(Boolean).join(' · '),
		value: id,
		createdAt,
		url: pageUrl(workflowPageUrl, { workflow_id: id }),
	};
}

/** Entries that read alike get their id: n8n shows nothing of an entry but its name. */
export function disambiguateNames(entries: ListEntry[]): ListEntry[] {
	const count = new Map<string, number>();
	for (const { name } of entries) count.set(name, (count.get(name) ?? 0) + 1);
	return entries.map((entry) =>
		count.get(entry.name) === 1 ? entry : { ...entry, name: `${entry.name} · ${entry.value}` },
	);
}

/** A run by what a person remembers of it: which workflow, when, how it went; and by its id. */
export function runListEntry(
	run: IDataObject,
	workflow: IDataObject,
	{ runPageUrl }: PageUrls = {},
): ListEntry {
	const createdAt = text(run.created_at);
	const id = String(run.id);
	const workflowId = String(workflow.id);
	const parts = [text(workflow.name).trim() || workflowId, formatTimestamp(createdAt), text(run.status), id];
	return {
		name: parts.filter(Boolean).join(' · '),
		value: id,
		createdAt,
		url: pageUrl(runPageUrl, { run_id: id, workflow_id: workflowId }),
	};
}

/** Whether a person who typed this looks for that entry: by name or by id, in any letter case. */
export function matches({ name, value }: ListEntry, filter?: string): boolean {
	const wanted = (filter ?? '').trim().toLowerCase();
	return name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
