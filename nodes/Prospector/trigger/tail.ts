/** Where a list with the oldest first may be read on from. */
export interface Tail {
	/** Of the page that is read first. */
	cursor: string;
	/** Digest of that page's first item: another one there means that the cursor leads elsewhere now. */
	anchor: string;
}

/** Where a page begins. */
export interface PageStart {
	/** Absent for the first page. */
	cursor?: string;
	/** Digest of its first item. */
	anchor: string;
	/** When that was created, in milliseconds. */
	created: number;
}

/**
 * Where the next walk may begin: on the last page that begins before the newest moment. What is created in the same
 * moment later on may stand anywhere among what was created then.
 *
 * @param starts of the pages that were read, in their order
 * @param newest milliseconds
 * @returns undefined for the beginning of the list
 */
export function tailOf(starts: PageStart[], newest: number): Tail | undefined {
	const start = starts.filter(({ created }) => created < newest).at(-1);
	return start?.cursor === undefined ? undefined : { cursor: start.cursor, anchor: start.anchor };
}
