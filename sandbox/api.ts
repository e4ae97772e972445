import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { handleRequest, parseBody } from './answer';
import type { ApiRequest } from './answer';
import { renderError } from './errors';
import { digest, iso } from './ids';
import { OPERATIONS } from './operations';
import type { Operation } from './operations';
import type { JournalEntry } from './types';
import { record } from './values';
import { applyFault, send, trickle } from './wire';
import type { Delivery } from './wire';
import type { ServiceState } from './world';

export interface ApiHost {
	/** The world as it is now. */
	world(): ServiceState;
	/** Resolves after real milliseconds, or never when the sandbox is closed first. */
	wait(ms: number): Promise<void>;
	onRequest(entry: JournalEntry): void;
}

/** The routes of /api/public/v1 (contract 4). */
export function apiRoutes(app: FastifyInstance, host: ApiHost): void {
	// Raw bodies: what is wrong with one must not be said before the key has been judged.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	// Not part of the world: ids stay unique across a reset.
	let requests = 0;
	const newRequestId = () => `req_${digest(`request:${++requests}`, 20)}`;
	const handler = (operation?: Operation) => async (request: FastifyRequest, reply: FastifyReply) => {
		await exchange(host, operation, request, reply, newRequestId);
		return reply;
	};
	for (const operation of OPERATIONS) {
		app.route({ method: operation.method, url: operation.path, handler: handler(operation) });
	}
	// Includes known paths with another method: the contract lists no 405.
	app.setNotFoundHandler(handler());
	// What Fastify itself refuses (a body too large) never becomes a request of the API, hence is not journaled.
	app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
		const status = error.statusCode ? 400 : 500;
		if (status === 500) console.error(error);
		const { text, headers } = renderError(status, newRequestId(), host.world().settings);
		return reply.code(status).headers(headers).send(text);
	});
}

async function exchange(
	host: ApiHost,
	operation: Operation | undefined,
	request: FastifyRequest,
	reply: FastifyReply,
	newRequestId: () => string,
): Promise<void> {
	const world = host.world();
	// Node.js would send the time of this machine.
	reply.raw.sendDate = false;
	if (world.settings.dateHeader) reply.raw.setHeader('date', new Date(world.clock()).toUTCString());
	const incoming = readRequest(request);
	const entry = openEntry(world, operation, incoming, request);
	const serve = () => {
		const answer = handleRequest(world, operation, incoming, newRequestId());
		const { committed, replayed, reason } = answer;
		Object.assign(entry, { committed, replayed, reason });
		return answer;
	};
	const fault = world.faults.match(entry);
	if (fault) entry.fault = { id: fault.id, kind: fault.kind };
	const first = !fault || fault.when === 'after' ? serve() : undefined;
	if (fault?.kind === 'slow') await host.wait(fault.delayMs ?? 0);
	let fate: Delivery;
	if (!fault || fault.kind === 'slow') fate = send(reply, first ?? serve());
	else if (fault.kind === 'trickle')
		fate = await trickle(reply, first ?? serve(), () => host.wait(fault.delayMs ?? 0));
	else fate = applyFault(reply, fault, first, newRequestId, world.settings);
	// No time passes between the last byte and this: a client that has the answer finds it in the journal.
	host.onRequest(Object.assign(entry, fate));
}

function readRequest(request: FastifyRequest): ApiRequest {
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

function openEntry(
	world: ServiceState,
	operation: Operation | undefined,
	incoming: ApiRequest,
	request: FastifyRequest,
) {
	return world.journal.open({
		time: iso(world.clock()),
		method: incoming.method,
		path: incoming.path,
		query: record(Object.entries(incoming.query as JournalEntry['query'])),
		keyName: world.keys.keyNameOf(incoming.authorization),
		operation: operation?.name ?? null,
		idempotencyKey: incoming.idempotencyKey ?? null,
		body: incoming.body,
		contentType: incoming.contentType ?? null,
		userAgent: request.headers['user-agent'] ?? null,
		hasAuthorization: incoming.authorization !== undefined,
	});
}
