import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import { RequestStats } from '../../../../nodes/Prospector/transport/retry/requestStats';
import { type AttemptOutcome, clientScenario, inTurn, success } from '../../helpers/clientScenario';
import { FakeClock, fakeDependencies } from '../../helpers/fakeClock';
import { requests } from '../../helpers/everyFailure';
import { httpResponse } from '../../helpers/support';

const { GET, 'POST with a key': POST } = requests;
const TIMEOUT: Failure = { kind: 'timeout' };
const REFUSED: Failure = { kind: 'network', code: 'ECONNREFUSED', requestSent: false };
const NOT_FOUND = httpResponse(404, '');
const ALMOST_1 = 1 - Number.EPSILON;

const refusal = (status: number, retryAfter?: number) =>
	httpResponse(status, '', retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });

describe('after the first attempt', () => {
	const ORDER = ['GET', 'POST with a key', 'POST without a key', 'PATCH', 'DELETE'] as const;
	const MEANING: Record<string, string> = { '-': 'no', y: 'yes', u: 'unknown' };

	/**
	 * Per row the five requests, in the order above: `-` is not sent again, `y` is, and `u` is sent again and its outcome
	 * is unknown from then on.
	 */
	const table: Array<[string, AttemptOutcome, string]> = [
		['a refused connection', REFUSED, 'y y y y y'],
		['a lost connection', { kind: 'network', code: 'ECONNRESET', requestSent: true }, 'y u - - -'],
		['a timeout', TIMEOUT, 'y u - - -'],
		['a truncated response', { kind: 'truncatedResponse', code: 'ECONNRESET' }, 'y u - - -'],
		['a response that is too large', { kind: 'tooLarge' }, '- - - - -'],
		['no envelope', httpResponse(200, ''), '- - - - -'],
		['a certificate', { kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, '- - - - -'],
		['an address that n8n blocks', { kind: 'ssrfBlocked' }, '- - - - -'],
		['a cancellation', { kind: 'canceled' }, '- - - - -'],
		['status 301', refusal(301), '- - - - -'],
		['status 404', refusal(404), '- - - - -'],
		['status 404 with Retry-After', refusal(404, 1), '- - - - -'],
		['status 409', refusal(409), '- - - - -'],
		['status 422', refusal(422), '- - - - -'],
		['status 429', refusal(429), 'y y y y y'],
		['status 429 with Retry-After', refusal(429, 1), 'y y y y y'],
		['status 500', refusal(500), 'y u - - -'],
		['status 500 with Retry-After', refusal(500, 1), 'y u - - -'],
		['status 501', refusal(501), '- - - - -'],
		['status 502', refusal(502), 'y u - - -'],
		['status 503', refusal(503), 'y u - - -'],
		['status 503 with Retry-After', refusal(503, 1), 'y u u u u'],
		['status 503 with Retry-After: 0', refusal(503, 0), 'y u u u u'],
		['status 504', refusal(504), 'y u - - -'],
	];
	const cases = table.flatMap(([name, outcome, signs]) =>
		ORDER.map((request, i) => ({ name, outcome, request, retry: MEANING[signs.split(' ')[i]] })),
	);

	test.each(cases)('with $name, a $request is sent again: $retry', async ({ outcome, request, retry }) => {
		const { client, attempts } = clientScenario({
			respond: inTurn(outcome, NOT_FOUND),
			retryFor: 120_000,
		});
		const result = await client.safeRequest(requests[request]);
		expect(attempts).toHaveLength(retry === 'no' ? 1 : 2);
		if (retry === 'no') expect(result).not.toMatchObject({ attempts: expect.anything() });
		else expect(result).toMatchObject({ kind: 'status', status: 404, attempts: 2 });
		expect((result as Failure).outcomeUnknown).toBe(retry === 'unknown' ? true : undefined);
	});

	test.each<[string, ApiRequest, number]>([
		['a run with a key', { ...requests['POST without a key'], idempotencyKey: 'key-1' }, 2],
		['an empty key', { ...POST, idempotencyKey: '' }, 1],
		['a PATCH, which takes no key', { ...requests.PATCH, idempotencyKey: 'key-1' }, 1],
		['a DELETE, which takes no key', { ...requests.DELETE, idempotencyKey: 'key-1' }, 1],
	])('with a timeout, %s is sent %#', async (_, request, count) => {
		const { client, attempts } = clientScenario({ respond: inTurn(TIMEOUT, success) });
		await client.safeRequest(request);
		expect(attempts).toHaveLength(count);
	});

	test('the result of a success is returned as it is', async () => {
		const { client, attempts, retries } = clientScenario();
		expect(await client.safeRequest(GET)).toEqual({ data: [{ id: 'x' }], requestId: 'req_1' });
		expect([attempts.length, retries]).toEqual([1, []]);
	});
});

test.each<[string, AttemptOutcome[], true | undefined]>([
	['is unknown after a timeout and refusals', [TIMEOUT, refusal(429, 1), NOT_FOUND], true],
	['is unknown after refusals around a 500', [refusal(429, 1), refusal(500), refusal(401)], true],
	['is unknown if a lost connection is never restored', [TIMEOUT, REFUSED], true],
	['is known after refusals', [refusal(429, 1), REFUSED, refusal(409)], undefined],
	[
		'is not marked if only the last attempt is uncertain',
		[refusal(429, 1), httpResponse(200, '')],
		undefined,
	],
])('the outcome %s', async (_, outcomes, outcomeUnknown) => {
	const { client } = clientScenario({ respond: inTurn(...outcomes), retryFor: 4000 });
	expect(((await client.safeRequest(POST)) as Failure).outcomeUnknown).toBe(outcomeUnknown);
});

describe('the delay before a retry', () => {
	/** The delays of a GET with these outcomes, if random numbers have this value. */
	async function delays(respond: (attempt: number) => AttemptOutcome, random = 0.5, retryFor = 600_000) {
		const clock = new FakeClock({ autoAdvance: true });
		const dependencies = fakeDependencies(clock, () => random);
		const { client, retries } = clientScenario({ respond, clock, dependencies, retryFor });
		await client.safeRequest(GET);
		return retries.map(([, delayMs]) => delayMs);
	}

	test.each([
		['a timeout', TIMEOUT],
		['a refused connection', REFUSED],
		['status 500', refusal(500)],
		['status 503', refusal(503)],
		['status 503 with Retry-After: 0', refusal(503, 0)],
	])('after %s is random and doubles from 1 s up to 30 s', async (_, outcome) => {
		const respond = (attempt: number) => (attempt < 8 ? outcome : success);
		expect(await delays(respond)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
		expect(await delays(respond, ALMOST_1)).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((s) => s * 1000));
		expect(await delays(respond, 0)).toEqual(new Array(8).fill(0));
	});

	test('after a 429 without Retry-After is decided by the rate limiter', async () => {
		expect(await delays(inTurn(refusal(429), success), ALMOST_1)).toEqual([0]);
	});

	test.each([429, 500, 502, 503, 504])('after a %i with Retry-After is exactly that', async (status) => {
		expect(await delays(inTurn(refusal(status, 7), success), ALMOST_1)).toEqual([7000]);
		expect(await delays(inTurn(refusal(status, 600), success))).toEqual([600_000]);
		expect(await delays(inTurn(refusal(status, 601), success))).toEqual([]);
	});

	test('is not shortened by Retry-After', async () => {
		const respond = (attempt: number) => (attempt < 7 ? TIMEOUT : attempt === 7 ? refusal(503, 1) : success);
		expect((await delays(respond)).at(-1)).toBe(15_000);
	});

	test.each([1, 1000, 60_000, 300_000, 3_600_000])(
		'is shortened at the end, so that %i ms are used in full',
		async (retryFor) => {
			const all = await delays(inTurn(TIMEOUT), 0.5, retryFor);
			expect(all.reduce((a, b) => a + b, 0)).toBe(retryFor);
		},
	);
});

describe('the deadline', () => {
	test.each<[string, number, number, object, number[]]>([
		['allows one attempt if it is 0', 0, 0, TIMEOUT, []],
		[
			'includes the duration of the attempts',
			6000,
			10_000,
			{ ...TIMEOUT, attempts: 2, elapsedMs: 12_500 },
			[500],
		],
		['ends a request whose attempts take all of it', 10_000, 10_000, TIMEOUT, []],
		['is reached', 0, 3000, { ...TIMEOUT, attempts: 4, elapsedMs: 3000 }, [500, 1000, 1500]],
	])('%s', async (_, latency, retryFor, expected, delays) => {
		const { client, retries } = clientScenario({ respond: inTurn(TIMEOUT), latency, retryFor });
		expect(await client.safeRequest(GET)).toEqual(expected);
		expect(retries.map(([, delayMs]) => delayMs)).toEqual(delays);
	});

	test('of a request replaces that of its client', async () => {
		const { client, attempts } = clientScenario({ respond: inTurn(TIMEOUT), retryFor: 60_000 });
		await client.safeRequest({ ...GET, retryFor: 0 });
		expect(attempts).toHaveLength(1);
	});

	test('is not reached if the rate limiter would permit the next attempt too late', async () => {
		const respond = inTurn(TIMEOUT, refusal(429));
		const { client } = clientScenario({ respond, latency: 1000, retryFor: 30_000 });
		expect(await client.safeRequest(POST)).toMatchObject({
			...{ kind: 'status', status: 429, attempts: 4, outcomeUnknown: true },
		});
	});

	test.each([
		['without Retry-After', undefined],
		['with a Retry-After of 0', 0],
		['with a Retry-After of 1', 1],
	])('bounds the attempts of five requests if the service rejects all, %s', async (_, seconds) => {
		const { client, attempts } = clientScenario({
			...{ respond: inTurn(refusal(429, seconds)), latency: 100, retryFor: 300_000 },
		});
		const all = await Promise.all([1, 2, 3, 4, 5].map(async () => await client.safeRequest(GET)));
		for (const result of all)
			expect(result).toMatchObject({ kind: expect.stringMatching(/status|throttled/) });
		expect(attempts.length).toBeLessThan(60);
	});
});

describe('the client reports', () => {
	test('each retry before its delay, with the failure of the attempt before', async () => {
		const { client, retries } = clientScenario({ respond: inTurn(TIMEOUT, refusal(503, 7), NOT_FOUND) });
		await client.safeRequest(GET);
		expect(retries).toEqual([
			[TIMEOUT, 500],
			[expect.objectContaining({ kind: 'status', status: 503, retryAfterMs: 7000 }), 7000],
		]);
	});

	test('nothing to a client without onRetry', async () => {
		const { client } = clientScenario({ respond: inTurn(TIMEOUT, success), onRetry: undefined });
		expect(await client.safeRequest(GET)).not.toHaveProperty('kind');
	});

	const counts = ({ retried, reasons, throttled, throttledMs }: RequestStats) => ({
		retried,
		reasons: [...reasons].map(([reason, { retries }]) => `${retries} × ${reason}`),
		throttled,
		throttledMs,
	});

	test.each<[string, AttemptOutcome[], number, object]>([
		['no retry', [success], 60_000, { retried: 0, reasons: [], throttled: 0, throttledMs: 0 }],
		[
			'retries by reason',
			[refusal(503), refusal(503), REFUSED, { ...REFUSED, requestSent: true }, TIMEOUT, success],
			60_000,
			{
				retried: 1,
				reasons: ['2 × status 503', '1 × network false', '1 × network true', '1 × timeout'],
				throttled: 0,
				throttledMs: 0,
			},
		],
		['no retry after the deadline', [refusal(503)], 0, { retried: 0, reasons: [] }],
		['no retry of a final failure', [refusal(404)], 60_000, { retried: 0, reasons: [] }],
		[
			'a delay that the service asked for',
			[refusal(500, 7), success],
			60_000,
			{ throttled: 1, throttledMs: 7000 },
		],
		[
			'two delays that the service asked for',
			[refusal(500, 7), refusal(500, 7), success],
			60_000,
			{ throttled: 1, throttledMs: 14_000 },
		],
		['throttling by the limiter', [refusal(429), success], 120_000, { throttled: 1, throttledMs: 500 }],
	])('%s in its statistics', async (_, outcomes, retryFor, expected) => {
		const stats = new RequestStats();
		await clientScenario({ respond: inTurn(...outcomes), retryFor, stats }).client.safeRequest(GET);
		expect(counts(stats)).toMatchObject(expected);
	});

	test('no throttling of requests that wait for slow responses of a service without a limit', async () => {
		const stats = new RequestStats();
		const clock = new FakeClock({ autoAdvance: true });
		const { client } = clientScenario({ respond: () => success, latency: 3000, stats, clock });
		await Promise.all(Array.from({ length: 5 }, async () => await client.safeRequest(GET)));
		expect(stats).toMatchObject({ throttled: 0, throttledMs: 0 });
	});

	test('each request that was throttled once, and time in which several were throttled once', async () => {
		const stats = new RequestStats();
		const respond = inTurn(refusal(503, 5), refusal(503, 5), success);
		const { client } = clientScenario({ respond, stats });
		await Promise.all([client.safeRequest(GET), client.safeRequest(GET)]);
		await client.safeRequest(GET);
		expect(counts(stats)).toMatchObject({ retried: 2, throttled: 2, throttledMs: 5000 });
		const request = stats.request();
		request.startThrottle(20_000)(20_000.9);
		request.startThrottle(30_000)(30_001);
		expect(stats.throttled).toBe(3);
	});
});

describe('a canceled execution', () => {
	test.each<[string, AttemptOutcome, number, object]>([
		['during the delay before a retry', refusal(503), 150, {}],
		['in the rate limiter', refusal(429), 400, {}],
		['during a delay that the service asked for', refusal(503, 60), 30_000, {}],
		['after an attempt with an unknown outcome', TIMEOUT, 150, { outcomeUnknown: true }],
	])('ends its requests at once %s', async (_, outcome, at, expected) => {
		const controller = new AbortController();
		const clock = new FakeClock();
		const { start, ended, attempts } = clientScenario({
			...{ respond: inTurn(outcome), clock, latency: 100, retryFor: 300_000, signal: controller.signal },
		});
		start(['a'], 'outcomeUnknown' in expected ? { ...POST } : {});
		await clock.advance(at);
		expect(ended).toEqual({});
		controller.abort();
		await clock.advance(0);
		expect(ended).toEqual({ a: { at, result: { kind: 'canceled', beforeSend: true, ...expected } } });
		expect(clock.sleeping()).toBe(0);
		await clock.advance(300_000);
		expect(attempts).toHaveLength(1);
	});

	test('sends nothing if it was canceled before', async () => {
		const { client, attempts } = clientScenario({ signal: AbortSignal.abort() });
		expect(await client.safeRequest(GET)).toEqual({ kind: 'canceled', beforeSend: true });
		expect(attempts).toEqual([]);
	});
});
