import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import {
	hasStatus,
	isInvalidPagination,
	isOutcomeUnknown,
	isRateLimited,
	isCursorRejection,
	canResolveItself,
	RequestError,
} from '../../../../nodes/Prospector/api/failure/requestError';
import { requests, status } from '../../helpers/everyFailure';

const { GET, ...writes } = requests;
const thrownFor = (failure: Failure) => new RequestError(failure, GET);

/** What holds for a failure; `unknownOutcome`: whether the service may have processed a write. */
test.each<[Failure, string]>([
	[status(302), 'unknownOutcome'],
	[status(304), 'unknownOutcome'],
	[status(400), 'none'],
	[status(401), 'none'],
	[status(403), 'none'],
	[status(404), 'none'],
	[status(429), 'transient rateLimited'],
	[status(499), 'none'],
	[status(500), 'transient unknownOutcome'],
	[status(501), 'unknownOutcome'],
	[status(502), 'transient unknownOutcome'],
	[status(503), 'transient unknownOutcome'],
	[status(504), 'transient unknownOutcome'],
	[{ kind: 'network', code: 'EPIPE', wasRequestSent: true }, 'transient unknownOutcome'],
	[{ kind: 'network', code: 'ECONNREFUSED', wasRequestSent: false }, 'transient'],
	[{ kind: 'timeout' }, 'transient unknownOutcome'],
	[{ kind: 'throttled' }, 'transient rateLimited'],
	[{ kind: 'unexpectedResponse', bodyFlaw: 'html' }, 'transient unknownOutcome'],
	[{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req_1' }, 'transient invalidPagination'],
	[
		{ kind: 'invalidPagination', reason: 'rejectedCursor', requestId: '' },
		'transient rejectedCursor invalidPagination',
	],
	[{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, 'none'],
	[{ kind: 'ssrfBlocked' }, 'none'],
	[{ kind: 'tooLarge' }, 'unknownOutcome'],
	[{ kind: 'canceled', wasRequestSent: true }, 'unknownOutcome'],
	[{ kind: 'canceled', wasRequestSent: false }, 'none'],
])('the failure %j of a write request counts as "%s"', (failure, expected) => {
	const thrown = thrownFor(failure);
	const holds = [
		canResolveItself(thrown) && 'transient',
		isRateLimited(thrown) && 'rateLimited',
		isCursorRejection(thrown) && 'rejectedCursor',
		isInvalidPagination(thrown) && 'invalidPagination',
	];
	for (const write of Object.values(writes)) {
		const isUnknown = isOutcomeUnknown(failure, write) && 'unknownOutcome';
		expect([...holds, isUnknown].filter(Boolean).join(' ') || 'none').toBe(expected);
	}
	expect(isOutcomeUnknown(failure, GET)).toBe(false);
});

test('hasStatus returns true only if the failure has one of the given statuses', () => {
	expect(hasStatus(thrownFor(status(404)), 401, 404)).toBe(true);
	expect(hasStatus(thrownFor(status(404)), 401)).toBe(false);
});

test.each([new Error('a'), undefined, { failure: status(429) }])(
	'each check of an exception returns false for %j, which is not a RequestError',
	(thrown) => {
		for (const isOfKind of [canResolveItself, isRateLimited, isCursorRejection, isInvalidPagination])
			expect(isOfKind(thrown)).toBe(false);
		expect(hasStatus(thrown, 429)).toBe(false);
	},
);
