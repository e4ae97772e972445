/**
 * Everything that the contract calls "not shown" is a setting. The defaults are our choice and don't describe the real
 * service.
 */

/** The values of settings that are a choice. */
export const CHOICES = {
	/** A window that moves with the time, one that starts at each multiple of its length, or a token bucket. */
	limitKind: ['rolling', 'fixed', 'bucket'],
	/**
	 * - `retry-after`: whole seconds, on 429 only
	 * - `retry-after-date`: an HTTP date, on 429 only
	 * - `ratelimit`: `RateLimit-Limit`, `-Remaining`, `-Reset` (seconds from now) on every authenticated response
	 * - `ratelimit-draft`: `RateLimit` and `RateLimit-Policy` of the later drafts on every authenticated response
	 * - `x-ratelimit`: `X-RateLimit-Limit`, `-Remaining`, `-Reset` (epoch seconds) on every authenticated response
	 * - `retry-after-zero`, `-short` (1 s), `-past` (a date), `ratelimit-wrong` (0 remain): false values
	 */
	rateLimitHeaders: [
		'none',
		'retry-after',
		'retry-after-date',
		'retry-after-zero',
		'retry-after-short',
		'retry-after-past',
		'ratelimit',
		'ratelimit-draft',
		'ratelimit-wrong',
		'x-ratelimit',
	],
	cursorKind: ['position', 'offset', 'itemId'],
	/**
	 * A status, or a response with 200: an empty page, as if it were the last one, or with `has_more` but without a cursor,
	 * or the list's first page.
	 */
	cursorRejection: [400, 403, 404, 409, 410, 422, 500, 'emptyPage', 'noCursor', 'firstPage'],
	/**
	 * - `full`: each page but the last has the page size
	 * - `varying`: pages have 1 to page size items
	 * - `overlapping`: each further page begins with the last item of the page before, unless the page size is 1
	 * - `emptyBetween`: an empty page with `has_more` comes after each page but the last
	 */
	pages: ['full', 'varying', 'overlapping', 'emptyBetween'],
	/** `next_cursor` of the last page of a list: text, as far as is known (contract, section 2.1). */
	lastCursor: ['null', 'empty', 'absent'],
	/**
	 * Order of lists 2, 8 and 10. `shuffled` is a stable pseudo-random order, unrelated to any visible field. `random` is
	 * another order at each request; its cursors are numbers of items.
	 */
	listOrder: ['newest', 'oldest', 'shuffled', 'random'],
	/**
	 * Form of a time: as the contract shows it (contract, section 2.2), with another zone, or otherwise. From each text of
	 * `digits`, Date.parse reads a year.
	 */
	timeFormat: [
		...['utc', 'offset', 'noZone', 'noMilliseconds', 'noSeconds'],
		...['missing', 'null', 'number', 'nonsense', 'digits'],
	],
	noResultsYet: ['empty', '404', '409'],
	/** What stays readable of a deleted workflow: its runs and their results by ID; its list of runs too; or nothing. */
	deletedRuns: ['byId', 'listed', 'gone'],
	/** Shape of an error body (contract, section 7: not shown). */
	errorBody: ['object', 'text', 'empty'],
	/** Location of the request ID in an error response. `body` requires an error body of kind `object`. */
	errorRequestId: ['body', 'header', 'none'],
	/**
	 * When an Idempotency-Key is tied to its payload: with the first success; with the first request, even if it is refused;
	 * or with the first response, so that a refusal is repeated, too.
	 */
	idempotencyTie: ['success', 'request', 'response'],
} as const;

type Choice<Setting extends keyof typeof CHOICES> = (typeof CHOICES)[Setting][number];

export type LimitKind = Choice<'limitKind'>;
export type RateLimitHeaders = Choice<'rateLimitHeaders'>;
export type ListOrder = Choice<'listOrder'>;
export type TimeFormat = Choice<'timeFormat'>;
export type ErrorBody = Choice<'errorBody'>;
export type ErrorRequestId = Choice<'errorRequestId'>;

export type WrongRunOperation = 'runWorkflow' | 'getRun';

export type Fields = Record<string, unknown>;

/** Additional fields per resource type. They never replace the contract's fields. */
export interface ExtraFields {
	config?: Fields;
	workflow?: Fields;
	run?: Fields;
	result?: Fields;
	me?: Fields;
}

export interface SandboxSettings {
	/** Requests per key and window; not shown. */
	limit: number;
	/** Length of the window. The contract says "per minute"; other lengths are for tests. */
	windowMs: number;
	/** Not shown, except that the contract's limit is rolling. */
	limitKind: LimitKind;
	/** Capacity of a token bucket; null means the limit; not shown. */
	burst: number | null;
	/** A second limit, per rolling second; not shown. */
	limitPerSecond: number | null;
	/** A further limit, per rolling day; not shown. */
	dailyQuota: number | null;
	/** Whether rejected requests count, too; not shown. */
	countRejected: boolean;
	/** Whether each operation has a limit of its own; not shown. */
	limitPerEndpoint: boolean;
	/** One kind of rate limit headers, or several; not shown, hence none. */
	rateLimitHeaders: RateLimitHeaders | RateLimitHeaders[];

	/** What a cursor is: a position between items, a number of items, or the ID of the last item; not shown. */
	cursorKind: Choice<'cursorKind'>;
	/** Milliseconds after which a cursor is rejected, or null; not shown. */
	cursorTtlMs: number | null;
	/** Number of items beyond which a cursor is rejected, or null; not shown. */
	cursorMaxItems: number | null;
	/** Response to a cursor that has expired, whose item is gone, or that leads too far; not shown. */
	cursorRejection: Choice<'cursorRejection'>;
	/** Not shown. */
	lastCursor: Choice<'lastCursor'>;
	/** Page size if the request has none; not shown. */
	defaultPageSize: number;
	/** Larger page sizes are reduced to this one; not shown. */
	maxPageSize: number;
	/** Whether each page has the default size, whatever a request says; not shown. */
	ignorePageSize: boolean;
	/** Sizes and overlaps of the pages of a list; not shown. */
	pages: Choice<'pages'>;
	/** Not shown. */
	listOrder: ListOrder;
	/** Chance of each list response, 0 to 1, to come from a stale replica; not shown. */
	staleProbability: number;
	/** Milliseconds before a response since which a stale replica has not seen new items; not shown. */
	replicaLagMs: number;
	/** IDs of workflows that the list of workflows omits, although requests for them succeed; not shown. */
	hiddenWorkflows: string[];
	/** Form of `created_at` and `updated_at`; not shown, except for `utc`. */
	timeFormat: TimeFormat;

	/** Statuses of a run in order, the last one final; not shown. Applies to runs started afterwards. */
	runStatuses: string[];
	/** Milliseconds in each status except the last; not shown. */
	runStageMs: number;
	/** Final number of results of a run; not shown. */
	resultsPerRun: number;
	/** Results that a run gains, or loses at the beginning if negative, after each page of them was read; not shown. */
	resultsChangePerPage: number;
	/** Milliseconds after a start during which requests for the run get 404; not shown. */
	runVisibleAfterMs: number;
	/**
	 * Milliseconds after the end of a run until its results can be read; 0 means that they can be read before
	 * the end; not shown. A run has not ended while its status is one of `runStatuses` except the last.
	 */
	resultsDelayMs: number;
	/** Response to a request for results as long as none can be read: an empty list, or a status; not shown. */
	noResultsYet: Choice<'noResultsYet'>;
	/** Operation → ID of the run that it returns instead of the right one: a defect of the service. */
	wrongRuns: Partial<Record<WrongRunOperation, string>>;
	/** Workflow ID → final status of its future runs, such as `failed`, instead of the last of `runStatuses`. */
	finalStatusByWorkflow: Record<string, string>;

	/** Fields with which Create and Update get 400; not shown. */
	refusedFields: string[];
	/** Not shown. */
	deletedRuns: Choice<'deletedRuns'>;
	/** Not shown. */
	extraFields: ExtraFields;

	errorBody: ErrorBody;
	errorRequestId: ErrorRequestId;
	/** Whether responses have a `Date` header with the sandbox clock's time; not shown. */
	dateHeader: boolean;
	/** Milliseconds by which the time in the `Date` header is ahead of the sandbox clock; not shown. */
	dateHeaderOffsetMs: number;
	/** Milliseconds after which a cache renews the `Date` header, at multiples of them; 0 means no cache; not shown. */
	dateHeaderStepMs: number;

	idempotencyTie: Choice<'idempotencyTie'>;

	/** Maximum number of journal entries. The oldest are removed first. */
	journalSize: number;
}

export const DEFAULT_SETTINGS: Readonly<SandboxSettings> = {
	limit: 600,
	windowMs: 60_000,
	limitKind: 'rolling',
	burst: null,
	limitPerSecond: null,
	dailyQuota: null,
	countRejected: false,
	limitPerEndpoint: false,
	rateLimitHeaders: 'none',

	cursorKind: 'position',
	cursorTtlMs: null,
	cursorMaxItems: null,
	cursorRejection: 400,
	lastCursor: 'null',
	defaultPageSize: 50,
	maxPageSize: 100,
	ignorePageSize: false,
	pages: 'full',
	listOrder: 'newest',
	staleProbability: 0,
	replicaLagMs: 0,
	hiddenWorkflows: [],
	timeFormat: 'utc',

	runStatuses: ['queued', 'running', 'completed'],
	runStageMs: 1500,
	resultsPerRun: 12,
	resultsChangePerPage: 0,
	runVisibleAfterMs: 0,
	resultsDelayMs: 0,
	noResultsYet: 'empty',
	wrongRuns: {},
	finalStatusByWorkflow: {},

	refusedFields: [],
	deletedRuns: 'byId',
	extraFields: {},

	errorBody: 'object',
	errorRequestId: 'body',
	dateHeader: true,
	dateHeaderOffsetMs: 0,
	dateHeaderStepMs: 0,

	idempotencyTie: 'success',

	journalSize: 100_000,
};
