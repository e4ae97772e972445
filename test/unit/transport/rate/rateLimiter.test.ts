import { getEventListeners } from 'node:events'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { RateLimiterRegistry } from '../../../../nodes/Prospector/transport/dependencies';
import type { Connection } from '../../../../nodes/Prospector/api/apiRequest';
import { type AttemptOutcome, clientScenario, inTurn, numbered, success } from '../../helpers/clientScenario';
import { requests, status } from '../../helpers/everyFailure';
import { FakeClock, fakeDependencies, flushPromises } from '../../helpers/fakeClock';
import { BASE, CONNECTION, httpResponse, KEY } from '../../helpers/support';

const retryAfter = (status: number, seconds: number | string) =>
	httpResponse(status, '', { 'retry-after': String(seconds) });

/** Clients of several executions, which share a rate limiter on a clock that is moved by hand. */
function sharedLimiter() {
	const clock = new FakeClock();
	const dependencies = fakeDependencies(clock);
	/** Names of the requests in the order in which they were sent. */
	const sent: string[] = [];
	const answers = new Map<string, (response: AttemptOutcome) => void>();

	/** Returns the client of an execution, whose requests are answered by {@link answer}. */
	function execution(options: { retryForMs?: number; signal?: AbortSignal } = {}) {
		const scenario = clientScenario({
			...{ clock, dependencies, retryForMs: Infinity },
			...options,
			async respond(attempt) {
				const name = scenario.attempts[attempt].name;
				sent.push(name);
				return await new Promise((resolve) => answers.set(name, resolve));
			},
		});
		return scenario;
	}

	async function answer(name: string, response: AttemptOutcome = success) {
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
		execution({ retryForMs: 0 }).start(['pause']);
		await answer('pause', retryAfter(503, seconds));
		sent.splice(0);
		await clock.advance(1);
	}

	/** Sends as many requests as may be in flight at first. */
	async function fill() {
		execution().start(numbered('filling', 3));
		await flushPromises();
		sent.splice(0);
	}
	return { clock, sent, execution, answer, answerAll, pause, fill };
}

test('the rate limiter keeps three requests in flight at first and sends the next request when a response arrives', async () => {
	const { clock, execution, sent, answer } = sharedLimiter();
	execution({ retryForMs: 0 }).start(numbered('a', 3));
	await flushPromises();
	expect([sent, clock.sleeps]).toEqual([numbered('a', 3), []]);
	execution().start(['b']);
	await clock.advance(9999);
	expect(sent).toEqual(numbered('a', 3));
	await answer('a0');
	expect(sent).toEqual([...numbered('a', 3), 'b']);
});

test('the fourth request is sent as soon as the first three have ended with an exception', async () => {
	const onResponse = () => {
		throw new TypeError('Unexpected');
	};
	const { client, sentAtMs } = clientScenario({ onResponse });
	const ends = Array.from({ length: 4 }, async () => await client.request(requests.GET));
	const unexpected = { status: 'rejected', reason: new TypeError('Unexpected') };
	expect(await Promise.allSettled(ends)).toEqual(Array(4).fill(unexpected));
	expect(new Set(sentAtMs())).toEqual(new Set([sentAtMs()[0]]));
});

test('executions that share a rate limiter take turns if each execution has waiting requests', async () => {
	const { clock, execution, answerAll, sent, pause } = sharedLimiter();
	await pause(1);
	for (const waiting of [numbered('a', 4), numbered('b', 2), numbered('c', 3)]) execution().start(waiting);
	await clock.advance(1000);
	await answerAll();
	expect(sent).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('the clients of all items of an execution wait in one queue', async () => {
	const { clock, execution, answerAll, sent, pause } = sharedLimiter();
	await pause(1);
	const { signal } = new AbortController();
	for (const item of ['a0', 'a1', 'a2']) execution({ signal }).start([item]);
	execution().start(['b0', 'b1']);
	await clock.advance(1000);
	await answerAll();
	expect(sent).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
});

test('an execution that sends one request at a time takes turns with one that has many waiting', async () => {
	const { execution, fill, answer, sent } = sharedLimiter();
	await fill();
	execution().start(numbered('a', 3));
	const { start } = execution();
	start(['b0']);
	await answer('filling0');
	await answer('filling1');
	start(['b1']);
	await answer('filling2');
	await answer('a0');
	expect(sent.slice(0, 4)).toEqual(['a0', 'b0', 'a1', 'b1']);
});

const AFTER_PAUSE = { kind: 'throttled', retryAfterMs: 4999 };

test.each([
	[1, 1, 0, AFTER_PAUSE],
	[4999, 1, 0, AFTER_PAUSE],
	[5000, 5000, 1, 'success'],
	[Infinity, 5000, 1, 'success'],
])(
	'a request that may wait until %d ms ends at %d ms after %d attempts if the rate limiter pauses until 5,000 ms',
	async (untilMs, atMs, attemptCount, result) => {
		const { clock, execution, answerAll, pause } = sharedLimiter();
		await pause(5);
		const { start, ended, attempts } = execution({ retryForMs: untilMs - 1 });
		start(['a']);
		await clock.advance(atMs - 1);
		await answerAll();
		expect([ended, attempts.length]).toMatchObject([{ a: { atMs, result } }, attemptCount]);
		expect(clock.sleeping()).toBe(0);
	},
);

const THROTTLED = { kind: 'throttled', retryAfterMs: undefined };

test('a request waits 10 s for requests in flight that get no response, even if its time to retry is over', async () => {
	const { clock, execution, fill } = sharedLimiter();
	await fill();
	const { start, ended, sentAtMs } = execution();
	start(['patient']);
	await clock.advance(100);
	start(['half a second'], { retryForMs: 500 });
	start(['once'], { retryForMs: 0 });
	start(['too late'], { retryForMs: 5000 });
	start(['short'], { retryForMs: 0, timeoutMs: 5000 });
	await clock.advance(30_000);
	expect(ended).toMatchObject({
		short: { atMs: 5100, result: THROTTLED },
		'too late': { atMs: 10_100, result: THROTTLED },
	});
	// The limiter looks every second.
	expect(sentAtMs()).toEqual([10_100, 10_100, 10_100]);
	expect(clock.sleeping()).toBe(0);
});

test('a waiting request is given up only at its deadline while an outstanding response could still let it be sent', async () => {
	const { clock, execution, answer } = sharedLimiter();
	execution({ retryForMs: 0 }).start(['a0', 'a1', 'in flight']);
	await answer('a0');
	await answer('a1', httpResponse(429, ''));
	const { start, ended } = execution({ retryForMs: 500 });
	start(['b']);
	await clock.advance(499);
	expect(ended).toEqual({});
	await clock.advance(1);
	// The next trial is due 1 s after the rejection.
	expect(ended).toMatchObject({ b: { result: { kind: 'throttled', retryAfterMs: 500 } } });
});

test.each([[429], [503]])(
	'a waiting request is sent at once if a request in flight, sent after one that was refused with status %i and Retry-After, is accepted',
	async (status) => {
		const { clock, execution, answer } = sharedLimiter();
		execution({ retryForMs: 0 }).start(['refused']);
		await clock.advance(1);
		execution({ retryForMs: 0 }).start(['accepted']);
		const { start, attempts } = execution({ retryForMs: 3000 });
		await answer('refused', retryAfter(status, 60));
		start(['a']);
		await clock.advance(100);
		await answer('accepted');
		expect(attempts).toMatchObject([{ name: 'a', atMs: 101 }]);
	},
);

test('a waiting request ends at once if a Retry-After shows that the request could only be sent after its deadline', async () => {
	const { clock, execution, fill, answer } = sharedLimiter();
	await fill();
	const { start, ended, attempts } = execution();
	start(['a'], { retryForMs: 3000 });
	start(['b'], { retryForMs: 6000 });
	await clock.advance(1000);
	expect(ended).toEqual({});
	for (const name of numbered('filling', 3)) await answer(name, retryAfter(503, 5));
	await clock.advance(1);
	const times = { retryAfterMs: 4999, retryAtMs: clock.wallClock.now() + 4999 };
	expect(ended).toMatchObject({ a: { atMs: 1001, result: { kind: 'throttled', ...times } } });
	await clock.advance(5000);
	expect(attempts).toMatchObject([{ name: 'b', atMs: 6000 }]);
});

test.each([
	[429, '7', 7000],
	[503, '7', 7000],
	[429, '60', 60_000],
	[429, '86400', 61_000],
	[503, '301', 61_000],
	[429, '0', 250],
	[404, '7', 0],
	[500, '7', 0],
	[200, '7', 0],
])(
	'a response with status %i and a Retry-After of %s s delays the next request by %i ms',
	async (status, seconds, expectedMs) => {
		const respond = inTurn(retryAfter(status, seconds), success);
		const { client, sentAtMs } = clientScenario({ respond, retryForMs: Infinity });
		await client.tryRequest({ ...requests.GET, retryForMs: 0 });
		await client.tryRequest(requests.GET);
		expect(sentAtMs()[1]).toBe(expectedMs);
	},
);

test('in a long pause, a single request is sent after a minute, and the others wait for its response', async () => {
	const { clock, execution, answer, pause, sent } = sharedLimiter();
	await pause(3600);
	execution().start(numbered('a', 5));
	await clock.advance(90_000);
	expect(sent).toEqual(['a0']);
	await answer('a0');
	expect(sent).toEqual(numbered('a', 4));
});

test('the Retry-After of a web page in front of the service delays no other request', async () => {
	const { sent, execution, answer, clock } = sharedLimiter();
	execution({ retryForMs: 0 }).start(['page']);
	const headers = { 'content-type': 'text/html', 'retry-after': '60' };
	await answer('page', httpResponse(503, '<html>', headers));
	await clock.advance(1);
	execution().start(['next']);
	await flushPromises();
	expect(sent).toEqual(['page', 'next']);
});

test('the rate limiter waits for the longest Retry-After if several responses have a Retry-After', async () => {
	const { clock, execution, fill, answer } = sharedLimiter();
	await fill();
	await answer('filling0', retryAfter(503, 9));
	await answer('filling1', retryAfter(503, 1));
	const { start, sentAtMs } = execution();
	start(['a']);
	await clock.advance(20_000);
	expect(sentAtMs()).toEqual([9000]);
});

test('the rate limiter does not estimate one request per minute if the service rejects everything', async () => {
	const clock = new FakeClock({ autoAdvance: true });
	const dependencies = fakeDependencies(clock);
	const { start } = clientScenario({ respond: () => httpResponse(429, ''), clock, dependencies });
	start(['a', 'b']);
	await clock.advance(120_000);
	expect(dependencies.rateLimiters.get(CONNECTION).estimator.msPerRequest()).toBeLessThan(60_000);
});

test('the rate limiter tries with another item, not with the rejected one, whether the service accepts more requests', async () => {
	const { clock, execution, answer, sent } = sharedLimiter();
	const { start } = execution();
	start(['a0', 'a1']);
	await answer('a0');
	await answer('a1');
	start(['rejected']);
	await answer('rejected', httpResponse(429, ''));
	// Its retry waits first.
	await clock.advance(1);
	start(['b']);
	await clock.advance(2000);
	expect(sent).toEqual(['a0', 'a1', 'rejected', 'b']);
});

test('an item that is always rejected is tried at growing intervals while the service accepts others', async () => {
	const scenario = clientScenario({
		respond: (attempt) => (scenario.attempts[attempt].name === 'rejected' ? httpResponse(429, '') : success),
		latencyMs: 100,
	});
	scenario.start([...numbered('a', 20), 'rejected', ...numbered('b', 1000)]);
	await scenario.clock.advance(60_000);
	const tries = scenario.attempts.filter(({ name }) => name === 'rejected');
	expect(tries.length).toBeLessThan(15);
});

test('a canceled execution ends all its own waiting requests at once, but no request of another execution', async () => {
	const { clock, execution, answerAll, pause, sent } = sharedLimiter();
	const controller = new AbortController();
	await pause(2);
	const [other, canceled] = [execution(), execution({ signal: controller.signal })];
	other.start(['b0']);
	canceled.start(numbered('a', 100));
	other.start(['b1']);
	await clock.advance(500);
	expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
	controller.abort();
	canceled.start(['late']);
	await flushPromises();
	const end = { atMs: 501, result: { kind: 'canceled', wasRequestSent: false } };
	expect(Object.values(canceled.ended)).toMatchObject(new Array(101).fill(end));
	expect([clock.sleeping(), getEventListeners(controller.signal, 'abort').length]).toEqual([1, 0]);
	await clock.advance(1500);
	await answerAll();
	expect(sent).toEqual(['b0', 'b1']);
});

test('a waiting request is not sent if its execution is canceled right after a request in flight has failed', async () => {
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

const SAME = 'one rate limiter';
const OWN = 'a rate limiter each';
test.each<[string, string, Partial<Connection>]>([
	[SAME, 'equal credentials', {}],
	[SAME, 'credentials that differ in the cursor parameter', { cursorParameter: 'after' }],
	[OWN, 'different API keys', { apiKey: 'pk_live_other' }],
	[OWN, 'different hosts', { baseUrl: 'https://eu.example.com' }],
	[OWN, 'different credentials with equal URL + key', { baseUrl: BASE + KEY[0], apiKey: KEY.slice(1) }],
])('two clients have %s if they have %s', (expected, _, changes) => {
	const registry = new RateLimiterRegistry(new FakeClock());
	const isShared = registry.get({ ...CONNECTION, ...changes }) === registry.get(CONNECTION);
	expect(isShared).toBe(expected === SAME);
});

test('a rate limiter remembers less than 100 kB after 10,000 requests for different paths, of which every third is rejected', () => {
	const { estimator } = new RateLimiterRegistry(new FakeClock()).get(CONNECTION);
	for (let second = 0; second < 10_000; second++) {
		const permit = estimator.recordSent(second * 1000, [`GET ${second}`]);
		estimator.recordResult(permit, second * 1000, second % 3 === 0 ? status(429) : undefined);
	}
	const toText = (_: string, value: unknown) => (value instanceof Map ? [...value.keys()] : value);
	expect(JSON.stringify(estimator, toText).length).toBeLessThan(100_000);
});

test('the process forgets the rate limiter that was used longest ago when there are more than 1,000', () => {
	const registry = new RateLimiterRegistry(new FakeClock());
	const limiterOf = (apiKey: string) => registry.get({ ...CONNECTION, apiKey });
	const [first, second] = ['first', 'second'].map(limiterOf);
	for (const apiKey of numbered('key', 998)) limiterOf(apiKey);
	expect(limiterOf('first')).toBe(first);
	limiterOf('another');
	expect(limiterOf('first')).toBe(first);
	expect(limiterOf('second')).not.toBe(second);
});
