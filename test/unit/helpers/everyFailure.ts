import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import type { Failure, StatusFailure } from '../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';

/** Requests that differ in whether they may be sent again. */
export const requests = {
	GET: { endpoint: endpoints.getRun, ids: { run_id: 'run_1' } },
	'POST with a key': { endpoint: endpoints.createWorkflow, body: { name: 'a' }, idempotencyKey: 'key-1' },
	'POST without a key': { endpoint: endpoints.runWorkflow, ids: { workflow_id: 'wf_1' } },
	PATCH: { endpoint: endpoints.updateWorkflow, ids: { workflow_id: 'wf_1' }, body: { name: 'b' } },
	DELETE: { endpoint: endpoints.deleteWorkflow, ids: { workflow_id: 'wf_1' } },
} satisfies Record<string, ApiRequest>;

export const status = (code: number, rest: Partial<StatusFailure & Failure> = {}): Failure => ({
	kind: 'status',
	status: code,
	...rest,
});

/** Every kind of failure, with every status that has a message of its own. */
export const singleFailures: Failure[] = [
	...[301, 302, 304, 400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504].map((code) =>
		status(code, { requestId: 'req_77' }),
	),
	status(302, { redirectOrigin: 'https://other.example' }),
	status(404, { isHtml: true }),
	status(429, { retryAfterMs: 7000 }),
	status(429, { permittedAfterMs: 61_000 }),
	{ kind: 'network', code: 'ECONNRESET', wasRequestSent: true },
	{ kind: 'network', code: 'ECONNREFUSED', wasRequestSent: false },
	{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
	{ kind: 'timeout', timeoutMs: 60_000 },
	{ kind: 'timeout' },
	{ kind: 'ssrfBlocked' },
	{ kind: 'tooLarge' },
	{ kind: 'unexpectedResponse', bodyFlaw: 'html' },
	{ kind: 'unexpectedResponse', bodyFlaw: 'nothing', requestId: 'req_77' },
	...(['missingCursor', 'cursorLoop', 'endlessEmptyPages', 'tooLong'] as const).map((reason): Failure => ({
		kind: 'invalidPagination',
		reason,
		requestId: 'req_77',
	})),
	{ kind: 'throttled', permittedAfterMs: 61_000 },
	{ kind: 'canceled', wasRequestSent: true },
	{ kind: 'canceled', wasRequestSent: false },
];

/** The same failures after the first attempt, and after several of which one may have been processed. */
export const everyFailure: Failure[] = [
	{},
	{ attempts: 2, elapsedMs: 61_500 },
	{ attempts: 40, elapsedMs: 3_600_000, hasUnknownOutcome: true },
].flatMap((before) => singleFailures.map((failure): Failure => ({ ...failure, ...before })));
