interface Closable {
	close(): unknown;
}

/**
 * Returns a function that lets something be closed after the tests of a block, the last thing first, and returns it.
 *
 * Call it in `describe`.
 */
export function closeAfterAll() {
	const all: Closable[] = [];
	afterAll(async () => {
		for (const each of all.reverse()) await each.close();
	});
	return <T extends Closable>(each: T): T => {
		all.push(each);
		return each;
	};
}
