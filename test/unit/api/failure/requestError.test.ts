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

const { GET, ...writes } = requests;
const thrownFor = (failure: Failure) => new RequestError(failure, GET);

/** What holds for a failure; `unknown`: whether the service may have processed a write. */
test.each<[Failure, string]>([
	[status(302), 'unknown'],
	[status(304), 'unknown'],
	[status(400), 'cursor'],
	[status(401), ''],
	[status(403), ''],
	[status(404), 'cursor'],
	[status(429), 'transient rateLimited'],
	[status(499), 'cursor'],
	[status(500), 'transient unknown'],
	[status(501), 'unknown'],
	[status(502), 'transient unknown'],
	[status(503), 'transient unknown'],
	[status(504), 'transient unknown'],
	[{ kind: 'network', code: 'EPIPE', wasRequestSent: true }, 'transient unknown'],
	[{ kind: 'network', code: 'ECONNREFUSED', wasRequestSent: false }, 'transient'],
	[{ kind: 'timeout' }, 'transient unknown'],
	[{ kind: 'throttled' }, 'transient rateLimited'],
	[{ kind: 'unexpectedResponse', bodyFlaw: 'html' }, 'transient unknown'],
	[{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req_1' }, 'transient pagination'],
	[{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, ''],
	[{ kind: 'ssrfBlocked' }, ''],
	[{ kind: 'tooLarge' }, 'unknown'],
	[{ kind: 'canceled' }, 'unknown'],
	[{ kind: 'canceled', isBeforeSend: true }, ''],
])('a request that fails with %j is classified as "%s"', (failure, expected) => {
	const thrown = thrownFor(failure);
	const holds = [
		isTransientError(thrown) && 'transient',
		isRateLimited(thrown) && 'rateLimited',
		isRejectedCursor(thrown) && 'cursor',
		isInvalidPagination(thrown) && 'pagination',
	];
	for (const write of Object.values(writes)) {
		const isUnknown = isOutcomeUnknown(failure, write) && 'unknown';
		expect([...holds, isUnknown].filter(Boolean).join(' ')).toBe(expected);
	}
	expect(isOutcomeUnknown(failure, GET)).toBe(false);
});

test('hasStatus is true only if the status is one of those given', () => {
	expect(hasStatus(thrownFor(status(404)), 401, 404)).toBe(true);
	expect(hasStatus(thrownFor(status(404)), 401)).toBe(false);
});

test.each([new Error('a'), undefined, { failure: status(429) }])(
	'isTransientError and the other checks return false for the exception %j, which is not a RequestError',
	(thrown) => {
		for (const isOfKind of [isTransientError, isRateLimited, isRejectedCursor, isInvalidPagination])
			expect(isOfKind(thrown)).toBe(false);
		expect(hasStatus(thrown, 429)).toBe(false);
	},
);
