/** What a contender reads. */
export type Task =
	| { kind: 'list'; runId: string; pageSize: number }
	/** One run per input item. */
	| { kind: 'reads'; runIds: string[] };

/** How a contender reads it. */
export type Means =
	| { by: 'prospector'; simplify: boolean }
	/** n8n's HTTP Request node; `batching` as in its options. */
	| { by: 'httpRequest'; batching?: { batchSize: number; batchInterval: number } }
	/** A node that only calls n8n's HTTP helper. */
	| { by: 'helper' };

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
}

/** Starts the work of a loaded contender. */
export type Work = () => Promise<Output>;

/** What a contender's process reports. */
export interface Report {
	milliseconds: number;
	/** Processor time of all threads. */
	processorMs: number;
	/** The longest time in which the event loop did nothing else. */
	longestDelayMs: number;
	failedItems: number;
}

export type Message =
	| { type: 'ready' }
	/** `distinct` is the number of different resources. */
	| { type: 'done'; report: Report; distinct: number }
	| { type: 'failed'; reason: string };

export const runPath = (runId: string) => `/api/public/v1/prospector/runs/${runId}`;
export const resultsPath = (runId: string) => `${runPath(runId)}/results`;
