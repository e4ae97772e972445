import type { IHttpRequestOptions, INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { UserMessage } from '../../messages/userMessage';
import type { Connection } from '../../parameters/credential/connection';
import { apiError, inputError, stoppedError } from '../../messages/nodeErrors';
import type { ApiRequest, Failure } from '../failure/failure';
import { toPlainText } from '../failure/plainText';
import { networkFailure } from '../failure/networkFailure';
import { endpointPath } from '../path';
import { parseRateLimitHeaders } from '../rate/rateLimitHeaders';
import { rateLimiters, type RateLimiterRegistry } from '../rate/rateLimiters';
import { isFailure, parseResponse, type HttpResponse, type ApiResponse } from './response';
import type { RequestBudget } from './requestBudget';
import { withDeadline } from './withDeadline';
import { systemClock, type Clock } from '../retry/clock';
import type { RequestStats } from '../retry/requestStats';
import { withRetries, type AttemptResult } from '../retry/withRetries';

/**
 * Sends one HTTP request with the credential, and closes its connection when the signal is aborted.
 *
 * @throws what n8n's HTTP helper throws when there is no complete response
 */
export type SendRequest = (
	options: IHttpRequestOptions,
	signal: AbortSignal,
) => Promise<HttpResponse | Failure>;

/** Exceptions in which neither the API key nor a line break of the service can stand. */
export interface ErrorFactory {
	/** For an answer that did not come, or cannot be used. */
	failure(failure: Failure, call: ApiRequest): NodeApiError;
	/** For anything else that quotes the service. */
	problem(problem: UserMessage): NodeOperationError;
	/** Text of the service as it may appear in a message, a hint or the log. */
	clean(text: string): string;
	/** For a wait that ended because the execution was stopped; `during` as in {@link stoppedError}. */
	stopped(during: string, description: string): NodeOperationError;
}

/** The service, as the rest of the node sees it. */
export interface Client extends ErrorFactory {
	connection: Connection;
	/**
	 * Makes a request: once the rate limiter permits it, and again where that is safe and may help.
	 *
	 * @throws NodeApiError that says what happened and what to do
	 */
	request(call: ApiRequest): Promise<ApiResponse>;
	/** The same, with a failure as a result. */
	safeRequest(call: ApiRequest): Promise<ApiResponse | Failure>;
}

export interface ClientOptions {
	node: INode;
	connection: Connection;
	send: SendRequest;
	/** Milliseconds after which an attempt ends, whatever the service sends. */
	timeout: number;
	/** Milliseconds after which no further try of a request begins. */
	maxWait: number;
	/** Identifies the queue these requests wait in when several executions share a rate limiter. */
	queueKey?: object;
	/** Given when nobody waits for answers any more. */
	signal?: AbortSignal;
	/** Limits all requests together. */
	budget?: RequestBudget;
	/** Keeps count of retries and of the time for which requests are held back. */
	stats?: RequestStats;
	/** Takes a line for the log. */
	log?: (line: string) => void;
	limiters?: RateLimiterRegistry;
	clock?: Clock;
	random?: () => number;
}

export function createClient(options: ClientOptions): Client {
	const { node, connection, send, timeout, maxWait, queueKey = {}, signal, budget, log, stats } = options;
	const { limiters = rateLimiters, clock = systemClock, random = Math.random } = options;
	const exceptions = createErrorFactory(node, connection);
	const limiter = limiters.get(connection);

	const timeLeft = () => budget?.timeLeft() ?? Infinity;
	const sendWithHeaders: SendRequest = async (...args) => {
		const response = await send(...args);
		if (!isFailure(response)) budget?.onResponse(response);
		return response;
	};
	const attemptCall = async (call: ApiRequest) =>
		await withRetries(
			call,
			async () =>
				await sendOnce(
					connection,
					sendWithHeaders,
					call,
					Math.min(call.timeout ?? timeout, timeout, timeLeft()),
					signal,
				),
			{
				limiter,
				queueKey,
				clock,
				random,
				signal,
				stats,
				takeRequest: () => budget?.takeRequest() ?? true,
				maxWait: Math.min(call.maxWait ?? maxWait, timeLeft()),
				onRetry(failure, pause) {
					const { message } = exceptions.failure(failure, call);
					const when = pause > 0 ? `in ${(pause / 1000).toFixed(1)} s` : 'as soon as the limit allows';
					log?.(`${message}. Trying again ${when}`);
				},
			},
		);
	return {
		...exceptions,
		connection,
		safeRequest: attemptCall,
		async request(call) {
			const reply = await attemptCall(call);
			if (isFailure(reply)) throw exceptions.failure(reply, call);
			return reply;
		},
	};
}

/** Longer than any status that a service uses. */
const MAX_QUOTED_LENGTH = 200;

export function createErrorFactory(node: INode, { redact }: Connection): ErrorFactory {
	return {
		failure: (failure, call) => apiError(node, failure, call, redact),
		problem: (problem) => inputError(node, problem, redact),
		clean: (text) => toPlainText(text, redact, MAX_QUOTED_LENGTH),
		stopped: (during, description) => stoppedError(node, during, description),
	};
}

/**
 * Sends a request once. Never rejects.
 *
 * @param timeout milliseconds after which the attempt ends, whatever the service sends
 * @param cancelSignal ends the attempt early
 */
export async function sendOnce(
	connection: Connection,
	send: SendRequest,
	call: ApiRequest,
	timeout: number,
	cancelSignal?: AbortSignal,
): Promise<AttemptResult> {
	const options = toHttpOptions(connection, call, timeout);
	const answer = await withDeadline(
		timeout,
		cancelSignal,
		async (signal) => await send(options, signal),
	).catch(networkFailure);
	if (answer === 'timedOut') return { result: { kind: 'timeout' } };
	if (answer === 'canceled') return { result: { kind: 'canceled' } };
	if (isFailure(answer)) return { result: answer };
	return {
		result: parseResponse(call.endpoint, answer),
		headers: parseRateLimitHeaders(answer.headers, Date.now()),
	};
}

/**
 * A call as n8n's HTTP helper takes it.
 *
 * @param timeout in milliseconds
 */
export function toHttpOptions(
	connection: Connection,
	call: ApiRequest,
	timeout: number,
): IHttpRequestOptions {
	const { endpoint, ids, query = {}, body, idempotencyKey } = call;
	return {
		method: endpoint.method,
		url: connection.baseUrl + endpointPath(endpoint, ids),
		qs: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
		headers: {
			...(body && { 'Content-Type': 'application/json' }),
			...(endpoint.takesIdempotencyKey && idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
		},
		// As text: the helper would drop an empty object together with its content type.
		...(body && { body: JSON.stringify(body) }),
		json: true,
		// Only the body of a stream can be bounded.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the API key to wherever it points.
		disableFollowRedirect: true,
		timeout,
	};
}
