/**
 * Everything the contract calls "not shown" is a setting here. Each default is our choice, made so that the
 * sandbox has something to do: none of them says how the real service behaves.
 */

/** How the last page of a list says that there is no next cursor (contract 2.1 types it as a string only). */
export type LastCursor = 'null' | 'empty' | 'absent';

/** Order of lists 2, 8 and 10. `shuffled` is a stable pseudo-random order that follows nothing a client sees. */
export type ListOrder = 'newest' | 'oldest' | 'shuffled';

/** Shape of an error body (contract 7: not shown). */
export type ErrorBody = 'object' | 'text' | 'empty';

/** Where an error carries its request id; `body` has an effect only where the error body is an object. */
export type ErrorRequestId = 'body' | 'header' | 'none';

/**
 * - `retry-after`: whole seconds, on 429 only
 * - `retry-after-date`: the same as an HTTP date
 * - `ratelimit`: `RateLimit-Limit`, `-Remaining`, `-Reset` (seconds from now) on every answer behind the limiter
 * - `x-ratelimit`: `X-RateLimit-Limit`, `-Remaining`, `-Reset` (epoch seconds), likewise
 */
export type RateLimitHeaders = 'none' | 'retry-after' | 'retry-after-date' | 'ratelimit' | 'x-ratelimit';

/** Who shares the memory of idempotency keys. With `key`, rotating an API key forgets what it had sent. */
export type IdempotencyScope = 'workspace' | 'key';

export type Fields = Record<string, unknown>;

/** Fields added to every resource of a type, next to those the contract lists. They never replace those. */
export interface ExtraFields {
	config?: Fields;
	workflow?: Fields;
	run?: Fields;
	result?: Fields;
	me?: Fields;
}

export interface SandboxSettings {
	/** Requests per key and window; the number is not shown. */
	limit: number;
	/** Length of the rolling window, ms. "Per minute" is in the contract; shorter ones are for tests. */
	windowMs: number;
	/** Rate limit headers, one kind or several together; not shown, hence none. */
	rateLimitHeaders: RateLimitHeaders | RateLimitHeaders[];

	/** `next_cursor` of a last page; not shown. */
	lastCursor: LastCursor;
	/** Query parameter that takes a cursor; not shown. */
	cursorParam: string;
	/** Query parameter that takes a page size; not shown. */
	limitParam: string;
	/** Items per page when the client names no size; not shown. */
	defaultPageSize: number;
	/** Larger sizes are quietly cut to this; not shown. */
	maxPageSize: number;
	/** Order of lists; not shown. */
	listOrder: ListOrder;

	/** Words a run goes through, the last one final; not shown. A run keeps the words it started under. */
	runStatuses: string[];
	/** Time in each word but the last, ms; not shown. */
	runStageMs: number;
	/** Results a run ends up with; not shown. */
	resultsPerRun: number;
	/** Workflow id → final word of its future runs instead of the last of `runStatuses`, such as `failed`. */
	runEndings: Record<string, string>;

	/** Status of a workflow whose body names none; not shown. */
	workflowStatus: string;
	/** Status a workflow takes on when deleted, null to leave it; not shown. */
	deletedWorkflowStatus: string | null;
	/** Name of a workflow whose body names none (`{}` is a JSON object, so it is valid); not shown. */
	workflowName: string;

	/** Time zone in the prospector config. */
	timezone: string;
	/** Elements of `states` in the prospector config; their structure is not shown. */
	states: Fields[];
	/** More fields per resource type; not shown. */
	extraFields: ExtraFields;

	errorBody: ErrorBody;
	errorRequestId: ErrorRequestId;
	/** Whether responses have a `Date` header, with the time of the sandbox clock; not shown. */
	dateHeader: boolean;

	/** How long an Idempotency-Key is remembered, ms; null is forever; not shown. */
	idempotencyTtlMs: number | null;
	idempotencyScope: IdempotencyScope;

	/** Seed of the dice behind `probability` of fault rules. Taken by rules added afterwards. */
	faultSeed: number;
	/** Journal entries kept; the oldest go first. */
	journalSize: number;
}

export const DEFAULT_SETTINGS: Readonly<SandboxSettings> = {
	limit: 600,
	windowMs: 60_000,
	rateLimitHeaders: 'none',

	lastCursor: 'null',
	cursorParam: 'cursor',
	limitParam: 'limit',
	defaultPageSize: 50,
	maxPageSize: 100,
	listOrder: 'newest',

	runStatuses: ['queued', 'running', 'completed'],
	runStageMs: 1500,
	resultsPerRun: 12,
	runEndings: {},

	workflowStatus: 'active',
	deletedWorkflowStatus: null,
	workflowName: 'Untitled workflow',

	timezone: 'Europe/Berlin',
	states: [
		{ key: 'new', label: 'New', position: 1 },
		{ key: 'contacted', label: 'Contacted', position: 2 },
		{ key: 'won', label: 'Won', position: 3 },
	],
	extraFields: {},

	errorBody: 'object',
	errorRequestId: 'body',
	dateHeader: true,

	idempotencyTtlMs: null,
	idempotencyScope: 'workspace',

	faultSeed: 1,
	journalSize: 100_000,
};
