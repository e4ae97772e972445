/** What a contender has to read. */
export type Task =
	| { kind: 'list'; runId: string; pageSize: number }
	/** One read per input item, of the run that the item names. */
	| { kind: 'reads'; runIds: string[] };

/** How a contender reads it. */
export type Means =
	| { by: 'prospector' }
	/** n8n's HTTP Request node; `batching` as in its options. */
	| { by: 'httpRequest'; batching?: { batchSize: number; batchInterval: number } }
	/** A node that does nothing but call n8n's HTTP helper. */
	| { by: 'helper'; sideBySide: number }
	/** No n8n. With `window`, its whole number of requests is sent side by side, and then the window waited out. */
	| { by: 'undici'; sideBySide: number; window?: { requests: number; milliseconds: number } };

/** Everything a contender's process is told. */
export interface Job {
	task: Task;
	means: Means;
	/** Whether refused reads come out as failed items, in place of ending the execution. */
	continueOnFail: boolean;
	baseUrl: string;
	apiKey: string;
	/** Where the built package is. */
	packageDirectory: string;
}

/** What came out of a contender: resources, and what it could not read. */
export interface Output {
	resources: unknown[];
	failedItems: number;
	/** What n8n holds until the execution has ended: it must not be collected before the memory is measured. */
	held: unknown;
}

/** A contender that is loaded and can begin. */
export type Ready = () => Promise<Output>;

/** Bytes. */
export interface Memory {
	/** Resident, after everything was loaded. */
	baseline: number;
	/** The most that was resident from then on. */
	peak: number;
	/** What the heap has grown by when done, without what may be collected: the output itself. */
	kept: number;
}

/** What a contender's process reports. */
export interface Report {
	milliseconds: number;
	/** What the process took of the processors, all threads together. */
	processorMs: number;
	/** Resources with an id that no other one has. */
	distinct: number;
	failedItems: number;
	memory: Memory;
}

export type Message =
	{ type: 'ready' } | { type: 'done'; report: Report } | { type: 'failed'; reason: string };
