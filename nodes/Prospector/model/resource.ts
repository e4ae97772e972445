import type { IDataObject } from 'n8n-workflow';

/**
 * One resource as an output item: its own fields, and which request brought it (contract, section 2.1).
 *
 * @param extra further fields of ours, such as the idempotency key
 */
export function toOutput(resource: IDataObject, requestId: string, extra: IDataObject = {}): IDataObject {
	// Assigned, not spread: items of one list then share their shape, which takes half the memory. Spreading alone
	// keeps a field called __proto__ a field.
	const fields: IDataObject = Object.hasOwn(resource, '__proto__')
		? { ...resource }
		: Object.assign({}, resource);
	const { error } = fields;
	if ('error' in fields) delete fields.error;
	// n8n takes any item with a field called `error` for a failed one.
	if (error !== undefined) fields.error_details = error;
	Object.assign(fields, extra);
	fields.request_id = requestId;
	return fields;
}
