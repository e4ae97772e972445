/** Where the service answers with a run. */
export const runPath = (runId: string) => `/api/public/v1/prospector/runs/${runId}`;

/** Where the service answers with a page of a run's results. */
export const resultsPath = (runId: string) => `${runPath(runId)}/results`;

/** A page of a list, as far as a bare loop needs to know it. */
export interface PageBody {
	data: object[];
	pagination: { next_cursor: string | null; has_more: boolean };
	request_id: string;
}

/** The answer to a single read. */
export interface OneBody {
	data: object;
	request_id: string;
}

/**
 * Reads a list page by page, in the barest way there is.
 *
 * @param get answers for the query of a page
 */
export async function readAllPages(
	pageSize: number,
	get: (query: Record<string, string>) => Promise<PageBody>,
): Promise<object[]> {
	const resources: object[] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const page = await get({ limit: `${pageSize}`, ...(cursor && { cursor }) });
		for (const resource of page.data) resources.push(withRequestId(resource, page));
		cursor = page.pagination.has_more ? page.pagination.next_cursor : null;
	}
	return resources;
}

/**
 * Written into the resource: of a copy that gets one more field, Node.js 20 makes a hidden class per object, and a
 * floor must not pay for that.
 */
export const withRequestId = (resource: object, { request_id }: { request_id: string }): object =>
	Object.assign(resource, { request_id });
