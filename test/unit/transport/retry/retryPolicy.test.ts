import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import type { Failure } from '../../../../nodes/Prospector/transport/failure/failure';
import {
	isOutcomeUnknown,
	canRetry,
	retryDelay,
} from '../../../../nodes/Prospector/transport/retry/retryPolicy';
import { calls, status } from '../../helpers/everyFailure';

const ORDER = ['a read', 'a POST with a key', 'a POST without a key', 'a PATCH', 'a DELETE'] as const;

type Row = [what: string, failure: Failure, canRetry: string, isOutcomeUnknown: string];

/** Design, "Retries": per row one sign for each of the five kinds of request, in the order above. */
const table: Row[] = [
	[
		'a refused connection',
		{ kind: 'network', code: 'ECONNREFUSED', requestSent: false },
		'y y y y y',
		'- - - - -',
	],
	['a lost connection', { kind: 'network', code: 'ECONNRESET', requestSent: true }, 'y y - - -', '- y y y y'],
	['a timeout', { kind: 'timeout' }, 'y y - - -', '- y y y y'],
	['an answer cut off', { kind: 'truncatedResponse', code: 'ECONNRESET' }, 'y y - - -', '- y y y y'],
	['301', status(301), '- - - - -', '- - - - -'],
	['400', status(400), '- - - - -', '- - - - -'],
	['401', status(401), '- - - - -', '- - - - -'],
	['403', status(403), '- - - - -', '- - - - -'],
	['404', status(404), '- - - - -', '- - - - -'],
	['404 with Retry-After', status(404, { retryAfter: 1 }), '- - - - -', '- - - - -'],
	['409', status(409), '- - - - -', '- - - - -'],
	['422', status(422), '- - - - -', '- - - - -'],
	['429', status(429), 'y y y y y', '- - - - -'],
	['429 with Retry-After', status(429, { retryAfter: 1 }), 'y y y y y', '- - - - -'],
	['500', status(500), 'y y - - -', '- y y y y'],
	['500 with Retry-After', status(500, { retryAfter: 1 }), 'y y - - -', '- y y y y'],
	['501', status(501), '- - - - -', '- y y y y'],
	['502', status(502), 'y y - - -', '- y y y y'],
	['502 with Retry-After', status(502, { retryAfter: 1 }), 'y y - - -', '- y y y y'],
	['503', status(503), 'y y - - -', '- y y y y'],
	['503 with Retry-After', status(503, { retryAfter: 1 }), 'y y y y y', '- y y y y'],
	['503 with Retry-After: 0', status(503, { retryAfter: 0 }), 'y y y y y', '- y y y y'],
	['504', status(504), 'y y - - -', '- y y y y'],
	['504 with Retry-After', status(504, { retryAfter: 1 }), 'y y - - -', '- y y y y'],
	['no envelope', { kind: 'unexpectedResponse', received: 'a web page' }, '- - - - -', '- y y y y'],
	[
		'a list without an end',
		{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'r' },
		'- - - - -',
		'- - - - -',
	],
	['a refused certificate', { kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, '- - - - -', '- - - - -'],
	['an address that n8n blocks', { kind: 'ssrfBlocked' }, '- - - - -', '- - - - -'],
	['being held back', { kind: 'throttled', throttledMs: 1000 }, '- - - - -', '- - - - -'],
	['a stop under way', { kind: 'canceled' }, '- - - - -', '- y y y y'],
	['a stop while waiting', { kind: 'canceled', beforeSend: true }, '- - - - -', '- - - - -'],
];

const cases = table.flatMap(([what, failure, ...columns]) =>
	ORDER.map((name, i) => {
		const [repeat, doubt] = columns.map((signs) => signs.split(' ')[i] === 'y');
		return { what, name, failure, repeat, doubt };
	}),
);
const START = { count: 1, elapsed: 0, maxWait: 60_000 };

describe('after an attempt', () => {
	test.each(cases)('of $name with the result $what, canRetry is $repeat', ({ failure, name, repeat }) => {
		expect(canRetry(failure, calls[name])).toBe(repeat);
		expect(retryDelay(failure, calls[name], START, 0.5) !== undefined).toBe(repeat);
	});

	test.each(cases)('of $name with the result $what, isOutcomeUnknown is $doubt', (row) => {
		expect(isOutcomeUnknown(row.failure, calls[row.name])).toBe(row.doubt);
	});

	test.each([
		['an empty key', { ...calls['a POST with a key'], idempotencyKey: '' }],
		['a key that the endpoint does not take', { ...calls['a PATCH'], idempotencyKey: 'key-1' }],
		['a key that the endpoint does not take', { ...calls['a DELETE'], idempotencyKey: 'key-1' }],
	])('canRetry is false with %s when the service may have processed the request', (_, call) => {
		expect(canRetry({ kind: 'timeout' }, call)).toBe(false);
		expect(canRetry(status(500), call)).toBe(false);
		expect(canRetry(status(429), call)).toBe(true);
	});

	test('canRetry is true for the start of a run with a key', () => {
		const call = { endpoint: endpoints.runWorkflow, ids: { workflow_id: 'wf_1' }, idempotencyKey: 'key-1' };
		expect(canRetry({ kind: 'timeout' }, call)).toBe(true);
	});
});
