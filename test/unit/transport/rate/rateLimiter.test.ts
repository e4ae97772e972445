import { getEventListeners } from 'node:events';
import { RateLimiterRegistry } from '../../../../nodes/Prospector/transport/dependencies';
import type { Connection } from '../../../../nodes/Prospector/api/apiRequest';
import { leastProcessorTime, processorTime } from '../../../processorTime';
import { clientScenario, hang, inTurn, names, success } from '../../helpers/clientScenario';
import { requests } from '../../helpers/everyFailure';
import { FakeClock, fakeDependencies, flushPromises } from '../../helpers/fakeClock';
import { CONNECTION, httpResponse, KEY } from '../../helpers/support';

const HOUR = 3_600_000;

/** Clients of several executions, which share a rate limiter on a clock that is moved by hand. */
function sharedLimiter() {
	const clock = new FakeClock();
	const dependencies = fakeDependencies(clock);
	/** Names of the requests in the order in which they were sent. */
	const sent: string[] = [];
	const answers = new Map<string, (response: typeof success) => void>();

	/** Returns the client of an execution, whose requests are answered by {@link answer}. */
	function execution(options: { retryFor?: number; signal?: AbortSignal } = {}) {
		const scenario = clientScenario({
			...{ clock, dependencies, retryFor: Infinity },
			...options,
			async respond(attempt) {
				const name = scenario.attempts[attempt].name;
				sent.push(name);
				return await new Promise((resolve) => answers.set(name, resolve));
			},
		});
		return scenario;
	}

	async function answer(name: string, response = success) {
		await flushPromises();
		answers.get(name)?.(response);
		await flushPromises();
	}

	/** Answers all requests that are sent. */
	async function answerAll() {
		await flushPromises();
		for (let i = 0; i < sent.length; i++) await answer(sent[i]);
	}

	/** Pauses all requests from now on, as Retry-After does. */
	async function pause(seconds: number) {
		execution({ retryFor: 0 }).start(['pause']);
		await answer('pause', httpResponse(503, '', { 'retry-after': String(seconds) }));
		sent.splice(0);
		await clock.advance(1);
	}

	/** Sends as many requests as may be in flight at first. */
	async function fill() {
		execution().start(names('filling', 3));
		await flushPromises();
		sent.splice(0);
	}
	return { clock, dependencies, sent, execution, answer, answerAll, pause, fill };
}

describe('waiting requests', () => {
	test('are at first three in flight, and sent without a sleep', async () => {
		const { clock, execution, sent, answer } = sharedLimiter();
		execution({ retryFor: 0 }).start(names('a', 3));
		await flushPromises();
		expect([sent, clock.sleeps]).toEqual([names('a', 3), []]);
		execution().start(['b']);
		await clock.advance(9999);
		expect(sent).toEqual(names('a', 3));
		await answer('a0');
		expect(sent).toEqual([...names('a', 3), 'b']);
	});

	test('are soon all in flight if the service accepts every request', async () => {
		const { execution, sent, answer } = sharedLimiter();
		execution().start(names('a', 500));
		await flushPromises();
		let answered = 0;
		const inFlight = () => sent.length - answered;
		while (inFlight() < 20) await answer(`a${answered++}`);
		expect(answered).toBeLessThan(400);
	});

	test('do not wait longer than 10 s for requests that hang', async () => {
		const { clock, execution, fill } = sharedLimiter();
		await fill();
		const { start, sentAtMs } = execution();
		start(['a']);
		await clock.advance(20_000);
		expect(sentAtMs()).toEqual([10_000]);
	});

	test('of several executions are sent in turns', async () => {
		const { clock, execution, answerAll, sent, pause } = sharedLimiter();
		await pause(1);
		execution().start(names('a', 4));
		execution().start(names('b', 2));
		execution().start(names('c', 3));
		await clock.advance(1000);
		await answerAll();
		expect(sent).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
	});

	test('of a new execution are second when another one has 1,000 waiting requests', async () => {
		const { execution, answer, sent, fill } = sharedLimiter();
		await fill();
		execution().start(names('a', 1000));
		await answer('filling0');
		execution().start(['late']);
		await answer('filling1');
		await answer('filling2');
		expect(sent).toEqual(['a0', 'a1', 'late', 'a2']);
	});

	test('of an execution that sends one after the other are sent in turns with those of another', async () => {
		const { execution, answer, sent, fill } = sharedLimiter();
		await fill();
		execution().start(names('a', 20));
		const other = execution();
		for (let i = 0; i < 3; i++) {
			other.start([`b${i}`]);
			await answer(sent.at(-1) ?? 'filling0');
			await answer(sent.at(-1) ?? '');
		}
		expect(sent).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'a3', 'b2']);
	});

	test('are served in linear time', async () => {
		const serve = async (count: number) => {
			const clock = new FakeClock();
			const limiter = new RateLimiterRegistry(clock).get(CONNECTION);
			const queueKey = {};
			let served = 0;
			for (let i = 0; i < count; i++) {
				void limiter.acquire(queueKey, Infinity).then((permit) => {
					if ('kind' in permit) return;
					served++;
					limiter.release(permit, 'counted');
				});
			}
			await flushPromises();
			expect(served).toBe(count);
		};
		await serve(1000);
		const fewMs = await processorTime(async () => await serve(2000));
		const limitMs = Math.max(fewMs, 25) * 12;
		expect(await leastProcessorTime(async () => await serve(10_000), limitMs)).toBeLessThan(limitMs);
	});
});

describe('the deadline of a waiting request', () => {
	test.each([
		[0, { atMs: 1, throttledMs: 4999 }],
		[4998, { atMs: 1, throttledMs: 4999 }],
		[4999, { atMs: 5000 }],
		[Infinity, { atMs: 5000 }],
	])('in %d ms ends it at once if requests are paused for longer (%j)', async (retryFor, expected) => {
		const { clock, execution, answerAll, pause } = sharedLimiter();
		await pause(5);
		const { start, ended, attempts } = execution({ retryFor });
		start(['a']);
		await clock.advance(5000);
		await answerAll();
		if ('throttledMs' in expected) {
			expect(ended.a).toEqual({ atMs: 1, result: { kind: 'throttled', throttledMs: expected.throttledMs } });
			expect(attempts).toEqual([]);
		} else {
			expect(attempts).toMatchObject([{ atMs: expected.atMs }]);
			expect(ended.a.result).toBe('success');
		}
		expect(clock.sleeping()).toBe(0);
	});

	test('is kept if all requests in flight hang', async () => {
		const { clock, execution, fill } = sharedLimiter();
		await fill();
		const { start, ended, sentAtMs } = execution();
		start(['patient']);
		await clock.advance(100);
		start(['half a second'], { retryFor: 500 });
		start(['five seconds'], { retryFor: 5000 });
		await clock.advance(30_000);
		expect(ended).toEqual({
			'half a second': { atMs: 600, result: { kind: 'throttled', throttledMs: 1 } },
			'five seconds': { atMs: 5100, result: { kind: 'throttled', throttledMs: 1 } },
		});
		// The limiter looks every second.
		expect(sentAtMs()).toEqual([10_100]);
		expect(clock.sleeping()).toBe(0);
	});

	test('ends it as soon as a response shows that it would be too late', async () => {
		const { clock, execution, fill, answer } = sharedLimiter();
		await fill();
		const { start, ended, attempts } = execution();
		start(['a'], { retryFor: 3000 });
		start(['b'], { retryFor: 6000 });
		await clock.advance(1000);
		expect(ended).toEqual({});
		await answer('filling0', httpResponse(503, '', { 'retry-after': '5' }));
		await clock.advance(1);
		expect(ended).toEqual({ a: { atMs: 1001, result: { kind: 'throttled', throttledMs: 4999 } } });
		await clock.advance(5000);
		expect(attempts).toMatchObject([{ name: 'b', atMs: 6000 }]);
	});
});

describe('Retry-After', () => {
	/** When a second request is sent after the first one had this response at 0 ms. */
	async function nextSentAt(status: number, retryAfter: string) {
		const respond = inTurn(httpResponse(status, '', { 'retry-after': retryAfter }), success);
		const { client, sentAtMs } = clientScenario({ respond, retryFor: Infinity });
		await client.safeRequest({ ...requests.GET, retryFor: 0 });
		await client.safeRequest(requests.GET);
		return sentAtMs()[1];
	}

	test.each([
		[429, '7', 7000],
		[503, '7', 7000],
		[429, '86400', 300_000],
		[503, '301', 300_000],
		[503, '300', 300_000],
		[429, '0', 500],
		[404, '7', 0],
		[500, '7', 0],
		[301, '7', 0],
		[200, '7', 0],
	])('of a %i with %s s permits the next request at %i ms', async (status, seconds, expected) => {
		expect(await nextSentAt(status, seconds)).toBe(expected);
	});

	test('is not shortened by a shorter one', async () => {
		const { clock, execution, fill, answer } = sharedLimiter();
		await fill();
		await answer('filling0', httpResponse(503, '', { 'retry-after': '9' }));
		await answer('filling1', httpResponse(503, '', { 'retry-after': '1' }));
		const { start, sentAtMs } = execution();
		start(['a']);
		await clock.advance(20_000);
		expect(sentAtMs()).toEqual([9000]);
	});

	test('needs one sleep per second, however many requests wait', async () => {
		const { clock, execution, pause, sent } = sharedLimiter();
		await pause(5);
		const before = clock.sleeps.length;
		execution().start(names('a', 100));
		await clock.advance(3999);
		expect([clock.sleeping(), clock.sleeps.length - before]).toEqual([1, 4]);
		await clock.advance(1000);
		expect(sent).toEqual(names('a', 3));
	});
});

describe('a canceled execution', () => {
	test('ends its waiting requests at once, and no others', async () => {
		const { clock, execution, answerAll, pause, sent } = sharedLimiter();
		const controller = new AbortController();
		await pause(2);
		const [other, canceled] = [execution(), execution({ signal: controller.signal })];
		other.start(['b0']);
		canceled.start(names('a', 100));
		other.start(['b1']);
		await clock.advance(500);
		expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
		controller.abort();
		await flushPromises();
		expect(Object.values(canceled.ended)).toEqual(
			new Array(100).fill({ atMs: 501, result: { kind: 'canceled', beforeSend: true } }),
		);
		expect([clock.sleeping(), getEventListeners(controller.signal, 'abort').length]).toEqual([1, 0]);
		await clock.advance(1500);
		await answerAll();
		expect(sent).toEqual(['b0', 'b1']);
	});

	test('keeps no listener for requests that have ended', async () => {
		const { clock, execution, answer, fill, pause } = sharedLimiter();
		const { signal } = new AbortController();
		await fill();
		const { start, ended } = execution({ signal });
		start(['a']);
		await flushPromises();
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await answer('filling0');
		await answer('a');
		await answer('filling1');
		await pause(1);
		start(['throttled'], { retryFor: 1 });
		await clock.advance(0);
		expect(Object.keys(ended)).toEqual(['a', 'throttled']);
		expect([clock.sleeping(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
	});

	test('sends no further request if it is canceled right after a failed one', async () => {
		const { clock, execution, answer, fill, sent } = sharedLimiter();
		const controller = new AbortController();
		await fill();
		execution({ signal: controller.signal }).start(['canceled']);
		await answer('filling0', httpResponse(404, ''));
		expect(sent).toEqual([]);
		controller.abort();
		execution().start(['next']);
		await clock.advance(1);
		expect(sent).toEqual(['next']);
	});
});

describe('a failed request', () => {
	test.each([
		[httpResponse(404, ''), 1],
		[success, 0],
	])('delays the next one by a millisecond (%#)', async (response, expected) => {
		const { clock, execution, answer, fill } = sharedLimiter();
		await fill();
		const { start, sentAtMs } = execution();
		start(['a']);
		await answer('filling0', response);
		await clock.advance(5);
		expect(sentAtMs()).toEqual([expected]);
	});

	test('does not block the next one if its response can not be parsed', async () => {
		const nested = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as unknown;
		const { client } = clientScenario({ respond: inTurn(httpResponse(400, nested), success) });
		expect(await client.safeRequest(requests.GET)).toMatchObject({ kind: 'status', status: 400 });
		expect(await client.safeRequest(requests.GET)).not.toHaveProperty('kind');
	});

	test('lets a request with another client end at its own deadline while the first one hangs', async () => {
		const { clock, dependencies, execution } = sharedLimiter();
		clientScenario({ clock, dependencies, respond: hang }).start(['hangs']);
		const { start, ended } = execution({ retryFor: 5000 });
		start(names('a', 3));
		await clock.advance(20_000);
		expect(ended).toEqual({ a2: { atMs: 5000, result: { kind: 'throttled', throttledMs: 1 } } });
	});
});

describe('a rate limiter', () => {
	/** Milliseconds after which a request with one connection is sent, when those with another are paused for 5 s. */
	async function delayBesides(changes: Partial<Connection>) {
		const clock = new FakeClock({ autoAdvance: true });
		const dependencies = fakeDependencies(clock);
		const respond = () => httpResponse(503, '', { 'retry-after': '5' });
		const paused = clientScenario({ clock, dependencies, respond, retryFor: 0 });
		await paused.client.safeRequest(requests.GET);
		const connection = { ...CONNECTION, ...changes };
		const other = clientScenario({ clock, dependencies, connection });
		await other.client.safeRequest(requests.GET);
		return other.sentAtMs()[0];
	}

	test.each<[string, Partial<Connection>]>([
		['an equal credential', {}],
		['another cursor parameter', { cursorParameter: 'after' }],
		['another page size parameter', { pageSizeParameter: 'per_page' }],
	])('is shared with %s', async (_, changes) => expect(await delayBesides(changes)).toBe(5000));

	test.each<[string, Partial<Connection>]>([
		['another key', { apiKey: 'pk_live_other' }],
		['a key with the same beginning', { apiKey: `${KEY}1` }],
		['another address', { baseUrl: 'https://eu.example.com' }],
		['another path', { baseUrl: `${CONNECTION.baseUrl}/tenant` }],
		[
			'the same characters, divided differently',
			{ baseUrl: CONNECTION.baseUrl + KEY[0], apiKey: KEY.slice(1) },
		],
	])('is not shared with %s', async (_, changes) => expect(await delayBesides(changes)).toBe(0));
});

describe('the rate limiters of a process', () => {
	/** The private map, because nothing but memory depends on it. */
	const mapOf = (registry: RateLimiterRegistry) =>
		(registry as unknown as { limiters: Map<string, unknown> }).limiters;

	test.each([
		[HOUR, true],
		[HOUR + 1, false],
	])('are kept %i ms after their last use: %j', async (milliseconds, isKept) => {
		const clock = new FakeClock();
		const registry = new RateLimiterRegistry(clock);
		const limiter = registry.get(CONNECTION);
		clock.skip(HOUR);
		registry.get(CONNECTION);
		clock.skip(milliseconds);
		registry.get({ ...CONNECTION, apiKey: 'another' });
		expect(mapOf(registry).size).toBe(isKept ? 2 : 1);
		expect(registry.get(CONNECTION) === limiter).toBe(isKept);
	});

	test('are kept while a request waits', async () => {
		const clock = new FakeClock();
		const registry = new RateLimiterRegistry(clock);
		const limiter = registry.get(CONNECTION);
		limiter.release({ sentAt: 0, isTrial: true }, 'notSent', 3 * HOUR);
		void limiter.acquire({}, Infinity);
		await clock.advance(2 * HOUR);
		registry.get({ ...CONNECTION, apiKey: 'another' });
		expect(registry.get(CONNECTION)).toBe(limiter);
	});

	test('do not use memory forever when API keys come and go', () => {
		const clock = new FakeClock();
		const registry = new RateLimiterRegistry(clock);
		for (let i = 0; i < 500; i++) {
			registry.get({ ...CONNECTION, apiKey: `key-${i}` });
			clock.skip(HOUR / 10);
		}
		expect(mapOf(registry).size).toBe(11);
		registry.clear();
		expect(mapOf(registry).size).toBe(0);
	});

	test('are stored by digests that do not contain the API key', () => {
		const registry = new RateLimiterRegistry(new FakeClock());
		registry.get(CONNECTION);
		expect([...mapOf(registry).keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});
});
