import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deliver } from './delivery';
import { renderError } from './errors';
import { openExchange } from './exchange';
import type { ApiRequest } from './handleRequest';
import type { Service } from './service';
import type { JournalEntry } from './types';

export interface ApiHost {
	service: Service;
	/** Resolves after real milliseconds, or never if the sandbox is closed first. */
	wait(ms: number): Promise<void>;
	onRequest(entry: JournalEntry): void;
}

/** Serves the API (contract, section 4). */
export function registerApiRoutes(app: FastifyInstance, { service, wait, onRequest }: ApiHost): void {
	// Bodies stay unparsed, because authentication comes before validation.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	// Fastify has no routes of the API, so that all transports find operations in the same way.
	app.setNotFoundHandler(async (request, reply) => {
		const { entry, delayMs, decide } = openExchange(service, toApiRequest(request));
		// Node.js would send the time of this machine.
		reply.raw.sendDate = false;
		if (delayMs > 0) await wait(delayMs);
		entry.status = await deliver(reply, decide(), wait);
		onRequest(entry);
		return reply;
	});
	// Requests that Fastify itself rejects, such as too large bodies, never reach the API and its journal.
	app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
		const status = error.statusCode ? 400 : 500;
		if (status === 500) console.error(error); // eslint-disable-line no-console -- not published
		const { text, headers } = renderError(status, service.newRequestId(), service.state().settings);
		return reply.code(status).headers(headers).send(text);
	});
}

function toApiRequest(request: FastifyRequest): ApiRequest {
	return {
		method: request.method,
		path: request.originalUrl.split('?', 1)[0],
		query: request.query as Record<string, unknown>,
		// Node.js joins the values of a repeated header.
		headers: request.headers as Record<string, string | undefined>,
		body: Buffer.isBuffer(request.body) ? request.body.toString() : '',
	};
}
