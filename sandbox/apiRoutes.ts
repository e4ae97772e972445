import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { applyFault, send, trickle } from './delivery';
import type { Delivery } from './delivery';
import { renderError } from './errors';
import { handleRequest, parseBody } from './handleRequest';
import type { ApiRequest } from './handleRequest';
import { digest, iso } from './ids';
import { OPERATIONS } from './operations';
import type { Operation } from './operations';
import type { ServiceState } from './serviceState';
import type { JournalEntry } from './types';
import { copyWithoutPrototype } from './values';

export interface ApiHost {
	/** Returns the current state. A reset replaces it. */
	state(): ServiceState;
	/** Resolves after real milliseconds, or never if the sandbox is closed first. */
	wait(ms: number): Promise<void>;
	onRequest(entry: JournalEntry): void;
}

/** Registers the routes of /api/public/v1 (contract 4). */
export function registerApiRoutes(app: FastifyInstance, host: ApiHost): void {
	// Bodies stay unparsed, because authentication comes before validation.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	// Not part of the state, so that request IDs stay unique across a reset.
	let requests = 0;
	const newRequestId = () => `req_${digest(`request:${++requests}`, 20)}`;
	const handler = (operation?: Operation) => async (request: FastifyRequest, reply: FastifyReply) => {
		await respond(host, operation, request, reply, newRequestId);
		return reply;
	};
	for (const operation of OPERATIONS) {
		app.route({ method: operation.method, url: operation.path, handler: handler(operation) });
	}
	// Includes known paths with another method: the contract lists no 405.
	app.setNotFoundHandler(handler());
	// Requests that Fastify itself rejects, such as too large bodies, never reach the API and its journal.
	app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
		const status = error.statusCode ? 400 : 500;
		if (status === 500) console.error(error);
		const { text, headers } = renderError(status, newRequestId(), host.state().settings);
		return reply.code(status).headers(headers).send(text);
	});
}

async function respond(
	host: ApiHost,
	operation: Operation | undefined,
	request: FastifyRequest,
	reply: FastifyReply,
	newRequestId: () => string,
): Promise<void> {
	const state = host.state();
	// Node.js would send the time of this machine.
	reply.raw.sendDate = false;
	if (state.settings.dateHeader) reply.raw.setHeader('date', new Date(state.clock()).toUTCString());
	const apiRequest = toApiRequest(request);
	const entry = addJournalEntry(state, operation, apiRequest, request);
	const handle = () => {
		const response = handleRequest(state, operation, apiRequest, newRequestId());
		const { committed, replayed, reason } = response;
		Object.assign(entry, { committed, replayed, reason });
		return response;
	};
	const fault = state.faults.match(entry);
	if (fault) entry.fault = { id: fault.id, kind: fault.kind };
	const response = !fault || fault.when === 'after' ? handle() : undefined;
	if (fault?.kind === 'slow') await host.wait(fault.delayMs ?? 0);
	let delivery: Delivery;
	if (!fault || fault.kind === 'slow') delivery = send(reply, response ?? handle());
	else if (fault.kind === 'trickle')
		delivery = await trickle(reply, response ?? handle(), () => host.wait(fault.delayMs ?? 0));
	else delivery = applyFault(reply, fault, response, newRequestId, state.settings);
	// Synchronous after the last byte, so that a client with the response finds it in the journal.
	host.onRequest(Object.assign(entry, delivery));
}

function toApiRequest(request: FastifyRequest): ApiRequest {
	const { headers } = request;
	const key = headers['idempotency-key'];
	return {
		method: request.method,
		path: request.originalUrl.split('?', 1)[0],
		params: request.params as Record<string, string>,
		query: request.query as Record<string, unknown>,
		authorization: headers.authorization,
		idempotencyKey: Array.isArray(key) ? key.join(', ') : key,
		contentType: headers['content-type'],
		body: parseBody(request.body),
	};
}

function addJournalEntry(
	state: ServiceState,
	operation: Operation | undefined,
	apiRequest: ApiRequest,
	request: FastifyRequest,
) {
	return state.journal.add({
		time: iso(state.clock()),
		method: apiRequest.method,
		path: apiRequest.path,
		query: copyWithoutPrototype(Object.entries(apiRequest.query as JournalEntry['query'])),
		keyName: state.keys.keyNameOf(apiRequest.authorization),
		operation: operation?.name ?? null,
		idempotencyKey: apiRequest.idempotencyKey ?? null,
		body: apiRequest.body,
		contentType: apiRequest.contentType ?? null,
		userAgent: request.headers['user-agent'] ?? null,
		hasAuthorization: apiRequest.authorization !== undefined,
	});
}
