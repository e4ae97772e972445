/** Where a picker's next answer begins, kept by the editor as text between two answers. */
export interface Position {
	/** Of the page of workflows; the first if absent. */
	cursor?: string;
	/** Workflows of that page that were gone through already. */
	offset?: number;
}

/** A cursor as it is; with an offset, both as JSON. */
export const writePosition = (position: Position): string =>
	position.offset ? JSON.stringify(position) : (position.cursor ?? '');

/** @param token as {@link writePosition} made it */
export function readPosition(token = ''): Position {
	try {
		const { cursor, offset } = JSON.parse(token) as Position;
		if (Number.isSafeInteger(offset)) return { cursor, offset };
	} catch {
		// Not JSON: a cursor.
	}
	return token === '' ? {} : { cursor: token };
}
