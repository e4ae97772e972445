import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLarge, checkAccess, MAX_CONTROL_BODY_BYTES, notJson } from './controlAccess';
import { ControlError } from './errors';
import { KINDS } from './faultCheck';
import type { SandboxSettings } from './settings';
import type { Control, FaultRule, NewKey, SeedRequest } from './types';
import { isObject } from './values';

interface Call {
	body: Record<string, unknown>;
	name: string;
}

interface Route {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Below /_control; `:name` also stands for the id of a fault rule. */
	path: string;
	what: string;
	run(control: Control, call: Call): unknown;
}

const ROUTES: Route[] = [
	{ method: 'GET', path: '/state', what: 'settings, keys, counts', run: (control) => control.state() },
	{
		method: 'PATCH',
		path: '/settings',
		what: 'change some settings',
		run: (control, { body }) => control.patchSettings(body as Partial<SandboxSettings>),
	},
	{
		method: 'POST',
		path: '/seed',
		what: 'add workflows, runs, results',
		run: (control, { body }) => control.seed(body as SeedRequest),
	},
	{
		method: 'POST',
		path: '/keys',
		what: 'make a key',
		run: (control, { body }) => control.createKey(body as unknown as NewKey),
	},
	{
		method: 'POST',
		path: '/keys/:name/rotate',
		what: 'new secret; the old one is dead at once',
		run: (control, { name }) => control.rotateKey(name),
	},
	{
		method: 'POST',
		path: '/keys/:name/revoke',
		what: 'end a key',
		run: (control, { name }) => control.revokeKey(name),
	},
	{ method: 'GET', path: '/faults', what: 'the fault rules', run: (control) => control.faults() },
	{
		method: 'POST',
		path: '/faults',
		what: `add a fault rule: {"kind": "drop"}; kinds: ${KINDS.join(', ')}`,
		run: (control, { body }) => control.addFault(body as unknown as FaultRule),
	},
	{
		method: 'DELETE',
		path: '/faults',
		what: 'remove all fault rules',
		run: (control) => ({ removed: control.clearFaults() }),
	},
	{
		method: 'DELETE',
		path: '/faults/:name',
		what: 'remove one fault rule, by id',
		run: (control, { name }) => ({ removed: control.clearFaults(name) }),
	},
	{ method: 'GET', path: '/journal', what: 'all API requests', run: (control) => control.journal() },
	{
		method: 'DELETE',
		path: '/journal',
		what: 'empty the journal',
		run: (control) => ({ removed: control.clearJournal() }),
	},
	{ method: 'GET', path: '/runs', what: 'which runs there really are', run: (control) => control.runs() },
	{
		method: 'PATCH',
		path: '/runs/:name',
		what: 'change the status of a run: {"status": "failed"}',
		run: (control, { body, name }) => control.setRunStatus(name, body.status as string),
	},
	{ method: 'POST', path: '/reset', what: 'back to the start', run: (control) => control.reset() },
	{
		method: 'POST',
		path: '/clock',
		what: 'move the clock forward: {"ms": 60000}',
		run: (control, { body }) => control.advanceClock(body.ms as number),
	},
];

const CALLS = ROUTES.map((route) => `${route.method} /_control${route.path}: ${route.what}`);

/** The routes of the control API: what tests and demos do to the sandbox. No key, and outside the journal. */
export function controlRoutes(app: FastifyInstance, control: Control): void {
	app.addHook('onRequest', async (request) => checkAccess(request.raw));
	// Bodies of other types than JSON do not get this far (see checkAccess), except empty ones.
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
		const refusal = refusalOf(error);
		const status = refusal?.status ?? error.statusCode ?? 500;
		if (status === 500) console.error(error);
		const { message } = refusal ?? error;
		return reply.code(status).send({ error: message, ...(status === 403 ? {} : { calls: CALLS }) });
	});
}

/** Fastify has words of its own for two of the refusals. */
function refusalOf(error: Error & { statusCode?: number }): ControlError | undefined {
	if (error instanceof ControlError) return error;
	if (error.statusCode === 413) return bodyTooLarge();
	return error.statusCode === 415 ? notJson() : undefined;
}

function readBody(request: FastifyRequest): Record<string, unknown> {
	if (!request.body) return {};
	try {
		const body: unknown = JSON.parse(request.body as string);
		if (isObject(body)) return body;
	} catch {
		// Falls through to the refusal.
	}
	throw new ControlError(400, 'The body must be a JSON object.');
}
