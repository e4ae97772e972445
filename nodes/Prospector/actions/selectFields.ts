import type { IDataObject } from 'n8n-workflow';
import { NODE_ADDED_FIELDS } from '../parameters/body/mappedBody';

/** Which fields of an item are wanted. */
export interface FieldSelection {
	/** Only what the contract documents, without the type tag and the dates. */
	simplify: boolean;
	/** Only these; they replace what {@link FieldSelection.simplify} keeps. */
	fields?: string[];
}

/** Contract, section 2.3, and the id of section 2.2. */
const SIMPLIFIED_FIELDS = ['name', 'status', 'workflow_id', 'lead_id', 'company_name', 'timezone', 'states'];

/** Names the item, or was put there by this node: kept whatever is wanted. */
const ALWAYS_INCLUDED = new Set(['id', ...NODE_ADDED_FIELDS]);

/**
 * An item with the wanted fields alone, in the item's own order. What it does not have is left out.
 *
 * @param item as the operation put it out
 */
export function selectFields(item: IDataObject, { simplify, fields }: FieldSelection): IDataObject {
	if (fields === undefined && !simplify) return item;
	const wanted = new Set(fields ?? SIMPLIFIED_FIELDS);
	// The order of a list is not documented: without its date, nobody can tell which run is the newest.
	if (fields === undefined && 'workflow_id' in item) wanted.add('created_at');
	return Object.fromEntries(
		Object.entries(item).filter(([name]) => wanted.has(name) || ALWAYS_INCLUDED.has(name)),
	);
}

/** The wanted fields that none of the items has. */
export function unknownFields(items: IDataObject[], { fields = [] }: FieldSelection): string[] {
	return items.length === 0 ? [] : fields.filter((name) => !items.some((item) => Object.hasOwn(item, name)));
}
