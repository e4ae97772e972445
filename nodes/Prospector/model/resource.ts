import type { IDataObject } from 'n8n-workflow';
import { toText } from '../utils';

/** Fields that the service sets itself (contract, section 2.2). */
export const READ_ONLY_FIELDS = ['id', 'object', 'created_at', 'updated_at'];

/** In the order of simplified items. */
export const NODE_ADDED_FIELDS = [
	'error_details',
	'deleted',
	'run_id',
	'run_status',
	'previous_status',
	'workflow_id',
	'workflow_name',
	'run_request_id',
	'request_id',
	'idempotency_key',
	'next_cursor',
];

/** Where an item comes from. If the service sends these fields itself, they stay as it sent them. */
const ORIGIN_FIELDS = ['run_id', 'run_status', 'workflow_id', 'workflow_name'] as const;

/** Returns a resource as an output item: its own fields, and the request that returned it (contract, section 2.1). */
export function toOutputItem(
	resource: IDataObject,
	requestId: string,
	extraFields: IDataObject = {},
): IDataObject {
	// Object.assign lets the items of a list share their shape, which takes half the memory of spreading. Only spreading
	// keeps a field called __proto__.
	const item: IDataObject = Object.hasOwn(resource, '__proto__')
		? { ...resource }
		: Object.assign({}, resource);
	if ('error' in item) {
		// n8n takes an item with a field `error` for a failed one.
		const { error } = item;
		delete item.error;
		if (error !== undefined) item.error_details = error;
	}
	// What is known about one run or Prospector workflow does not hold for another one that the service names.
	const isFromElsewhere = (['run_id', 'workflow_id'] as const).some((name) => {
		const expectedId = toText(extraFields[name]);
		return expectedId !== '' && differs(resource[name], expectedId);
	});
	Object.assign(item, extraFields);
	for (const name of ORIGIN_FIELDS) {
		if ((resource[name] ?? null) !== null) item[name] = resource[name];
		else if (isFromElsewhere) delete item[name];
	}
	item.request_id = requestId;
	return item;
}

/** Longer than any ID; keeps a pasted document out of the address. */
const MAX_RESOURCE_ID_LENGTH = 512;

type InvalidIdReason = 'empty' | 'webAddress' | 'template' | 'notAnId' | 'wrongType';

/** Checks an ID before it becomes part of an address. The contract says only that IDs are text. */
export function parseResourceId(value: unknown): { id: string } | { invalidReason: InvalidIdReason } {
	// A larger number has lost its last digits, and would name another resource.
	const isIdType = typeof value === 'string' || Number.isSafeInteger(value);
	if (!isIdType && value !== undefined && value !== null) return { invalidReason: 'wrongType' };
	const id = toText(value).trim();
	if (id === '') return { invalidReason: 'empty' };
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(id)) return { invalidReason: 'webAddress' };
	if (id.startsWith('{{')) return { invalidReason: 'template' };
	if (id.includes('[object ')) return { invalidReason: 'wrongType' };
	// Half of a surrogate pair (Cs) can't be encoded into an address.
	const isNoId = ['.', '..'].includes(id) || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(id);
	return isNoId || id.length > MAX_RESOURCE_ID_LENGTH ? { invalidReason: 'notAnId' } : { id };
}

/**
 * Whether an ID or a name in a response differs from the one in the request. Letter case may differ, because a service
 * may ignore it; and nothing is known without a value.
 */
export function differs(received: unknown, expected: string): boolean {
	const normalize = (text: string) => text.trim().normalize('NFC').toLowerCase();
	const receivedText = toText(received);
	// Most are equal, and every item is compared.
	if (receivedText === '' || receivedText === expected) return false;
	return normalize(receivedText) !== normalize(expected);
}

/** Returns an ID that the service sent; undefined if it can't be part of an address. */
export function toUsableId(value: unknown): string | undefined {
	const parsedId = parseResourceId(value);
	return 'id' in parsedId ? parsedId.id : undefined;
}

/** Returns the name of a resource; undefined if it has none, or if it is another resource than the expected one. */
export const nameOf = ({ id, name }: IDataObject, expectedId: string): string | undefined =>
	typeof name === 'string' && name !== '' && !differs(id, expectedId) ? name : undefined;

export const hasValidId = ({ id }: IDataObject): boolean =>
	typeof id === 'string' && toUsableId(id) !== undefined;

export interface FieldSelection {
	/** Whether to leave out {@link TECHNICAL_FIELDS}. */
	simplify: boolean;
	/** Fields to return, instead of what `simplify` keeps, if any is named. */
	fields: string[];
}

/** Fields that say nothing about the resource itself. All others may be fields that the workspace defines. */
const TECHNICAL_FIELDS = new Set(['object', 'updated_at', 'run_request_id', 'idempotency_key']);

const ALWAYS_INCLUDED_FIELDS = new Set(['id', ...NODE_ADDED_FIELDS]);

/** Returns an item with the selected fields, in its own order unless it is simplified. */
export function selectFields(
	item: IDataObject,
	{ simplify: isSimplified, fields }: FieldSelection,
): IDataObject {
	if (fields.length === 0) return isSimplified ? simplifyItem(item) : item;
	const selectedNames = new Set(fields);
	return Object.fromEntries(
		Object.entries(item).filter(([name]) => selectedNames.has(name) || ALWAYS_INCLUDED_FIELDS.has(name)),
	);
}

/** Columns of a table, which shows the first ones: the company's name, the workspace's own fields (0), and the others. */
const COLUMNS = new Map([
	['company_name', -1],
	...['lead_id', 'created_at', ...NODE_ADDED_FIELDS, 'id'].map((name, index) => [name, index + 1] as const),
]);

const columnOf = ([name]: [string, unknown]) => COLUMNS.get(name) ?? 0;

const simplifyItem = (item: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(item)
			.filter(([name]) => !TECHNICAL_FIELDS.has(name))
			.sort((one, other) => columnOf(one) - columnOf(other)),
	);

export function findUnknownFields(items: IDataObject[], { fields }: FieldSelection): string[] {
	return items.length === 0 ? [] : fields.filter((name) => !items.some((item) => Object.hasOwn(item, name)));
}
