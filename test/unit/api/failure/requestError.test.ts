import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import {
	hasStatus,
	isInvalidPagination,
	isOutcomeUnknown,
	isRateLimited,
	isRejectedCursor,
	isTransientError,
	RequestError,
} from '../../../../nodes/Prospector/api/failure/requestError';
import { requests, status } from '../../helpers/everyFailure';

const thrownFor = (failure: Failure) => new RequestError(failure, requests.GET, (text) => text);

interface Classes {
	transient: boolean;
	rateLimited?: boolean;
	cursor?: boolean;
	pagination?: boolean;
}

/** How callers classify a failure: transient, by the rate limit, about a cursor or a list. */
test.each<[Failure, Classes]>([
	[status(302), { transient: false }],
	[status(399), { transient: false }],
	[status(400), { transient: false, cursor: true }],
	[status(401), { transient: false }],
	[status(403), { transient: false }],
	[status(404), { transient: false, cursor: true }],
	[status(410), { transient: false, cursor: true }],
	[status(429), { transient: true, rateLimited: true }],
	[status(499), { transient: false, cursor: true }],
	[status(500), { transient: true }],
	[status(501), { transient: false }],
	[status(502), { transient: true }],
	[status(503), { transient: true }],
	[status(504), { transient: true }],
	[{ kind: 'network', code: 'EPIPE', requestSent: true }, { transient: true }],
	[{ kind: 'timeout' }, { transient: true }],
	[{ kind: 'truncatedResponse', code: 'EPIPE' }, { transient: true }],
	[{ kind: 'throttled' }, { transient: true, rateLimited: true }],
	[{ kind: 'unexpectedResponse', received: 'html' }, { transient: true }],
	[
		{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req_1' },
		{ transient: true, pagination: true },
	],
	[{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, { transient: false }],
	[{ kind: 'ssrfBlocked' }, { transient: false }],
	[{ kind: 'tooLarge' }, { transient: false }],
	[{ kind: 'canceled' }, { transient: false }],
])('%j is %j', (failure, { transient, rateLimited = false, cursor = false, pagination = false }) => {
	const thrown = thrownFor(failure);
	expect(isTransientError(thrown)).toBe(transient);
	expect(isRateLimited(thrown)).toBe(rateLimited);
	expect(isRejectedCursor(thrown)).toBe(cursor);
	expect(isInvalidPagination(thrown)).toBe(pagination);
});

test.each<[Failure, boolean]>([
	[status(302), false],
	[status(429), false],
	[status(499), false],
	[status(500), true],
	[status(503), true],
	[{ kind: 'network', code: 'EPIPE', requestSent: true }, true],
	[{ kind: 'network', code: 'ECONNREFUSED', requestSent: false }, false],
	[{ kind: 'timeout' }, true],
	[{ kind: 'truncatedResponse', code: 'EPIPE' }, true],
	[{ kind: 'tooLarge' }, true],
	[{ kind: 'unexpectedResponse', received: 'html' }, true],
	[{ kind: 'canceled' }, true],
	[{ kind: 'canceled', beforeSend: true }, false],
	[{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, false],
	[{ kind: 'ssrfBlocked' }, false],
	[{ kind: 'throttled' }, false],
])('after %j, the outcome of a write is unknown: %j', (failure, isUnknown) => {
	const { GET: read, ...writes } = requests;
	for (const write of Object.values(writes)) expect(isOutcomeUnknown(failure, write)).toBe(isUnknown);
	expect(isOutcomeUnknown(failure, read)).toBe(false);
});

test('hasStatus is true for one of several statuses', () => {
	expect(hasStatus(thrownFor(status(404)), 401, 404)).toBe(true);
	expect(hasStatus(thrownFor(status(404)), 401)).toBe(false);
	expect(hasStatus(thrownFor({ kind: 'timeout' }), 404)).toBe(false);
});

test.each([new Error('a'), undefined, { failure: status(429) }])('%j is none of a request', (thrown) => {
	for (const isOfKind of [isTransientError, isRateLimited, isRejectedCursor, isInvalidPagination])
		expect(isOfKind(thrown)).toBe(false);
	expect(hasStatus(thrown, 429)).toBe(false);
});
