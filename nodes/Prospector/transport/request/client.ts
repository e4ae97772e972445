import type { IHttpRequestOptions } from 'n8n-workflow';
import type { Dependencies } from '../dependencies';
import { type Failure, networkFailure } from '../../api/failure/failure';
import { RequestError } from '../../api/failure/requestError';
import { RequestStats } from '../retry/requestStats';
import { withRetries } from '../retry/withRetries';
import { withThrottling } from '../retry/withThrottling';
import { type ApiRequest, type Connection, toHttpOptions } from '../../api/apiRequest';
import type { RequestBudget } from './requestBudget';
import { type ApiResponse, type HttpResponse, isFailure, parseResponse } from '../../api/response';
import { withDeadline } from './withDeadline';

/**
 * Sends one HTTP request with the credential, and closes its connection when the signal is aborted.
 *
 * @throws what n8n's HTTP helper throws when there is no complete response
 */
export type SendRequest = (
	options: IHttpRequestOptions,
	signal: AbortSignal,
) => Promise<HttpResponse | Failure>;

export interface Client {
	connection: Connection;
	/** Sends a request once the rate limiter permits it, and retries it while that is safe. @throws RequestError */
	request(request: ApiRequest): Promise<ApiResponse>;
	/** Like `request`, but resolves to the failure instead of throwing. */
	safeRequest(request: ApiRequest): Promise<ApiResponse | Failure>;
}

export interface RequestSettings {
	/** Milliseconds after which no further attempt starts. */
	retryFor: number;
	/** Aborted when the results are no longer needed. */
	signal?: AbortSignal;
	stats?: RequestStats;
	/** Milliseconds after which an attempt ends, instead of the connection's. */
	timeout?: number;
	/** Identifies the queue of these requests when several executions share a rate limiter. */
	queueKey?: object;
	/** Limits all requests of the client together. */
	budget?: RequestBudget;
	/** Called with each response, and the time when its request was sent. */
	onResponse?: (response: HttpResponse, sentAtMs: number) => void;
	/** Called before the delay of each retry. */
	onRetry?: (failed: RequestError, delayMs: number) => void;
}

export interface ClientOptions extends RequestSettings {
	connection: Connection;
	send: SendRequest;
	dependencies: Dependencies;
}

type SendOptions = Pick<ClientOptions, 'connection' | 'send' | 'signal'> & {
	dependencies: Pick<Dependencies, 'wallClock'>;
};

export function createClient(options: ClientOptions): Client {
	const { connection, dependencies, send, budget, queueKey = {}, signal, onRetry, onResponse } = options;
	const { timeout = connection.timeout, retryFor, stats = new RequestStats() } = options;
	const { clock, wallClock, random, limiters } = dependencies;
	const limiter = limiters.get(connection);
	const timeLeftMs = () => budget?.timeLeftMs() ?? Infinity;
	const sendAndReport: SendRequest = async (...args) => {
		const sentAtMs = wallClock.now();
		const response = await send(...args);
		if (!isFailure(response)) onResponse?.(response, sentAtMs);
		return response;
	};
	async function safeRequest(request: ApiRequest): Promise<ApiResponse | Failure> {
		const deadlineMs = clock.now() + Math.min(request.retryFor ?? retryFor, timeLeftMs());
		const shared = { deadlineMs, signal, recorder: stats.request(), clock };
		const sendInTime = async () => {
			const timeoutMs = Math.min(request.timeout ?? timeout, timeout, timeLeftMs());
			return await sendOnce({ ...options, send: sendAndReport }, request, timeoutMs);
		};
		const attempt = async (): Promise<ApiResponse | Failure> =>
			budget?.takeRequest() === false
				? { kind: 'throttled' }
				: await withThrottling(sendInTime, { ...shared, limiter, queueKey });
		return await withRetries(attempt, {
			...{ ...shared, request, random },
			onRetry: (failure, delayMs) => onRetry?.(new RequestError(failure, request), delayMs),
		});
	}

	async function request(request: ApiRequest): Promise<ApiResponse> {
		const response = await safeRequest(request);
		if (isFailure(response)) throw new RequestError(response, request);
		return response;
	}
	return { connection, request, safeRequest };
}

/**
 * Sends a request once.
 *
 * @param timeout milliseconds after which the attempt ends in any case
 * @throws when the body can't be serialized
 */
export async function sendOnce(
	{ connection, send, dependencies, signal }: SendOptions,
	request: ApiRequest,
	timeout: number,
): Promise<ApiResponse | Failure> {
	const options = toHttpOptions(connection, request, timeout);
	const task = async (attemptSignal: AbortSignal) => await send(options, attemptSignal);
	const response = await withDeadline(timeout, signal, task).catch((thrown: unknown) =>
		networkFailure(thrown, timeout),
	);
	if (isFailure(response)) return response;
	return parseResponse(request.endpoint, response, dependencies.wallClock.now());
}
