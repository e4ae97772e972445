import type { IDataObject } from 'n8n-workflow';

/** Fields that the service sets itself (contract, section 2.2). */
export const READ_ONLY_FIELDS = ['id', 'object', 'created_at', 'updated_at'];

/** Fields that this package adds to its items. */
export const NODE_ADDED_FIELDS = [
	'request_id',
	'idempotency_key',
	'deleted',
	'error_details',
	'next_cursor',
	'previous_status',
	'run_id',
	'run_request_id',
	'run_status',
];

/**
 * Returns a resource as an output item: its own fields, and the request that returned it (contract, section 2.1).
 *
 * @param extraFields further fields that this package adds
 */
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
	Object.assign(item, extraFields);
	item.request_id = requestId;
	return item;
}
