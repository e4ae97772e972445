import type { IDataObject } from 'n8n-workflow';
import { NODE_ADDED_FIELDS } from './resource';

export interface FieldSelection {
	/** Whether to leave out {@link TECHNICAL_FIELDS}. */
	simplify: boolean;
	/** Fields to return, instead of what `simplify` keeps; undefined if none is named. */
	fields?: string[];
}

/** Fields that say nothing about the resource itself. All others may be fields that the workspace defines. */
const TECHNICAL_FIELDS = new Set(['object', 'updated_at', 'run_request_id']);

const ALWAYS_INCLUDED = new Set(['id', ...NODE_ADDED_FIELDS]);

/** Returns an item with the selected fields, in its own order unless it is simplified. */
export function selectFields(
	item: IDataObject,
	{ simplify: isSimplified, fields }: FieldSelection,
): IDataObject {
	if (fields === undefined) return isSimplified ? simplifyItem(item) : item;
	const selected = new Set(fields);
	return Object.fromEntries(
		Object.entries(item).filter(([name]) => selected.has(name) || ALWAYS_INCLUDED.has(name)),
	);
}

const LAST_FIELDS = new Map(['created_at', ...NODE_ADDED_FIELDS].map((name, index) => [name, index]));

/** The resource's own fields come first, so that a table shows the leads without scrolling. */
function simplifyItem(item: IDataObject): IDataObject {
	const entries: Array<[string, IDataObject[string]]> = [];
	// With gaps, which forEach skips. Sorting all fields would take longer.
	const last: Array<[string, IDataObject[string]]> = [];
	for (const [name, value] of Object.entries(item)) {
		if (TECHNICAL_FIELDS.has(name) || (name === 'idempotency_key' && value === null)) continue;
		const position = LAST_FIELDS.get(name);
		if (position === undefined) entries.push([name, value]);
		else last[position] = [name, value];
	}
	last.forEach((entry) => entries.push(entry));
	return Object.fromEntries(entries);
}

export function unknownFields(items: IDataObject[], { fields = [] }: FieldSelection): string[] {
	return items.length === 0 ? [] : fields.filter((name) => !items.some((item) => Object.hasOwn(item, name)));
}
