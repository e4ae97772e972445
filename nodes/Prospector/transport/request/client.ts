// Sends the requests of one execution: with throttling, retries and deadlines. All requests to the service go through
// it; the credential test uses only `sendOnce`.
import type { IHttpRequestOptions } from 'n8n-workflow';
import type { Dependencies } from '../dependencies';
import { parseHelperError } from '../../api/failure/evidence';
import type { Failure } from '../../api/failure/failure';
import { RequestError } from '../../api/failure/requestError';
import { IN_FLIGHT } from '../rate/rateLimitEstimator';
import { RequestStats, withRetries, withThrottling } from '../retry/withRetries';
import { type ApiRequest, type Connection, toHttpOptions } from '../../api/apiRequest';
import { readResponse } from './readResponse';
import { type ApiResponse, type HttpResponse, isFailure, parseResponse } from '../../api/response';
import type { Semaphore } from '../semaphore';
import type { Turns } from '../turns';
import { withTimeout } from './withTimeout';

/**
 * Sends one HTTP request with the credential, and closes its connection when the signal is aborted. The body of the
 * response is a stream.
 *
 * @throws what n8n's HTTP helper throws when there is no response
 */
export type SendRequest = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<HttpResponse>;

/** More than a page of 100,000 resources. Bounds the memory that one response can take. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
export const MAX_RESOURCE_BYTES = 1024 * 1024;
/** An attempt of a request with a deadline may take this time even at the deadline, unless the client's budget is shorter. */
export const MIN_ATTEMPT_MS = 1000;

export interface Client {
	connection: Connection;
	/** For work on what was received. */
	turns: Turns;
	/** Sends a request once the rate limiter permits it, and retries it while that is safe. @throws RequestError */
	request(request: ApiRequest): Promise<ApiResponse>;
	/** Like `request`, but resolves to the failure instead of throwing. */
	tryRequest(request: ApiRequest): Promise<ApiResponse | Failure>;
}

/** What all requests of a client may use together. */
interface ClientBudget {
	/** Called before each attempt. Returns whether it may be sent. Absent without a maximum of requests. */
	takeRequest?(): boolean;
	/** Milliseconds in which every request must end. No attempt starts in the last `MIN_ATTEMPT_MS`. */
	timeLeftMs(): number;
}

export interface RequestSettings {
	/** Milliseconds after which no further attempt starts. */
	retryForMs: number;
	/** Aborted when the results are no longer needed. Requests with the same signal wait in one queue. */
	signal?: AbortSignal;
	stats?: RequestStats;
	/** Milliseconds after which an attempt ends, instead of the connection's. */
	timeoutMs?: number;
	/** Size of the largest page of a list, instead of 32 MB. */
	maxListBytes?: number;
	budget?: ClientBudget;
	/** Bounds the attempts in progress, also those of other clients. A request between its attempts has no place. */
	semaphore?: Semaphore;
	/** Called with each response, and when its request was sent, on n8n's clock. */
	onResponse?: (response: HttpResponse, sentAtMs: number) => void;
}

export interface ClientOptions extends RequestSettings {
	connection: Connection;
	send: SendRequest;
	dependencies: Dependencies;
	/** Called before the delay of each retry. */
	onRetry: (error: RequestError, delayMs: number) => void;
}

/**
 * Creates a client. A request waits for a place in the semaphore; each attempt then takes a request from the budget, waits
 * until the rate limiter permits it, and is sent. Between two attempts, the request gives up its place.
 */
export function createClient(options: ClientOptions): Client {
	const { connection, dependencies, budget, semaphore, signal, onRetry, retryForMs } = options;
	const { timeoutMs: clientTimeoutMs = connection.timeoutMs, stats = new RequestStats() } = options;
	const { clock, random, rateLimiters, wallClock } = dependencies;
	const rateLimiter = rateLimiters.get(connection);
	const queueKey = signal ?? {};
	const budgetTimeLeftMs = () => budget?.timeLeftMs() ?? Infinity;

	async function tryRequest(request: ApiRequest): Promise<ApiResponse | Failure> {
		// The first attempt gets its place here, because the time for all attempts begins with this place.
		let releasePlace = await semaphore?.acquire();
		const deadlines = deadlinesOf(request, clock.now(), retryForMs, budgetTimeLeftMs());
		const shared = { request, ...deadlines, clock, random, signal, stats, rateLimiter, queueKey, onRetry };
		const sendWithPermit = async () => {
			const ownTimeoutMs =
				request.deadlineMs === undefined
					? request.timeoutMs
					: Math.max(request.deadlineMs - clock.now(), MIN_ATTEMPT_MS);
			const timeoutMs = Math.min(ownTimeoutMs ?? Infinity, clientTimeoutMs, budgetTimeLeftMs());
			return await sendOnce(options, request, timeoutMs);
		};
		const sendAttempt = async (): Promise<ApiResponse | Failure> => {
			releasePlace ??= await semaphore?.acquire();
			try {
				if (budgetTimeLeftMs() < MIN_ATTEMPT_MS) return { kind: 'throttled', isOutOfTime: true };
				if (budget?.takeRequest?.() === false) return { kind: 'throttled' };
				return await withThrottling(sendWithPermit, shared);
			} finally {
				releasePlace?.();
				releasePlace = undefined;
			}
		};
		const result = await withRetries(sendAttempt, shared);
		if (isFailure(result)) {
			const { retryAfterMs } = result;
			return retryAfterMs ? { ...result, retryAtMs: wallClock.now() + retryAfterMs } : result;
		}
		for (const name of result.fieldsWithTextNumbers ?? []) stats.fieldsWithTextNumbers.add(name);
		return result;
	}

	return {
		connection,
		turns: dependencies.turns,
		tryRequest,
		async request(request) {
			const response = await tryRequest(request);
			if (isFailure(response)) throw new RequestError(response, request);
			return response;
		},
	};
}

/**
 * Returns until when attempts may start, on the clock. While only the number of requests in flight delays an attempt, it is
 * `inFlightDeadlineMs`: waiting for their responses is no throttling by the service, so *Retry For* does not limit it.
 *
 * @param budgetLeftMs in which every request must end
 */
function deadlinesOf(request: ApiRequest, nowMs: number, clientRetryForMs: number, budgetLeftMs: number) {
	const { deadlineMs, retryForMs = Infinity, timeoutMs = Infinity } = request;
	// If the budget ended before the response to a write, its outcome would be unknown.
	const budgetEndMs = nowMs + budgetLeftMs - MIN_ATTEMPT_MS;
	const retryUntilMs = deadlineMs ?? nowMs + Math.min(retryForMs, clientRetryForMs);
	const inFlightUntilMs = deadlineMs ?? nowMs + Math.min(timeoutMs, IN_FLIGHT.timeoutMs);
	return {
		deadlineMs: Math.min(retryUntilMs, budgetEndMs),
		inFlightDeadlineMs: Math.min(Math.max(retryUntilMs, inFlightUntilMs), budgetEndMs),
	};
}

/** Sends a request once. @param timeoutMs after which the attempt ends in any case */
export async function sendOnce(
	options: Pick<
		ClientOptions,
		'connection' | 'send' | 'dependencies' | 'signal' | 'onResponse' | 'maxListBytes'
	>,
	request: ApiRequest,
	timeoutMs: number,
): Promise<ApiResponse | Failure> {
	const { connection, send, dependencies, signal, onResponse, maxListBytes = MAX_LIST_BYTES } = options;
	const { turns, wallClock } = dependencies;
	const sentAtMs = wallClock.now();
	const maxBytes = request.endpoint.returns === 'list' ? maxListBytes : MAX_RESOURCE_BYTES;
	const httpOptions = toHttpOptions(connection, request, timeoutMs);
	const sendWithSignal = async (attemptSignal: AbortSignal) =>
		await readResponse(await send(httpOptions, attemptSignal), { signal: attemptSignal, maxBytes, turns });
	const { hostname } = new URL(connection.baseUrl);
	const toFailure = (thrown: unknown) => parseHelperError(thrown, timeoutMs, hostname);
	const response = await withTimeout(timeoutMs, signal, sendWithSignal).catch(toFailure);
	if (isFailure(response)) {
		const isRequestTimeout =
			response.kind === 'timeout' && response.timeoutMs !== undefined && timeoutMs === connection.timeoutMs;
		return isRequestTimeout ? { ...response, isRequestTimeout } : response;
	}
	onResponse?.(response, sentAtMs);
	return parseResponse(request.endpoint, response, httpOptions.url, wallClock.now());
}
