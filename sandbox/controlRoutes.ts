import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLarge, checkAccess, MAX_CONTROL_BODY_BYTES, unsupportedMediaType } from './controlAccess';
import { ControlError } from './errors';
import type { SandboxSettings } from './settings';
import type { Control, FaultRule, NewKey, SeedRequest } from './types';
import { FAULT_KINDS } from './validateFaultRule';
import { isObject } from './values';

/** All functions of the control API check their input, so the body has no type of its own. */
type Body = SandboxSettings & SeedRequest & NewKey & FaultRule & { ms: number };

/** The path is below /_control; `:name` also stands for an ID. Without a result, the response is `{}`. */
type Route = [
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
	path: string,
	summary: string,
	run: (control: Control, body: Body, name: string) => unknown,
];

const removed = (count: number) => ({ removed: count });
const kinds = FAULT_KINDS.join(', ');

const ROUTES: Route[] = [
	['GET', '/state', 'settings, keys and counts', (control) => control.state()],
	['PATCH', '/settings', 'change some settings', (control, body) => control.patchSettings(body)],
	['POST', '/seed', 'add workflows, runs and results', (control, body) => control.seed(body)],
	['POST', '/keys', 'create a key', (control, body) => control.createKey(body)],
	[
		'POST',
		'/keys/:name/rotate',
		'create a new secret; the old one is revoked at once',
		(control, _, name) => control.rotateKey(name),
	],
	['GET', '/faults', 'the fault rules', (control) => control.faults()],
	[
		'POST',
		'/faults',
		`add a fault rule: {"kind": "drop"}; kinds: ${kinds}`,
		(control, body) => control.addFault(body),
	],
	['DELETE', '/faults', 'remove all fault rules', (control) => removed(control.clearFaults())],
	[
		'DELETE',
		'/faults/:name',
		'remove one fault rule, by id',
		(control, _, name) => removed(control.clearFaults(name)),
	],
	['GET', '/journal', 'all API requests', (control) => control.journal()],
	['DELETE', '/journal', 'empty the journal', (control) => removed(control.clearJournal())],
	['GET', '/runs', 'all runs, with their origin', (control) => control.runs()],
	[
		'PATCH',
		'/runs/:name',
		'change the status of a run: {"status": "failed"}',
		(control, { status }, name) => control.setRunStatus(name, status),
	],
	['DELETE', '/runs/:name', 'delete a run', (control, _, name) => control.deleteRun(name)],
	['DELETE', '/results/:name', 'delete a result', (control, _, name) => control.deleteResult(name)],
	['DELETE', '/workflows/:name', 'delete a workflow', (control, _, name) => control.deleteWorkflow(name)],
	[
		'POST',
		'/workflows/:name/restore',
		'restore a deleted workflow',
		(control, _, name) => control.restoreWorkflow(name),
	],
	['POST', '/reset', 'restore the initial state', (control) => control.reset()],
	['POST', '/clock', 'move the clock forward: {"ms": 60000}', (control, { ms }) => control.advanceClock(ms)],
];

const CALLS = ROUTES.map(([method, path, summary]) => `${method} /_control${path}: ${summary}`);

/** Registers the control API. Its requests need no key and are not in the journal. */
export function registerControlRoutes(app: FastifyInstance, control: Control): void {
	app.addHook('onRequest', async (request) => checkAccess(request.raw));
	// checkAccess has already rejected other media types than JSON, except for empty bodies.
	app.removeAllContentTypeParsers();
	const limit = { parseAs: 'string', bodyLimit: MAX_CONTROL_BODY_BYTES } as const;
	app.addContentTypeParser('*', limit, (_request, body, done) => done(null, body));
	for (const [method, url, , run] of ROUTES) {
		app.route({
			method,
			url,
			handler: async (request) =>
				run(control, readBody(request) as unknown as Body, (request.params as { name: string }).name) ?? {},
		});
	}
	app.setNotFoundHandler((request, reply) => {
		return reply.code(404).send({ error: `There is no ${request.method} ${request.url}.`, calls: CALLS });
	});
	app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
		const known = toControlError(error);
		const status = known?.status ?? error.statusCode ?? 500;
		if (status === 500) console.error(error); // eslint-disable-line no-console -- not published
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
