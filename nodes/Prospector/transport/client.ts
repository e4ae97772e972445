import type { IHttpRequestOptions, INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Problem } from './checked';
import { clean } from './clean';
import type { Connection } from './connection';
import { apiError, inputError, stoppedError } from './errors';
import type { Call, Failure } from './failure';
import { networkFailure } from './networkFailure';
import { endpointPath } from './path';
import { rateGates, type RateGates } from './rate/rateGates';
import { readRateReport } from './rate/rateReport';
import { isFailure, readReply, type HttpReply, type Reply } from './reply';
import { withRetries, type Outcome } from './retrying';
import { realTiming, type Timing } from './timing';
import type { Toll } from './toll';

/** Sends one HTTP request with the credential; rejects only when no complete answer came. */
export type Send = (options: IHttpRequestOptions) => Promise<HttpReply>;

/** Exceptions in which neither the API key nor a line break of the service can stand. */
export interface Exceptions {
	/** For an answer that did not come, or cannot be used. */
	failure(failure: Failure, call: Call): NodeApiError;
	/** For anything else that quotes the service. */
	problem(problem: Problem): NodeOperationError;
	/** Text of the service that goes elsewhere than into an exception. */
	clean(text: string): string;
	/** For a wait that ended because the execution was stopped; `during` as in {@link stoppedError}. */
	stopped(during: string, description: string): NodeOperationError;
}

/** The service, as the rest of the node sees it. */
export interface Client extends Exceptions {
	connection: Connection;
	/**
	 * Makes a request: when the rate gate lets it, and again where that is safe and may help.
	 *
	 * @throws NodeApiError that says what happened and what to do
	 */
	call(call: Call): Promise<Reply>;
	/** The same, with a failure as a result. */
	attempt(call: Call): Promise<Reply | Failure>;
}

export interface ClientOptions {
	node: INode;
	connection: Connection;
	send: Send;
	/** Milliseconds without any sign of life after which a try is given up. */
	timeout: number;
	/** Milliseconds after which no further try of a request begins. */
	maxWait: number;
	/** Whose requests these are, where several share the rate gate. */
	owner?: object;
	/** Given when nobody waits for answers any more. */
	signal?: AbortSignal;
	/** Keeps count of retries and of the time for which requests are held back. */
	toll?: Toll;
	/** Takes a line for the log. */
	log?: (line: string) => void;
	gates?: RateGates;
	timing?: Timing;
	random?: () => number;
}

export function createClient(options: ClientOptions): Client {
	const { node, connection, send, timeout, maxWait, owner = {}, signal, log, toll } = options;
	const { gates = rateGates, timing = realTiming, random = Math.random } = options;
	const exceptions = exceptionsOf(node, connection);
	const gate = gates.of(connection);

	const attemptCall = async (call: Call) =>
		await withRetries(
			call,
			async () => await tryOnce(connection, send, call, Math.min(call.timeout ?? timeout, timeout)),
			{
				...{ gate, owner, timing, random, signal, toll },
				maxWait: call.maxWait ?? maxWait,
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
		attempt: attemptCall,
		async call(call) {
			const reply = await attemptCall(call);
			if (isFailure(reply)) throw exceptions.failure(reply, call);
			return reply;
		},
	};
}

export function exceptionsOf(node: INode, { apiKey }: Connection): Exceptions {
	return {
		failure: (failure, call) => apiError(node, failure, call, [apiKey]),
		problem: (problem) => inputError(node, problem, [apiKey]),
		clean: (text) => clean({ text }, [apiKey]).text,
		stopped: (during, description) => stoppedError(node, during, description),
	};
}

/**
 * Sends a request once, and never rejects.
 *
 * @param timeout milliseconds without any sign of life after which it is given up
 */
export async function tryOnce(
	connection: Connection,
	send: Send,
	call: Call,
	timeout: number,
): Promise<Outcome> {
	const answer = await send(httpRequest(connection, call, timeout)).catch(networkFailure);
	if (isFailure(answer)) return { result: answer };
	return {
		result: readReply(call.endpoint, answer),
		report: readRateReport(answer.headers, Date.now()),
	};
}

/**
 * A call as n8n's HTTP helper takes it.
 *
 * @param timeout in milliseconds
 */
export function httpRequest(connection: Connection, call: Call, timeout: number): IHttpRequestOptions {
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
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the API key to wherever it points.
		disableFollowRedirect: true,
		timeout,
	};
}
