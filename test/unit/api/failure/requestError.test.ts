import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import * as evidence from '../../../../nodes/Prospector/api/failure/evidence';
import {
	hasStatus,
	isRateLimited,
	isCursorRejection,
	canResolveItself,
	RequestError,
	withStartedRun,
} from '../../../../nodes/Prospector/api/failure/requestError';
import { intermediary, noResponse, requests, status } from '../../helpers/everyFailure';

const { GET, ...writes } = requests;
const thrownFor = (failure: Failure) => new RequestError(failure, GET);

/** By who ended the request and what holds for the failure; `unknownOutcome`: whether the service may have done a write. */
const FAILURES: Record<string, Failure[]> = {
	'service finalRefusal': [401, 402, 403, 413, 499].map((code) => status(code)),
	'service finalRefusal mayRejectCursor': [400, 404, 410, 422].map((code) => status(code)),
	'service mayRejectCursor': [status(409), status(404, { hasUnknownOutcome: true })],
	'service transient canResolveItself finalRefusal': [status(425)],
	'service transient canResolveItself rateLimited': [status(429)],
	'service unknownOutcome': [302, 304, 501, 505]
		.map((code): Failure => status(code))
		.concat({ kind: 'tooLarge', limit: 'value' }),
	'service transient canResolveItself unknownOutcome': [
		...[408, 500, 502, 503, 504, 507, 599].map((code) => status(code)),
		{ kind: 'unexpectedResponse', bodyFlaw: 'invalidJson' },
	],
	'service canResolveItself unknownOutcome': [
		{ kind: 'unexpectedResponse', bodyFlaw: 'text' },
		{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req_1' },
	],
	'service canResolveItself unknownOutcome rejectedCursor': [
		{ kind: 'invalidPagination', reason: 'rejectedCursor', requestId: '' },
	],
	'intermediary transient canResolveItself unknownOutcome': [200, 302, 401, 403, 404, 407, 429, 503].map(
		(code) => intermediary(code),
	),
	notSent: [noResponse.certificate, { kind: 'ssrfBlocked' }, { kind: 'canceled', wasRequestSent: false }],
	'notSent transient canResolveItself': [noResponse.unreachable],
	'notSent canResolveItself rateLimited': [{ kind: 'throttled' }],
	'unknown unknownOutcome': [{ kind: 'canceled', wasRequestSent: true }],
	'unknown transient canResolveItself unknownOutcome': [
		...[noResponse.connectionLost, noResponse.tls, noResponse.other, { kind: 'timeout' } as const],
	],
};

test.each(
	Object.entries(FAILURES).flatMap(([expected, failures]) =>
		failures.map((failure) => [failure, expected] as const),
	),
)('the failure %j of a write request counts as "%s"', (failure, expected) => {
	const thrown = thrownFor(failure);
	for (const write of Object.values(writes)) {
		const holds = [
			evidence.evidenceOf(failure),
			evidence.isTransient(failure) && 'transient',
			canResolveItself(thrown) && 'canResolveItself',
			evidence.isOutcomeUnknown(failure, write) && 'unknownOutcome',
			evidence.isFinalRefusal(failure) && 'finalRefusal',
			evidence.mayRejectCursor(failure) && 'mayRejectCursor',
			isRateLimited(thrown) && 'rateLimited',
			isCursorRejection(thrown) && 'rejectedCursor',
		];
		expect(holds.filter(Boolean).join(' ')).toBe(expected);
	}
	expect(evidence.isOutcomeUnknown(failure, GET)).toBe(false);
});

test('withStartedRun adds the run to a failed request, keeps what else is known, and changes no other exception', async () => {
	const startedRun = { runId: 'run_1' };
	const failed = new RequestError(status(404), GET, { isUserKey: true });
	const fail = async (thrown: Error) => await withStartedRun(Promise.reject(thrown), startedRun);
	await expect(fail(failed)).rejects.toMatchObject({
		failure: status(404),
		request: GET,
		isUserKey: true,
		startedRun,
	});
	expect(failed.startedRun).toBeUndefined();
	await expect(fail(new TypeError('a'))).rejects.toEqual(new TypeError('a'));
	expect(await withStartedRun(Promise.resolve('done'), startedRun)).toBe('done');
});

test.each([new Error('a'), undefined, { failure: status(429) }])(
	'each check of an exception returns false for %j, which is not a RequestError',
	(thrown) => {
		for (const isOfKind of [canResolveItself, isRateLimited, isCursorRejection])
			expect(isOfKind(thrown)).toBe(false);
		expect(hasStatus(thrown, 429)).toBe(false);
	},
);
