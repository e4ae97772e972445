import fc from 'fast-check';
import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import { RequestStats } from '../../../../nodes/Prospector/transport/retry/withRetries';
import {
	type AttemptOutcome,
	clientScenario,
	helperError,
	inTurn,
	neverRespond,
	numbered,
	success,
} from '../../helpers/clientScenario';
import { FakeClock, fakeDependencies } from '../../helpers/fakeClock';
import { requests } from '../../helpers/everyFailure';
import { httpResponse } from '../../helpers/support';

const { GET, 'POST with a key': POST } = requests;
const TIMEOUT = helperError('ETIMEDOUT');
const REFUSED = helperError('ECONNREFUSED');
const LOST = helperError('ECONNRESET');
const ALMOST_1 = 1 - Number.EPSILON;

const refusal = (status: number, retryAfterSeconds?: number) =>
	httpResponse(status, '', { 'retry-after': retryAfterSeconds?.toString() });

const refusalWithTime = fc
	.record({ status: fc.constantFrom(429, 503), seconds: fc.integer({ min: 1, max: 60 }) })
	.map(({ status, seconds }) => refusal(status, seconds));

const REQUESTS: ApiRequest[] = [
	GET,
	POST,
	{ ...requests['POST without a key'], idempotencyKey: '' },
	{ ...requests.PATCH, idempotencyKey: 'not sent' },
	{ ...requests.DELETE, idempotencyKey: 'not sent' },
];

/** What follows the first attempt of each request: nothing (`-`), or a second attempt (`y`), with an unknown outcome (`u`). */
const SIGNS: Record<string, string> = {
	'every request': 'y y y y y',
	'only GET and POST with an idempotency key': 'y u - - -',
	'no request': '- - - - -',
	'every request (a write then has an unknown outcome)': 'y u u u u',
};

// Which failures are transient, and which leave the outcome unknown, is tested in requestError.test.ts.
test.each<[string, string, AttemptOutcome]>([
	['every request', 'a refused connection', REFUSED],
	['only GET and POST with an idempotency key', 'a timeout', TIMEOUT],
	['only GET and POST with an idempotency key', 'a web page with status 403', httpResponse(403, '<p>')],
	['no request', 'an empty response', httpResponse(200, '')],
	['no request', 'a cancellation', helperError('ERR_CANCELED')],
	['no request', 'status 409', refusal(409)],
	['no request', 'status 404 with Retry-After', refusal(404, 1)],
	['every request', 'status 429', refusal(429)],
	['every request', 'status 429 with Retry-After', refusal(429, 1)],
	['only GET and POST with an idempotency key', 'status 503', refusal(503)],
	['only GET and POST with an idempotency key', 'status 500 with Retry-After', refusal(500, 1)],
	['every request (a write then has an unknown outcome)', 'status 503 with Retry-After', refusal(503, 1)],
	['every request (a write then has an unknown outcome)', 'status 503 with Retry-After: 0', refusal(503, 0)],
])('the client retries %s after %s', async (retried, _, outcome) => {
	const results = await Promise.all(
		REQUESTS.map(async (request) => {
			const respond = inTurn(outcome, httpResponse(404, ''));
			const { client, attempts } = clientScenario({ respond });
			const result = (await client.tryRequest(request)) as Failure;
			expect(result.attempts).toBe(attempts.length > 1 ? attempts.length : undefined);
			if (attempts.length === 1) return '-';
			return result.hasUnknownEarlierAttempt ? 'u' : 'y';
		}),
	);
	expect(results.join(' ')).toBe(SIGNS[retried]);
});

test.each([1, 6])(
	'a POST with an idempotency key is sent five more times if each attempt after timeouts (number: %d) ends with status 409, and waits for a Retry-After',
	async (timeouts) => {
		const lost = Array.from({ length: timeouts }, () => TIMEOUT);
		const respond = inTurn(...lost, refusal(409), refusal(409, 9), refusal(409));
		const { client, retries } = clientScenario({ respond, retryForMs: 90_000 });
		const failure = { status: 409, attempts: timeouts + 5, hasUnknownEarlierAttempt: true };
		expect(await client.tryRequest(POST)).toMatchObject(failure);
		const delays = retries.map(([, delayMs]) => delayMs);
		expect([delays[0], ...delays.slice(timeouts)]).toEqual([500, 2000, 9000, 8000, 16_000]);
	},
);

test.each<[string, true | undefined, AttemptOutcome[]]>([
	['a timeout and rejections', true, [TIMEOUT, refusal(429, 1), refusal(404)]],
	['a 500 between two rejections', true, [refusal(429, 1), refusal(500), refusal(401)]],
	['a timeout and refused connections', true, [TIMEOUT, REFUSED]],
	['only rejections', undefined, [refusal(429, 1), REFUSED, refusal(409)]],
	['rejections and an unreadable response', undefined, [refusal(429, 1), httpResponse(200, '')]],
])(
	'a POST that fails after %s has the value %j for hasUnknownEarlierAttempt',
	async (_, hasUnknownEarlierAttempt, outcomes) => {
		const { client } = clientScenario({ respond: inTurn(...outcomes), retryForMs: 4000 });
		expect(((await client.tryRequest(POST)) as Failure).hasUnknownEarlierAttempt).toBe(
			hasUnknownEarlierAttempt,
		);
	},
);

/** Returns the delays before the retries of a GET with these outcomes. */
async function delaysAfter(respond: (attempt: number) => AttemptOutcome, random = 0.5, retryForMs = 600_000) {
	const clock = new FakeClock({ autoAdvance: true });
	const dependencies = fakeDependencies(clock, () => random);
	const { client, retries } = clientScenario({ respond, clock, dependencies, retryForMs });
	await client.tryRequest(GET);
	return retries.map(([, delayMs]) => delayMs);
}

test.each([
	['a timeout', TIMEOUT],
	['status 500', refusal(500)],
	['status 503 with Retry-After: 0', refusal(503, 0)],
])(
	'the delays before retries are random with a maximum that doubles from 1 s to 30 s if attempts end with %s',
	async (_, outcome) => {
		const respond = (attempt: number) => (attempt < 8 ? outcome : success);
		expect(await delaysAfter(respond)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
		expect(await delaysAfter(respond, ALMOST_1)).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((s) => s * 1000));
		expect(await delaysAfter(respond, 0)).toEqual(new Array(8).fill(0));
	},
);

const timeouts = Array.from({ length: 7 }, () => TIMEOUT);
test.each<[string, AttemptOutcome[], number[]]>([
	['a 429 without Retry-After', [refusal(429)], [0]],
	['a 429 with a Retry-After of 7 s', [refusal(429, 7)], [7000]],
	['a 500 with a Retry-After of 7 s', [refusal(500, 7)], [7000]],
	['a 503 with a Retry-After of 7 s', [refusal(503, 7)], [7000]],
	['a Retry-After as long as Retry For', [refusal(503, 600)], [600_000]],
	['a Retry-After longer than Retry For', [refusal(503, 601)], []],
	['a short Retry-After after seven timeouts', [...timeouts, refusal(503, 1)], [30_000]],
])('after %s, the next attempt is delayed by its Retry-After, or by a longer back-off', async (...row) => {
	const [, outcomes, expected] = row;
	const delays = await delaysAfter(inTurn(...outcomes, success), ALMOST_1);
	expect(delays.slice(outcomes.length - 1)).toEqual(expected);
});

test('a retry waits until the date in Retry-After if the attempt took 5 s', async () => {
	const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' };
	const respond = inTurn(httpResponse(503, '', headers), success);
	const { client, sentAtMs } = clientScenario({ respond, latencyMs: 5000 });
	await client.tryRequest(GET);
	expect(sentAtMs()).toEqual([0, 9000]);
});

test.each([
	[0, 0, 0, []],
	[0, 3000, 3000, [500, 1000, 1500]],
	[6000, 10_000, 12_500, [500]],
	[10_000, 10_000, 10_000, []],
])(
	'a request with attempts of %i ms and a deadline of %i ms reports an elapsedMs of %j if all attempts time out',
	async (latencyMs, retryForMs, elapsedMs, delaysMs) => {
		const { client, retries } = clientScenario({ respond: inTurn(TIMEOUT), latencyMs, retryForMs });
		const attempts = delaysMs.length > 0 ? delaysMs.length + 1 : undefined;
		expect(await client.tryRequest(GET)).toEqual({ kind: 'timeout', attempts, elapsedMs });
		expect(retries).toEqual(delaysMs.map((delayMs) => [{ kind: 'timeout' }, delayMs]));
	},
);

test('a request ends with its last failure if the rate limiter allows the next attempt only after the deadline', async () => {
	const respond = inTurn(TIMEOUT, refusal(429));
	const { client } = clientScenario({ respond, latencyMs: 1000, retryForMs: 30_000 });
	const expected = { kind: 'status', status: 429, attempts: 4, hasUnknownEarlierAttempt: true };
	expect(await client.tryRequest(POST)).toMatchObject({ ...expected, retryAfterMs: expect.any(Number) });
});

test('a request ends without a time of the next attempt if the time in its Retry-After is over and requests in flight get no response', async () => {
	const clock = new FakeClock();
	const respond = (attempt: number) => (attempt === 0 ? refusal(503, 2) : neverRespond());
	const { start, ended } = clientScenario({ respond, clock });
	start(['a'], { retryForMs: 4000 });
	await clock.advance(1);
	start(numbered('other', 3));
	await clock.advance(12_000);
	const result = { status: 503, retryAfterMs: undefined };
	expect(ended).toMatchObject({ a: { atMs: 10_000, result } });
});

test('the time that a message advises for Retry For is longer than the present one', async () => {
	const outcome = fc.oneof(
		fc.constantFrom<AttemptOutcome>(TIMEOUT, refusal(500), refusal(429)),
		refusalWithTime,
	);
	const property = fc.asyncProperty(
		fc.array(outcome, { maxLength: 4 }),
		refusalWithTime,
		fc.constantFrom(0, 3),
		fc.integer({ min: 0, max: 9000 }),
		fc.integer({ min: 0, max: 60_000 }),
		async (outcomes, lastOutcome, otherCount, latencyMs, retryForMs) => {
			const clock = new FakeClock();
			const respond = inTurn(...outcomes, lastOutcome);
			const { start, ended } = clientScenario({ respond, clock, latencyMs });
			// They can keep the request waiting.
			start(numbered('other', otherCount), { retryForMs: 0 });
			start(['a'], { retryForMs });
			await clock.advance(200_000);
			const { elapsedMs, retryAfterMs } = ended.a.result as Failure;
			if (retryAfterMs) expect(Number(elapsedMs) + retryAfterMs).toBeGreaterThan(retryForMs);
		},
	);
	await fc.assert(property, { numRuns: 50 });
});

describe('the statistics of an execution', () => {
	const none = { retriedCount: 0, throttledMs: 0 };
	const once = { ...none, retriedCount: 1 };

	test.each<[string, number, AttemptOutcome[], Pick<RequestStats, 'retriedCount' | 'throttledMs'>]>([
		['a success', 60_000, [success], none],
		['a final failure', 60_000, [refusal(404)], none],
		['a status 429 right before the deadline', 100, [refusal(429)], none],
		['several failures', 60_000, [refusal(503), refusal(503), REFUSED, LOST, TIMEOUT, success], once],
		['a status 429 with Retry-After', 60_000, [refusal(429, 7), success], { ...once, throttledMs: 7000 }],
		['a status 503 with Retry-After', 60_000, [refusal(503, 7), success], once],
		['a status 429', 60_000, [refusal(429), success], { ...once, throttledMs: 250 }],
	])(
		'the statistics count each retried request once, and the time for which it was throttled (%s, deadline %i ms)',
		async (_, retryForMs, outcomes, expected) => {
			const stats = new RequestStats();
			const options = { respond: inTurn(...outcomes), latencyMs: 50, retryForMs, stats };
			await clientScenario(options).client.tryRequest(GET);
			expect(stats).toMatchObject(expected);
			// No throttling is left that would hide the next.
			stats.startThrottleTimer(0)(1);
			expect(stats.throttledMs).toBe(expected.throttledMs + 1);
		},
	);

	test('the statistics count no throttling when requests only wait for slow responses', async () => {
		const stats = new RequestStats();
		const { client } = clientScenario({ latencyMs: 3000, stats });
		await Promise.all(Array.from({ length: 5 }, async () => await client.tryRequest(GET)));
		expect(stats).toMatchObject(none);
	});

	test('the statistics count the throttled time once if several requests are throttled at the same time', async () => {
		const stats = new RequestStats();
		const { client } = clientScenario({ respond: inTurn(refusal(429, 5), refusal(429, 5), success), stats });
		await Promise.all([client.tryRequest(GET), client.tryRequest(GET)]);
		await client.tryRequest(GET);
		expect(stats).toMatchObject({ retriedCount: 2, throttledMs: 5010 });
		const [first, second] = [100, 200].map((atMs) => stats.startThrottleTimer(atMs));
		second(300);
		first(400);
		expect(stats.throttledMs).toBe(5310);
	});
});

test.each<[string, number, AttemptOutcome, ApiRequest, object]>([
	['the delay before a retry', 150, refusal(503), GET, {}],
	['a delay that the service asked for', 30_000, refusal(503, 60), GET, {}],
	['the rate limiter', 300, refusal(429), GET, {}],
	['the delay after a timeout', 150, TIMEOUT, POST, { hasUnknownEarlierAttempt: true }],
])(
	'a request that waits because of %s ends at once when its execution is canceled after %i ms',
	async (_, atMs, outcome, request, rest) => {
		const controller = new AbortController();
		const clock = new FakeClock();
		const { signal } = controller;
		const options = { respond: inTurn(outcome), clock, latencyMs: 100, retryForMs: 300_000, signal };
		const { start, ended, attempts } = clientScenario(options);
		start(['a'], request);
		await clock.advance(atMs);
		expect(ended).toEqual({});
		controller.abort();
		await clock.advance(0);
		const result = { kind: 'canceled', wasRequestSent: false, elapsedMs: atMs, ...rest };
		expect(ended).toEqual({ a: { atMs, result } });
		expect(clock.sleeping()).toBe(0);
		await clock.advance(300_000);
		expect(attempts).toHaveLength(1);
	},
);
