/** Why a request ended without the resource it asked for, and what happened before. */
export type Failure = FailureCause & {
	/** Number of attempts, if more than one. */
	attempts?: number;
	/** Milliseconds from the call to the failure, including throttling. Present if there was more than one attempt. */
	elapsedMs?: number;
	/** Whether the service may have processed an earlier attempt. */
	outcomeUnknown?: boolean;
	/** Milliseconds until the rate limit permits the request, if that is after its deadline. */
	throttledMs?: number;
};

export type FailureCause =
	| StatusFailure
	/** There was no response. `requestSent` is false if nothing can have reached the service. */
	| { kind: 'network'; code: string; requestSent: boolean }
	| { kind: 'certificate'; code: string }
	/** `timeoutMs`: milliseconds from sending to the deadline; absent if the system gave up earlier. */
	| { kind: 'timeout'; timeoutMs?: number }
	/** n8n's protection against requests to internal addresses rejected the address. */
	| { kind: 'ssrfBlocked' }
	| { kind: 'truncatedResponse'; code: string }
	| { kind: 'tooLarge' }
	/** The status says success, but the body is not the contract's envelope (section 2.1). */
	| { kind: 'unexpectedResponse'; received: Received; requestId?: string }
	| { kind: 'invalidPagination'; reason: PaginationFlaw; requestId: string }
	/** The rate limit does not permit the request before its deadline, or the client's request budget is used up. */
	| { kind: 'throttled' }
	| { kind: 'canceled'; beforeSend?: boolean };

export interface StatusFailure {
	kind: 'status';
	status: number;
	requestId?: string;
	/** Whether the body is a web page, e.g. of a proxy. */
	isHtml?: boolean;
	serverMessage?: string;
	/** Milliseconds until the time in Retry-After. */
	retryAfterMs?: number;
	/** Origin of a redirect. */
	location?: string;
}

/** What arrived instead of the contract's envelope. */
export type Received =
	| 'nothing'
	| 'html'
	| 'text'
	| 'invalidJson'
	| 'jsonList'
	| 'jsonValue'
	| 'missingData'
	| 'missingRequestId'
	| 'missingHasMore';

/** Why the pages of a list don't lead to its end. */
export type PaginationFlaw =
	| 'missingCursor'
	| 'rejectedCursor'
	| 'rejectedStartCursor'
	| 'cursorLoop'
	| 'endlessEmptyPages'
	| 'tooManyPages'
	| 'tooManyItems';
