import type { IDataObject } from 'n8n-workflow';
import { toText } from '../utils';

/** Longer than any ID; keeps a pasted document out of the address. */
const MAX_LENGTH = 512;

/** Why something is not an ID. */
export type InvalidId = 'empty' | 'webAddress' | 'notAnId' | 'object' | 'tooLong' | 'wrongType';

/** Checks an ID before it becomes part of an address. The contract says only that IDs are text. */
export function parseResourceId(value: unknown): { id: string } | { invalid: InvalidId } {
	// A larger number has lost its last digits, and would name another resource.
	const isText = typeof value === 'string' || Number.isSafeInteger(value);
	if (!isText && value !== undefined && value !== null) return { invalid: 'wrongType' };
	const id = toText(value).trim();
	if (id === '') return { invalid: 'empty' };
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(id)) return { invalid: 'webAddress' };
	if (id === '.' || id === '..' || /[\p{Cc}\p{Cf}]/u.test(id) || !isWellFormed(id))
		return { invalid: 'notAnId' };
	if (id.includes('[object ')) return { invalid: 'object' };
	return id.length > MAX_LENGTH ? { invalid: 'tooLong' } : { id };
}

/** Whether a resource has an ID that can be part of an address. */
export const hasValidId = ({ id }: IDataObject): boolean =>
	typeof id === 'string' && 'id' in parseResourceId(id);

/** Half of a surrogate pair can't be encoded into an address. */
function isWellFormed(text: string): boolean {
	return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
