import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import type { Failure, StatusFailure } from '../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';

/** Requests that differ in whether they may be sent again. */
export const requests = {
	GET: { endpoint: endpoints.getRun, ids: { run_id: 'run_1' } },
	'POST with a key': { endpoint: endpoints.createWorkflow, body: '{"name":"a"}', idempotencyKey: 'key-1' },
	'POST without a key': { endpoint: endpoints.runWorkflow, ids: { workflow_id: 'wf_1' } },
	PATCH: { endpoint: endpoints.updateWorkflow, ids: { workflow_id: 'wf_1' }, body: '{"name":"b"}' },
	DELETE: { endpoint: endpoints.deleteWorkflow, ids: { workflow_id: 'wf_1' } },
} satisfies Record<string, ApiRequest>;

export const status = (code: number, rest: Partial<StatusFailure & Failure> = {}): Failure => ({
	kind: 'status',
	status: code,
	...rest,
});

/** A response of something in front of the service. */
export const intermediary = (code: number, rest = {}): Failure => ({
	kind: 'intermediary',
	status: code,
	...rest,
});

/** Failures without a complete response, by their cause. */
export const noResponse = {
	unreachable: { kind: 'noResponse', evidence: 'notSent', cause: 'unreachable', code: 'ECONNREFUSED' },
	certificate: { kind: 'noResponse', evidence: 'notSent', cause: 'certificate', code: 'CERT_HAS_EXPIRED' },
	connectionLost: { kind: 'noResponse', evidence: 'unknown', cause: 'connectionLost', code: 'ECONNRESET' },
	tls: { kind: 'noResponse', evidence: 'unknown', cause: 'tls', code: 'EPROTO' },
	other: { kind: 'noResponse', evidence: 'unknown', cause: 'other', code: 'ERR_BAD_RESPONSE' },
} satisfies Record<string, Failure>;

/** Every kind of failure, with every status that has a message of its own. */
const singleFailures: Failure[] = [
	...[301, 302, 304, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504].map((code) =>
		status(code, { requestId: 'req_77' }),
	),
	...[200, 401, 403, 404, 407, 429, 503].map((code) => intermediary(code, { requestId: 'req_77' })),
	...['https://other.example', '/en/api/public/v1/prospector/runs/run_1', '/login'].flatMap(
		(redirectTarget) => [status(302, { redirectTarget }), intermediary(302, { redirectTarget })],
	),
	status(429, { retryAfterMs: 61_000 }),
	...Object.values(noResponse),
	{ ...noResponse.tls, code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
	{ kind: 'timeout', timeoutMs: 60_000 },
	{ kind: 'timeout' },
	{ kind: 'ssrfBlocked' },
	...(['value', 'fields', 'items', 'levels'] as const).map((limit): Failure => ({ kind: 'tooLarge', limit })),
	{ kind: 'tooLarge', limit: 32 * 1024 * 1024 },
	{ kind: 'unexpectedResponse', bodyFlaw: 'text' },
	{ kind: 'unexpectedResponse', bodyFlaw: 'nothing', requestId: 'req_77' },
	{ kind: 'unexpectedResponse', bodyFlaw: 'missingData', serverMessage: 'Run is archived' },
	...(
		['missingCursor', 'cursorLoop', 'repeatedPage', 'endlessEmptyPages', 'noNewItems', 'tooLong'] as const
	).map((reason): Failure => ({ kind: 'invalidPagination', reason, requestId: 'req_77' })),
	{ kind: 'throttled', retryAfterMs: 61_000 },
	{ kind: 'throttled', isOutOfTime: true },
	{ kind: 'canceled', wasRequestSent: true },
	{ kind: 'canceled', wasRequestSent: false },
];

/** The same failures after the first attempt, and after several of which one may have been processed. */
export const everyFailure: Failure[] = [
	{},
	{ attempts: 2, elapsedMs: 61_500 },
	{ attempts: 40, elapsedMs: 3_600_000, hasUnknownEarlierAttempt: true },
].flatMap((before) => singleFailures.map((failure): Failure => ({ ...failure, ...before })));
