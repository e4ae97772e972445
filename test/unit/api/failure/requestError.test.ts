import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import * as evidence from '../../../../nodes/Prospector/api/failure/evidence';
import {
	hasStatus,
	isRateLimited,
	isCursorRejection,
	canResolveItself,
	RequestError,
	addRunToError,
} from '../../../../nodes/Prospector/api/failure/requestError';
import { intermediary, noResponse, requests, status } from '../../helpers/everyFailure';

const { GET, ...writes } = requests;
const thrownFor = (failure: Failure) => new RequestError(failure, GET);

/** By the checks that are true for the failure; `unknownOutcome`: whether the service may have done a write. */
const FAILURES: Record<string, Failure[]> = {
	finalRefusal: [401, 402, 413, 499].map((code) => status(code)),
	'finalRefusal mayRejectLaterCursor': [status(403)],
	'finalRefusal mayRejectCursor mayRejectLaterCursor': [400, 404, 410, 422].map((code) => status(code)),
	'mayRejectCursor mayRejectLaterCursor': [status(409), status(404, { hasUnknownEarlierAttempt: true })],
	'transient canResolveItself finalRefusal': [status(425)],
	'transient canResolveItself rateLimited': [status(429)],
	unknownOutcome: [
		...[302, 304, 501, 505].map((code) => status(code)),
		...[{ kind: 'tooLarge', limit: 'value' } as const, { kind: 'canceled', wasRequestSent: true } as const],
	],
	'transient canResolveItself unknownOutcome': [
		...[408, 500, 502, 503, 504, 507, 599].map((code) => status(code)),
		...[200, 302, 401, 403, 404, 407, 429, 503].map((code) => intermediary(code)),
		...[noResponse.connectionLost, noResponse.tls, noResponse.other, { kind: 'timeout' } as const],
		{ kind: 'unexpectedResponse', bodyFlaw: 'invalidJson' },
	],
	'canResolveItself unknownOutcome': [
		{ kind: 'unexpectedResponse', bodyFlaw: 'text' },
		{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req_1' },
	],
	'canResolveItself unknownOutcome rejectedCursor': [
		{ kind: 'invalidPagination', reason: 'rejectedCursor', requestId: '' },
	],
	notSent: [noResponse.certificate, { kind: 'ssrfBlocked' }, { kind: 'canceled', wasRequestSent: false }],
	'notSent transient canResolveItself': [noResponse.unreachable],
	'notSent canResolveItself rateLimited': [{ kind: 'throttled' }],
};

test.each(
	Object.entries(FAILURES).flatMap(([expected, failures]) =>
		failures.map((failure) => [failure, expected] as const),
	),
)('exactly these checks are true for the failure %j of a write request: %s', (failure, expected) => {
	const thrown = thrownFor(failure);
	for (const write of Object.values(writes)) {
		const holds = [
			evidence.wasNotSent(failure) && 'notSent',
			evidence.isTransient(failure) && 'transient',
			canResolveItself(thrown) && 'canResolveItself',
			evidence.isOutcomeUnknown(failure, write) && 'unknownOutcome',
			evidence.isFinalRefusal(failure) && 'finalRefusal',
			evidence.mayRejectCursor(failure, true) && 'mayRejectCursor',
			evidence.mayRejectCursor(failure, false) && 'mayRejectLaterCursor',
			isRateLimited(thrown) && 'rateLimited',
			isCursorRejection(thrown) && 'rejectedCursor',
		];
		expect(holds.filter(Boolean).join(' ')).toBe(expected);
	}
	expect(evidence.isOutcomeUnknown(failure, GET)).toBe(false);
});

test('addRunToError adds a run that the operation has started to a failed request, keeps what else is known, and changes no other exception', async () => {
	const startedRun = { runId: 'run_1', start: { requestId: 'req_1', isUserKey: false } };
	const failed = new RequestError(status(404), GET, true);
	const fail = async (thrown: Error) => await addRunToError(Promise.reject(thrown), startedRun);
	await expect(fail(failed)).rejects.toMatchObject({
		failure: status(404),
		request: GET,
		isUserKey: true,
		startedRun,
	});
	expect(failed.startedRun).toBeUndefined();
	await expect(fail(new TypeError('a'))).rejects.toEqual(new TypeError('a'));
	expect(await addRunToError(Promise.resolve('done'), startedRun)).toBe('done');
	await expect(addRunToError(Promise.reject(failed), { runId: 'run_1' })).rejects.toBe(failed);
});

test.each([new Error('a'), undefined, { failure: status(429) }])(
	'each check of an exception returns false for %j, which is not a RequestError',
	(thrown) => {
		for (const isOfKind of [canResolveItself, isRateLimited, isCursorRejection])
			expect(isOfKind(thrown)).toBe(false);
		expect(hasStatus(thrown, 429)).toBe(false);
	},
);
