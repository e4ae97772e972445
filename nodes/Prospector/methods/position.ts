import { isObject } from '../transport/values';

/** Where a picker's next answer begins, kept by the editor as text between two answers. */
export interface Position {
	/** Of the page of workflows; the first if absent. */
	cursor?: string;
	/** Workflows of that page that were gone through already. */
	offset?: number;
	/** Of the page of runs of the next workflow; the first if absent. */
	runsCursor?: string;
}

/** Always JSON: a cursor is opaque, and may itself look like anything. */
export const writePosition = (position: Position): string => JSON.stringify(position);

/** @param token as {@link writePosition} made it; empty for the beginning, any other text for a cursor */
export function readPosition(token = ''): Position {
	if (token === '') return {};
	try {
		const position: unknown = JSON.parse(token);
		if (isObject(position)) return position;
	} catch {
		// Not ours: a cursor.
	}
	return { cursor: token };
}
