interface Resource {
	close(): unknown;
}

/** Waits for a resource that is closed later. */
export type Open = <R extends Resource>(resource: R | Promise<R>) => Promise<R>;

/** Calls a function that opens resources, and closes them in reverse order, also if the function throws. */
export async function withResources<T>(act: (open: Open) => Promise<T>): Promise<T> {
	const opened: Resource[] = [];
	try {
		return await act(async (resource) => {
			const open = await resource;
			opened.push(open);
			return open;
		});
	} finally {
		for (const resource of opened.reverse()) await resource.close();
	}
}
