import type { IDataObject } from 'n8n-workflow';

/**
 * One resource as an output item: its own fields, and which request brought it (contract, section 2.1).
 *
 * @param extra further fields of ours, such as the idempotency key
 */
export function toOutput(resource: IDataObject, requestId: string, extra: IDataObject = {}): IDataObject {
	const { error, ...fields } = resource;
	// n8n takes any item with a field called `error` for a failed one.
	return {
		...fields,
		...(error !== undefined && { error_details: error }),
		...extra,
		request_id: requestId,
	};
}
