import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { parseTimestamp, truncate } from '../utils';

export interface ListEntry {
	/** As shown in the list. */
	label: string;
	/** The resource's name; its ID if it has none. */
	name: string;
	id: string;
	createdAtMs?: number;
}

const MAX_NAME_LENGTH = 200;

const textOf = (value: unknown) => (typeof value === 'string' ? truncate(value, MAX_NAME_LENGTH) : '');

const timeFormat = new Intl.DateTimeFormat('en-GB', {
	dateStyle: 'medium',
	timeStyle: 'short',
	timeZone: 'UTC',
});

/** Returns a time such as `1 Mar 2026, 08:00 UTC`; '' if it is unknown. */
const formatTime = ({ createdAtMs }: Pick<ListEntry, 'createdAtMs'>) =>
	createdAtMs === undefined ? '' : `${timeFormat.format(createdAtMs)} UTC`;

/** Returns an entry such as `Austria (active)`. */
export function workflowListEntry(workflow: IDataObject): ListEntry {
	const id = String(workflow.id);
	const name = textOf(workflow.name).trim() || id;
	const status = textOf(workflow.status);
	const label = name + (status && ` (${status})`);
	return { label, name, id, createdAtMs: parseTimestamp(workflow.created_at) };
}

/** Returns an entry such as `Austria · 1 Mar 2026, 08:00 UTC · completed`. */
export function runListEntry(run: IDataObject, { name }: Pick<ListEntry, 'name'>): ListEntry {
	const createdAtMs = parseTimestamp(run.created_at);
	const label = [name, formatTime({ createdAtMs }), textOf(run.status)].filter(Boolean).join(' · ');
	return { label, name, id: String(run.id), createdAtMs };
}

/** Sorts the newest entry first, and entries without a time last. */
export const compareByAge = (one: ListEntry, other: ListEntry) =>
	(other.createdAtMs ?? 0) - (one.createdAtMs ?? 0);

/** Returns entries for n8n. Labels that occur more than once get the time, and the ID if that is not enough. */
export function toSearchItems(entries: ListEntry[]): INodeListSearchItems[] {
	let labels = entries.map(({ label }) => label);
	for (const detailOf of [formatTime, ({ id }: ListEntry) => id]) {
		const count = new Map<string, number>();
		for (const label of labels) count.set(label, (count.get(label) ?? 0) + 1);
		labels = labels.map((label, index) => {
			const detail = count.get(label) === 1 ? '' : detailOf(entries[index]);
			return detail && !label.includes(detail) ? `${label} · ${detail}` : label;
		});
	}
	return entries.map(({ id }, index) => ({ name: labels[index], value: id }));
}

/** Whether the label or the ID of an entry contains what a person typed, in any letter case. */
export function matches({ label, id }: ListEntry, filter?: string): boolean {
	const wanted = (filter ?? '').trim().toLowerCase();
	return label.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted);
}
