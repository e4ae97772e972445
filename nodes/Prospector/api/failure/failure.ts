// All kinds of failures of a request, as data: only types. The transport returns failures, and `messages/` turns them
// into sentences.

/** Why a request ended without the resource it asked for, and what happened before. */
export type Failure = {
	requestId?: string;
	/** The service's explanation. */
	serverMessage?: string;
	/** Milliseconds until the rate limiter, or Retry-After, permits the request. */
	retryAfterMs?: number;
	/** Number of attempts, if more than one. */
	attempts?: number;
	/** Milliseconds from the call to the failure, including throttling, but not the first wait for the semaphore. */
	elapsedMs?: number;
	/** Whether the service may have processed an attempt before the one that has failed. */
	hasUnknownEarlierAttempt?: boolean;
	/** Whether an attempt was rejected with 429 although others with the API key were accepted meanwhile. */
	isScopedRejection?: boolean;
	/** When `retryAfterMs` is over, on n8n's clock. */
	retryAtMs?: number;
} & (
	| StatusFailure
	/** There was no complete response. */
	| {
			kind: 'noResponse';
			evidence: 'notSent' | 'unknown';
			cause: NoResponseCause;
			code: string;
			/** The host of the service, if there is none of that name. */
			missingHost?: string;
	  }
	/**
	 * `timeoutMs`: milliseconds from sending to the deadline; absent if the system gave up earlier. `isRequestTimeout`:
	 * whether that is the Request Timeout of the credential.
	 */
	| { kind: 'timeout'; timeoutMs?: number; isRequestTimeout?: boolean }
	/** The protection of internal addresses has rejected the address (n8n-behaviour.md#http-helper). */
	| { kind: 'ssrfBlocked' }
	/** The limit of the whole body, in bytes, or of something inside it. */
	| { kind: 'tooLarge'; limit: number | JsonLimit }
	/** The status says success, but the body is not the contract's envelope (section 2.1). */
	| { kind: 'unexpectedResponse'; bodyFlaw: BodyFlaw }
	| { kind: 'invalidPagination'; reason: PaginationFlaw }
	/**
	 * The rate limit, or a 503 with Retry-After, does not permit the request before its deadline, or the client's request
	 * budget is used up. `isOutOfTime`: its time is.
	 */
	| { kind: 'throttled'; isOutOfTime?: boolean }
	| { kind: 'canceled'; wasRequestSent: boolean }
);

/** What is too large: a text or object, the number of an object's fields or of a list's items, or the depth. */
export type JsonLimit = 'value' | 'fields' | 'items' | 'levels';

/** A refusal of the service (`status`), or a response of something in front of it, with any status (`intermediary`). */
export interface StatusFailure {
	kind: 'status' | 'intermediary';
	status: number;
	/** Where a redirect leads: to another origin, or to a path of the same one. */
	redirectTarget?: string;
	/** Whether the redirect leads to the same resource of the API. */
	isSameResource?: boolean;
}

/** Why there was no complete response, as far as the error code says. */
export type NoResponseCause = 'unreachable' | 'certificate' | 'connectionLost' | 'tls' | 'other';

/** What arrived instead of the contract's envelope. */
export type BodyFlaw =
	'nothing' | 'text' | 'invalidJson' | 'missingData' | 'missingRequestId' | 'missingHasMore';

/** Why the pages of a list don't lead to its end. */
export type PaginationFlaw =
	| 'missingCursor'
	| 'rejectedCursor'
	| 'rejectedStartCursor'
	| 'cursorLoop'
	| 'repeatedPage'
	| 'endlessEmptyPages'
	| 'noNewItems'
	| 'tooLong';
