/** What a contender reads. */
export type Task =
	| { kind: 'list'; runId: string; pageSize: number }
	/** One run per input item. */
	| { kind: 'reads'; runIds: string[] };

/** How a contender reads it. */
export type Means =
	| { by: 'prospector' }
	/** n8n's HTTP Request node; `batching` as in its options. */
	| { by: 'httpRequest'; batching?: { batchSize: number; batchInterval: number } }
	/** A node that only calls n8n's HTTP helper. */
	| { by: 'helper'; concurrency: number }
	/** Without n8n. With `window`, all requests of a window are sent at once. */
	| { by: 'undici'; concurrency: number; window?: { requests: number; milliseconds: number } };

/** What a contender's process receives. */
export interface Job {
	task: Task;
	means: Means;
	continueOnFail: boolean;
	baseUrl: string;
	apiKey: string;
	/** Folder of the built package. */
	packageDirectory: string;
}

export interface Output {
	resources: unknown[];
	failedItems: number;
	/** What n8n holds until the execution has ended; referenced here so that it counts as memory. */
	held: unknown;
}

/** Starts the work of a loaded contender. */
export type Work = () => Promise<Output>;

/** Bytes. */
export interface Memory {
	/** Resident after loading. */
	baseline: number;
	/** Maximum that was resident during the work. */
	peak: number;
	/** Growth of the heap after garbage collection: the output. */
	kept: number;
}

/** What a contender's process reports. */
export interface Report {
	milliseconds: number;
	/** Processor time of all threads. */
	processorMs: number;
	/** Number of different resources. */
	distinct: number;
	failedItems: number;
	memory: Memory;
}

export type Message =
	{ type: 'ready' } | { type: 'done'; report: Report } | { type: 'failed'; reason: string };

export const runPath = (runId: string) => `/api/public/v1/prospector/runs/${runId}`;
export const resultsPath = (runId: string) => `${runPath(runId)}/results`;

export interface PageBody {
	data: object[];
	pagination: { next_cursor: string | null; has_more: boolean };
	request_id: string;
}

export interface ItemBody {
	data: object;
	request_id: string;
}

/**
 * Reads all pages of a list.
 *
 * @param get sends a request with this query
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

/** Changes the resource: a copy with another field would have a hidden class per object in Node.js 20. */
export const withRequestId = (resource: object, { request_id }: { request_id: string }): object =>
	Object.assign(resource, { request_id });
