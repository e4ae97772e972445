import { createClient } from '../../../../nodes/Prospector/transport/request/client';
import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import { RateLimiterRegistry } from '../../../../nodes/Prospector/transport/rate/rateLimiters';
import type { HttpResponse } from '../../../../nodes/Prospector/transport/request/response';
import { manualTiming, flushPromises } from '../../helpers/manualTiming';
import { CONNECTION, httpResponse, NODE, itemResponse } from '../../helpers/support';

interface Situation {
	/** What the service answers to a request at a time, and how many came before. */
	answer: (now: number, earlier: number) => HttpResponse;
	maxWait?: number;
	signal?: AbortSignal;
}

/** A client with the real rate limiter, on a clock that is moved by hand; every answer takes 100 ms. */
function clientOnAClock({ answer, maxWait = 300_000, signal }: Situation) {
	const { timing, pass, sleeping } = manualTiming();
	const limiters = new RateLimiterRegistry(timing);
	/** Milliseconds at which requests arrived. */
	const arrivals: number[] = [];
	const send = async () => {
		const reply = answer(timing.now(), arrivals.length);
		arrivals.push(timing.now());
		await timing.sleep(100);
		return reply;
	};
	const options = {
		...{ node: NODE, connection: CONNECTION, send, limiters, clock: timing },
		random: () => 0.5,
	};
	const client = createClient({ ...options, timeout: 60_000, maxWait, signal });
	/** How requests ended, and when. */
	const ended: Array<{ at: number; how: unknown }> = [];
	const ask = () => {
		const attempt = client.safeRequest({ endpoint: endpoints.getConfig });
		const end = (how: unknown) => ended.push({ at: timing.now(), how });
		void attempt.then((reply) => end('kind' in reply ? reply : 'good')).catch(end);
	};
	return { ask, pass, sleeping, arrivals, ended };
}

const good = () => itemResponse({ id: 'x' });
const refused = (seconds?: number) =>
	httpResponse(429, '', seconds === undefined ? {} : { 'retry-after': `${seconds}` });

describe('requests of one key', () => {
	test.each([
		['no Retry-After', undefined],
		['a Retry-After of 0', 0],
		['a Retry-After of 1', 1],
	])('are few when the service rejects all, with %s', async (_, seconds) => {
		const { ask, pass, arrivals, ended, sleeping } = clientOnAClock({ answer: () => refused(seconds) });
		for (let i = 0; i < 5; i++) ask();
		await pass(400_000);
		expect(ended).toHaveLength(5);
		for (const { how } of ended)
			expect(how).toMatchObject({ kind: expect.stringMatching(/^(status|heldBack)$/) });
		expect(arrivals.length).toBeLessThan(30);
		expect(sleeping()).toBe(0);
	});

	test('all succeed at the rate of an unknown limit', async () => {
		const accepted: number[] = [];
		const { ask, pass, ended, arrivals } = clientOnAClock({
			answer(now) {
				if (accepted.filter((at) => at > now - 60_000).length >= 60) return refused();
				accepted.push(now);
				return good();
			},
		});
		for (let i = 0; i < 150; i++) ask();
		await pass(200_000);
		expect(ended.map(({ how }) => how)).toEqual(new Array(150).fill('good'));
		// Five requests are in flight when the limit is met for the first time; later there is one probe.
		expect(arrivals.length).toBeLessThanOrEqual(156);
		expect(ended[149].at).toBeLessThan(125_000);
	});

	test('all wait when one response has Retry-After', async () => {
		const { ask, pass, arrivals, ended } = clientOnAClock({
			answer: (_, earlier) => (earlier === 1 ? httpResponse(503, '', { 'retry-after': '9' }) : good()),
		});
		ask();
		await pass(1000);
		ask();
		await pass(500);
		for (let i = 0; i < 3; i++) ask();
		await pass(60_000);
		expect(ended.map(({ how }) => how)).toEqual(new Array(5).fill('good'));
		const [, asked, ...after] = arrivals;
		expect(asked).toBe(1000);
		expect(Math.min(...after)).toBe(10_100);
	});

	test('continue at the time of Retry-After when the first response is a 429', async () => {
		const { ask, pass, arrivals, ended } = clientOnAClock({
			answer: (_, earlier) => (earlier === 0 ? refused(5) : good()),
			maxWait: 30_000,
		});
		ask();
		await pass(400_000);
		expect(ended).toEqual([{ at: 5200, how: 'good' }]);
		expect(arrivals).toEqual([0, 5100]);
	});

	test('are not blocked by a response that cannot be parsed', async () => {
		const nested = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as unknown;
		const { ask, pass, ended } = clientOnAClock({
			answer: (_, earlier) => (earlier === 0 ? httpResponse(400, nested) : good()),
		});
		ask();
		await pass(1000);
		ask();
		await pass(3_600_000);
		expect(ended).toHaveLength(2);
		expect(ended[0].how).toMatchObject({ kind: 'status', status: 400 });
		expect(ended[1].how).toBe('good');
	});
});

describe('a canceled execution', () => {
	test.each([
		['during the delay before a retry', httpResponse(503, ''), 150, 1],
		['in the rate limiter', refused(), 30_000, 1],
		['during a delay that the service asked for', httpResponse(503, '', { 'retry-after': '60' }), 30_000, 1],
	])('ends its requests at once %s', async (_, reply, at, sent) => {
		const stop = new AbortController();
		const situation = clientOnAClock({ answer: () => reply, signal: stop.signal });
		const { ask, pass, ended, arrivals, sleeping } = situation;
		ask();
		await pass(at);
		expect(ended).toEqual([]);
		stop.abort();
		await flushPromises();
		expect(ended).toEqual([{ at, how: { kind: 'canceled', beforeSend: true } }]);
		expect(arrivals).toHaveLength(sent);
		expect(sleeping()).toBe(0);
	});

	test('sends nothing when it was canceled before', async () => {
		const { ask, pass, arrivals, ended } = clientOnAClock({ answer: good, signal: AbortSignal.abort() });
		ask();
		await pass(1000);
		expect(arrivals).toEqual([]);
		expect(ended).toMatchObject([{ how: { kind: 'canceled', beforeSend: true } }]);
	});
});
