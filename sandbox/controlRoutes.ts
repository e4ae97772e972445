import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLarge, checkAccess, MAX_CONTROL_BODY_BYTES, unsupportedMediaType } from './controlAccess';
import { ControlError } from './errors';
import type { SandboxSettings } from './settings';
import type { Control, FaultRule, NewKey, SeedRequest } from './types';
import { FAULT_KINDS } from './validateFaultRule';
import { isObject } from './values';

interface ControlRequest {
	body: Record<string, unknown>;
	name: string;
}

interface Route {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Below /_control; `:name` also stands for the id of a fault rule. */
	path: string;
	summary: string;
	run(control: Control, request: ControlRequest): unknown;
}

const ROUTES: Route[] = [
	{ method: 'GET', path: '/state', summary: 'settings, keys and counts', run: (control) => control.state() },
	{
		method: 'PATCH',
		path: '/settings',
		summary: 'change some settings',
		run: (control, { body }) => control.patchSettings(body as Partial<SandboxSettings>),
	},
	{
		method: 'POST',
		path: '/seed',
		summary: 'add workflows, runs and results',
		run: (control, { body }) => control.seed(body as SeedRequest),
	},
	{
		method: 'POST',
		path: '/keys',
		summary: 'create a key',
		run: (control, { body }) => control.createKey(body as unknown as NewKey),
	},
	{
		method: 'POST',
		path: '/keys/:name/rotate',
		summary: 'create a new secret; the old one is revoked at once',
		run: (control, { name }) => control.rotateKey(name),
	},
	{
		method: 'POST',
		path: '/keys/:name/revoke',
		summary: 'revoke a key',
		run: (control, { name }) => control.revokeKey(name),
	},
	{ method: 'GET', path: '/faults', summary: 'the fault rules', run: (control) => control.faults() },
	{
		method: 'POST',
		path: '/faults',
		summary: `add a fault rule: {"kind": "drop"}; kinds: ${FAULT_KINDS.join(', ')}`,
		run: (control, { body }) => control.addFault(body as unknown as FaultRule),
	},
	{
		method: 'DELETE',
		path: '/faults',
		summary: 'remove all fault rules',
		run: (control) => ({ removed: control.clearFaults() }),
	},
	{
		method: 'DELETE',
		path: '/faults/:name',
		summary: 'remove one fault rule, by id',
		run: (control, { name }) => ({ removed: control.clearFaults(name) }),
	},
	{ method: 'GET', path: '/journal', summary: 'all API requests', run: (control) => control.journal() },
	{
		method: 'DELETE',
		path: '/journal',
		summary: 'empty the journal',
		run: (control) => ({ removed: control.clearJournal() }),
	},
	{ method: 'GET', path: '/runs', summary: 'all runs, with their origin', run: (control) => control.runs() },
	{
		method: 'PATCH',
		path: '/runs/:name',
		summary: 'change the status of a run: {"status": "failed"}',
		run: (control, { body, name }) => control.setRunStatus(name, body.status as string),
	},
	{ method: 'POST', path: '/reset', summary: 'restore the initial state', run: (control) => control.reset() },
	{
		method: 'POST',
		path: '/clock',
		summary: 'move the clock forward: {"ms": 60000}',
		run: (control, { body }) => control.advanceClock(body.ms as number),
	},
];

const CALLS = ROUTES.map((route) => `${route.method} /_control${route.path}: ${route.summary}`);

/** Registers the control API. Its requests need no key and are not in the journal. */
export function registerControlRoutes(app: FastifyInstance, control: Control): void {
	app.addHook('onRequest', async (request) => checkAccess(request.raw));
	// checkAccess has already rejected other media types than JSON, except for empty bodies.
	app.removeAllContentTypeParsers();
	const limit = { parseAs: 'string', bodyLimit: MAX_CONTROL_BODY_BYTES } as const;
	app.addContentTypeParser('*', limit, (_request, body, done) => done(null, body));
	for (const { method, path, run } of ROUTES) {
		app.route({
			method,
			url: path,
			handler: async (request) =>
				run(control, { body: readBody(request), name: (request.params as { name: string }).name }),
		});
	}
	app.setNotFoundHandler((request, reply) => {
		return reply.code(404).send({ error: `There is no ${request.method} ${request.url}.`, calls: CALLS });
	});
	app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
		const known = toControlError(error);
		const status = known?.status ?? error.statusCode ?? 500;
		if (status === 500) console.error(error);
		const { message } = known ?? error;
		return reply.code(status).send({ error: message, ...(status === 403 ? {} : { calls: CALLS }) });
	});
}

/** Replaces the messages of two failures that Fastify detects. */
function toControlError(error: Error & { statusCode?: number }): ControlError | undefined {
	if (error instanceof ControlError) return error;
	if (error.statusCode === 413) return bodyTooLarge();
	return error.statusCode === 415 ? unsupportedMediaType() : undefined;
}

function readBody(request: FastifyRequest): Record<string, unknown> {
	if (!request.body) return {};
	try {
		const body: unknown = JSON.parse(request.body as string);
		if (isObject(body)) return body;
	} catch {
		// Rejected below, like any other body that is not a JSON object.
	}
	throw new ControlError(400, 'The body must be a JSON object.');
}
