import type { Endpoint } from '../request/endpoints';
import type { PathIds } from '../path';

/** A run that the same operation has started before a further request. */
export interface StartedRun {
	id: string;
	/** The key that started it; absent where none was sent. */
	idempotencyKey?: string;
}

/** One request as its sender means it, before it is turned into HTTP. */
export interface ApiRequest {
	endpoint: Endpoint;
	ids?: PathIds;
	/** Query parameters; undefined ones are left out. */
	query?: Record<string, string | number | undefined>;
	/** A JSON object; sent even when empty (contract, section 4: a required JSON object body). */
	body?: object;
	/** Sent as Idempotency-Key where the endpoint takes one. */
	idempotencyKey?: string;
	/** Settles what to advise: whoever repeats the operation may start another run. */
	startedRun?: StartedRun;
	/** Milliseconds until an attempt ends, if less than the client's own setting. */
	timeout?: number;
	/** Milliseconds after which no further try begins, in place of the client's own setting. */
	maxWait?: number;
}

/** Every way in which a request can end without the resource that was asked for, and what came before that end. */
export type Failure = FailureCause & {
	/** How often the request was sent, where that was more than once. */
	attempts?: number;
	/** Milliseconds from the first try to the end of the last. */
	elapsedMs?: number;
	/** An earlier try may have been carried out. */
	outcomeUnknown?: boolean;
	/** Milliseconds until it may be sent again, where that is longer than it may wait. */
	throttledMs?: number;
};

type FailureCause =
	/**
	 * The service answered with a status that is no success; `said` is its own text in full, if it sent any, and
	 * `isHtml` tells that the answer was meant for a browser, as from a proxy.
	 */
	| {
			kind: 'status';
			status: number;
			requestId?: string;
			isHtml?: boolean;
			serverMessage?: string;
			/** Seconds. */
			retryAfter?: number;
			location?: string;
	  }
	/** No answer; `sent` is false where nothing can have reached the service. */
	| { kind: 'network'; code: string; requestSent: boolean }
	| { kind: 'certificate'; code: string }
	| { kind: 'timeout' }
	/** n8n's own protection refused the address. */
	| { kind: 'ssrfBlocked' }
	/** The connection broke off in the middle of the answer. */
	| { kind: 'truncatedResponse'; code: string }
	/** The response was longer than anything the service may send. */
	| { kind: 'tooLarge' }
	/** A success by its status, but not the envelope of the contract's section 2.1. */
	| { kind: 'unexpectedResponse'; received: string; requestId?: string }
	/** The pages of a list do not lead to its end. */
	| {
			kind: 'invalidPagination';
			reason: 'missingCursor' | 'cursorLoop' | 'endlessEmptyPages' | 'tooManyPages' | 'tooManyItems';
			requestId: string;
	  }
	/** It would have had to wait longer than it may for its turn, so it was not sent. */
	| { kind: 'throttled' }
	/** The execution was stopped: while the request was under way, or while it waited to be sent. */
	| { kind: 'canceled'; beforeSend?: boolean };
