import type { Validated } from '../messages/userMessage';
import { isObject } from '../transport/values';

/** Where a picker's next answer begins, kept by the editor as text between two answers. */
export interface PageToken {
	/** Of the page of workflows; the first if absent. */
	cursor?: string;
	/** Workflows of that page that were gone through already. */
	offset?: number;
	/** Of the page of runs of the next workflow; the first if absent. */
	runsCursor?: string;
}

/** Always JSON: a cursor is opaque, and may itself look like anything. */
export const encodePageToken = (position: PageToken): string => JSON.stringify(position);

/**
 * Checks a token, which may have been changed on its way through the browser.
 *
 * @param token from {@link encodePageToken}; empty for the beginning of the list, any text that is not JSON for a cursor
 */
export function decodePageToken(token?: unknown): Validated<PageToken> {
	if (token === undefined || token === null || token === '') return { value: {} };
	const parsed = typeof token === 'string' ? parse(token) : undefined;
	if (isPosition(parsed)) return { value: parsed };
	return {
		message: "The list can't be continued from here",
		description: 'Search again, or close the list and open it again',
	};
}

function parse(token: string): unknown {
	try {
		return JSON.parse(token) as unknown;
	} catch {
		return { cursor: token };
	}
}

function isPosition(value: unknown): value is PageToken {
	if (!isObject(value)) return false;
	const { cursor, offset, runsCursor, ...others } = value;
	const isOffset = typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0;
	return (
		[cursor, runsCursor].every((one) => one === undefined || (typeof one === 'string' && one !== '')) &&
		(offset === undefined || isOffset) &&
		Object.keys(others).length === 0
	);
}
