import { isFailure } from '../../../../nodes/Prospector/transport/request/response';
import type { Failure } from '../../../../nodes/Prospector/transport/failure/failure';
import type { RateLimitHeaders } from '../../../../nodes/Prospector/transport/rate/rateLimitHeaders';
import type { AttemptResult } from '../../../../nodes/Prospector/transport/retry/withRetries';
import { quotaUseOf } from '../../../../nodes/Prospector/transport/retry/withRetries';
import { calls, everyFailure, status } from '../../helpers/everyFailure';
import { GOOD, retryScenario } from '../../helpers/retryScenario';

const TIMEOUT: Failure = { kind: 'timeout' };
const POST = calls['a POST with a key'];

describe('a permit', () => {
	test.each(everyFailure.map((failure) => [JSON.stringify(failure), failure] as const))(
		'is released once per attempt after %s',
		async (_, failure) => {
			for (const call of Object.values(calls)) {
				const { run, released, inFlight, sent } = retryScenario({ call, outcomes: [failure], takes: 1000 });
				await run();
				expect([released.length, inFlight.size]).toEqual([sent(), 0]);
			}
		},
	);

	test('is released when an attempt throws', async () => {
		const { run, inFlight, sent } = retryScenario({ outcomes: [new RangeError('Out of stack')] });
		await run().catch(() => undefined);
		expect([sent(), inFlight.size]).toEqual([1, 0]);
	});

	test.each<['counted' | 'rejected' | 'notSent', Array<AttemptResult['result']>]>([
		[
			'counted',
			[
				GOOD,
				...[301, 400, 401, 403, 404, 409, 422, 500, 502, 503, 504].map((code) => status(code)),
				{ kind: 'network', code: 'ECONNRESET', requestSent: true },
				TIMEOUT,
				{ kind: 'truncatedResponse', code: 'ECONNRESET' },
				{ kind: 'unexpectedResponse', received: 'nothing' },
				{ kind: 'canceled' },
			],
		],
		['rejected', [status(429), status(429, { retryAfter: 3 })]],
		[
			'notSent',
			[
				{ kind: 'network', code: 'ECONNREFUSED', requestSent: false },
				{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
				{ kind: 'ssrfBlocked' },
				{ kind: 'throttled', throttledMs: 5 },
			],
		],
	])('is released as %s', async (quotaUse, results) => {
		for (const result of results) {
			expect(quotaUseOf(result)).toBe(quotaUse);
			const { run, released } = retryScenario({ outcomes: [result], maxWait: 0 });
			await run();
			expect(released).toEqual([[quotaUse, undefined, isFailure(result)]]);
		}
	});
});

describe('rate limit headers', () => {
	const rest: RateLimitHeaders = { limit: 60, remaining: 2, reset: 9000 };

	test.each<[string, AttemptResult['result'], number, number | undefined]>([
		['429', status(429, { retryAfter: 7 }), 7000, 7000],
		['503', status(503, { retryAfter: 7 }), 7000, 7000],
		['429 for a day', status(429, { retryAfter: 86_400 }), 86_400_000, 300_000],
		['503 for six minutes', status(503, { retryAfter: 360 }), 360_000, 300_000],
		['404', status(404, { retryAfter: 7 }), 7000, undefined],
		['500', status(500, { retryAfter: 7 }), 7000, undefined],
		['301', status(301, { retryAfter: 7 }), 7000, undefined],
		['a success', GOOD, 7000, undefined],
		['no envelope', { kind: 'unexpectedResponse', received: 'nothing' }, 7000, undefined],
	])(
		'of %s reach the limiter, with Retry-After only if it applies to all requests',
		async (_, result, given, passed) => {
			const outcomes = [{ result, headers: { ...rest, retryAfter: given } }];
			const { run, released } = retryScenario({ outcomes, maxWait: 0 });
			await run();
			expect(released).toEqual([[expect.any(String), { ...rest, retryAfter: passed }, expect.any(Boolean)]]);
		},
	);

	test('reach the limiter without Retry-After, too', async () => {
		const { run, released } = retryScenario({
			outcomes: [{ result: status(429), headers: rest }],
			maxWait: 0,
		});
		await run();
		expect(released).toEqual([['rejected', rest, true]]);
	});
});

describe('a request without permit', () => {
	test('ends as held back when it was never sent', async () => {
		const { run, sent } = retryScenario({ outcomes: [GOOD], entries: [{ throttledMs: 90_000 }] });
		expect(await run()).toEqual({ kind: 'throttled', throttledMs: 90_000 });
		expect(sent()).toBe(0);
	});

	test('ends with the last failure when it was sent before', async () => {
		const entries = ['permitted' as const, 'permitted' as const, { throttledMs: 90_000 }];
		const outcomes = [TIMEOUT, status(429), GOOD];
		const { run, sent, inFlight } = retryScenario({ call: POST, outcomes, entries, takes: 1000 });
		expect(await run()).toEqual({
			...status(429),
			attempts: 2,
			elapsedMs: 2500,
			outcomeUnknown: true,
			throttledMs: 90_000,
		});
		expect([sent(), inFlight.size]).toEqual([2, 0]);
	});

	test('ends as stopped when it is canceled before the first attempt', async () => {
		const { run, sent } = retryScenario({ outcomes: [GOOD], entries: ['canceled'] });
		expect(await run()).toEqual({ kind: 'canceled', beforeSend: true });
		expect(sent()).toBe(0);
	});

	test('ends as stopped when it is canceled before the next attempt', async () => {
		const { run } = retryScenario({
			call: POST,
			outcomes: [TIMEOUT, GOOD],
			entries: ['permitted', 'canceled'],
		});
		expect(await run()).toEqual({ kind: 'canceled', beforeSend: true, outcomeUnknown: true });
	});

	test.each([
		[1, {}],
		[3, { attempts: 3, elapsedMs: 3500 }],
	])('ends as stopped when it is canceled during delay %i', async (pauses, expected) => {
		const { run, sent, acquired } = retryScenario({
			...{ call: POST, outcomes: [TIMEOUT, TIMEOUT, TIMEOUT, GOOD] },
			onSleep: (slept) => slept.length < pauses,
		});
		expect(await run()).toEqual({ kind: 'canceled', beforeSend: true, outcomeUnknown: true, ...expected });
		expect([sent(), acquired.length]).toEqual([pauses, pauses]);
	});

	test('is not sent again when it was canceled in flight', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [{ kind: 'canceled' }, GOOD] });
		expect(await run()).toEqual({ kind: 'canceled' });
		expect([sent(), slept]).toEqual([1, []]);
	});
});
