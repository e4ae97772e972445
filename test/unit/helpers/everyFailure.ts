import { endpoints } from '../../../nodes/Prospector/transport/request/endpoints';
import type { ApiRequest, Failure } from '../../../nodes/Prospector/transport/failure/failure';

/** The four ways in which a request may or may not be repeated, and what each endpoint is asked with. */
export const calls = {
	'a read': { endpoint: endpoints.getRun, ids: { run_id: 'run_1' } },
	'a POST with a key': { endpoint: endpoints.createWorkflow, body: { name: 'a' }, idempotencyKey: 'key-1' },
	'a POST without a key': { endpoint: endpoints.runWorkflow, ids: { workflow_id: 'wf_1' } },
	'a PATCH': { endpoint: endpoints.updateWorkflow, ids: { workflow_id: 'wf_1' }, body: { name: 'b' } },
	'a DELETE': { endpoint: endpoints.deleteWorkflow, ids: { workflow_id: 'wf_1' } },
} satisfies Record<string, ApiRequest>;

/** One call per endpoint, with the ids that its path names. */
export const callsByEndpoint: Array<[string, ApiRequest]> = Object.entries(endpoints).map(
	([name, endpoint]) => [
		name,
		{
			endpoint,
			ids: {
				...(endpoint.path.includes('{workflow_id}') && { workflow_id: 'wf_1' }),
				...(endpoint.path.includes('{run_id}') && { run_id: 'run_1' }),
			},
			...(['createWorkflow', 'updateWorkflow'].includes(name) && { body: { name: 'a' } }),
		},
	],
);

export const status = (code: number, rest: object = {}): Failure => ({
	kind: 'status',
	status: code,
	...rest,
});

/** Every kind of failure, with every status that is explained in words of its own. */
export const everyFailure: Failure[] = [
	...[301, 302, 400, 401, 403, 404, 409, 413, 418, 422, 429, 500, 502, 503, 504].map((code) =>
		status(code, { requestId: 'req_77' }),
	),
	status(302, { location: 'https://other.example' }),
	status(404),
	{ kind: 'network', code: 'ECONNRESET', requestSent: true },
	{ kind: 'network', code: 'ECONNREFUSED', requestSent: false },
	{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
	{ kind: 'timeout' },
	{ kind: 'ssrfBlocked' },
	{ kind: 'truncatedResponse', code: 'ECONNRESET' },
	{ kind: 'unexpectedResponse', received: 'a web page' },
	{ kind: 'unexpectedResponse', received: 'nothing', requestId: 'req_77' },
	{ kind: 'invalidPagination', reason: 'missingCursor', requestId: 'req_77' },
	{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req_77' },
	{ kind: 'invalidPagination', reason: 'endlessEmptyPages', requestId: 'req_77' },
	{ kind: 'throttled', throttledMs: 61_000 },
	{ kind: 'canceled' },
	{ kind: 'canceled', beforeSend: true },
	...triedBefore({ attempts: 2, elapsedMs: 61_500 }),
	...triedBefore({ attempts: 40, elapsedMs: 3_600_000, outcomeUnknown: true }),
];

/** What a request can end in that was sent before. */
function triedBefore(before: Pick<Failure, 'attempts' | 'elapsedMs' | 'outcomeUnknown'>): Failure[] {
	const endings: Failure[] = [
		...[401, 404, 409, 429, 503].map((code) => status(code, { requestId: 'req_77' })),
		status(429, { retryAfter: 7 }),
		status(429, { throttledMs: 61_000 }),
		{ kind: 'network', code: 'ECONNREFUSED', requestSent: false },
		{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
		{ kind: 'timeout' },
		{ kind: 'canceled' },
		{ kind: 'canceled', beforeSend: true },
	];
	return endings.map((ending) => ({ ...ending, ...before }));
}
