import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import type { PageUrls } from '../parameters/credential/pageUrls';
import { fillPlaceholders } from '../api/endpoints';
import { parseTimestamp, truncate } from '../utils';

export interface ListEntry extends INodeListSearchItems {
	value: string;
	createdAt: string;
}

const MAX_TEXT_LENGTH = 200;

const textOf = (value: unknown) => (typeof value === 'string' ? truncate(value, MAX_TEXT_LENGTH) : '');

const timeFormat = new Intl.DateTimeFormat('en-GB', {
	dateStyle: 'medium',
	timeStyle: 'short',
	timeZone: 'UTC',
});

/** Returns a time such as `1 Mar 2026, 08:00 UTC`; '' if the text is no timestamp. */
function formatTime(createdAt: string): string {
	const time = parseTimestamp(createdAt);
	return time === undefined ? '' : `${timeFormat.format(time)} UTC`;
}

/** Returns the name and status of a Prospector workflow; its ID if it has no name. */
export function workflowListEntry(workflow: IDataObject, { workflowPageUrl }: PageUrls = {}): ListEntry {
	const id = String(workflow.id);
	const status = textOf(workflow.status);
	return {
		name: (textOf(workflow.name).trim() || id) + (status && ` (${status})`),
		value: id,
		createdAt: textOf(workflow.created_at),
		url: workflowPageUrl && fillPlaceholders(workflowPageUrl, { workflow_id: id }),
	};
}

/** Returns the Prospector workflow, time and status of a run. */
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
		name: [workflowName, formatTime(createdAt), textOf(run.status)].filter(Boolean).join(' · '),
		value: id,
		createdAt,
		url: runPageUrl && fillPlaceholders(runPageUrl, { run_id: id, workflow_id: workflowId }),
	};
}

/** Returns entries for n8n. Names that occur more than once get the time, and the ID if that is not enough. */
export function toSearchItems(entries: ListEntry[]): INodeListSearchItems[] {
	const details = [({ createdAt }: ListEntry) => formatTime(createdAt), ({ value }: ListEntry) => value];
	let named = entries.map((entry) => ({ entry, name: entry.name }));
	for (const detail of details) {
		const count = new Map<string, number>();
		for (const { name } of named) count.set(name, (count.get(name) ?? 0) + 1);
		named = named.map(({ entry, name }) => {
			const text = count.get(name) === 1 ? '' : detail(entry);
			return { entry, name: text && !name.includes(text) ? `${name} · ${text}` : name };
		});
	}
	return named.map(({ entry: { value, url }, name }) => ({ name, value, url }));
}

/** Whether the name or the ID of an entry contains what a person typed, in any letter case. */
export function matches({ name, value }: ListEntry, filter?: string): boolean {
	const wanted = (filter ?? '').trim().toLowerCase();
	return name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
