import type { Failure } from '../../../../nodes/Prospector/transport/failure/failure';
import { calls, status } from '../../helpers/everyFailure';
import { GOOD, retryScenario } from '../../helpers/retryScenario';

const POST = calls['a POST with a key'];
const TIMEOUT: Failure = { kind: 'timeout' };
const UNSENT: Failure = { kind: 'network', code: 'ECONNREFUSED', requestSent: false };

describe('a request', () => {
	test('is sent once when it succeeds', async () => {
		const { run, sent, slept, retries } = retryScenario({ outcomes: [GOOD] });
		expect(await run()).toBe(GOOD);
		expect([sent(), slept, retries]).toEqual([1, [], []]);
	});

	test('is sent until it succeeds', async () => {
		const outcomes = [TIMEOUT, status(503), UNSENT, status(429), GOOD];
		const { run, sent, slept } = retryScenario({ outcomes });
		expect(await run()).toBe(GOOD);
		expect(sent()).toBe(5);
		expect(slept).toEqual([500, 1000, 2000, 0]);
	});

	test('is sent once when its failure is final, and returns that failure unchanged', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [status(404), GOOD] });
		expect(await run()).toEqual(status(404));
		expect([sent(), slept]).toEqual([1, []]);
	});

	test('ends with the first final failure', async () => {
		const { run, sent } = retryScenario({ outcomes: [TIMEOUT, status(403), GOOD], takes: 700 });
		expect(await run()).toEqual({ ...status(403), attempts: 2, elapsedMs: 700 + 500 + 700 });
		expect(sent()).toBe(2);
	});

	test('acquires a permit before every attempt, with the same queue key and deadline', async () => {
		const { signal } = new AbortController();
		const { run, acquired, queueKey, pass } = retryScenario({ outcomes: [TIMEOUT, TIMEOUT, GOOD], signal });
		pass(5000);
		await run();
		expect(acquired).toEqual(new Array(3).fill([queueKey, 65_000, signal]));
	});

	test('calls onRetry before every delay, and only then', async () => {
		const { run, retries } = retryScenario({
			outcomes: [TIMEOUT, status(503, { retryAfter: 7 }), status(404)],
		});
		await run();
		expect(retries).toEqual([
			[TIMEOUT, 500],
			[status(503, { retryAfter: 7 }), 7000],
		]);
	});

	test('retries without onRetry', async () => {
		const { run } = retryScenario({ outcomes: [TIMEOUT, GOOD], onRetry: undefined });
		expect(await run()).toBe(GOOD);
	});
});

describe('the deadline', () => {
	test('allows one attempt when maxWait is 0', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [TIMEOUT], maxWait: 0 });
		expect(await run()).toEqual(TIMEOUT);
		expect([sent(), slept]).toEqual([1, []]);
	});

	test.each([1, 1000, 60_000, 300_000, 3_600_000])(
		'is reached and not exceeded when maxWait is %i ms',
		async (maxWait) => {
			const { run, slept, sent, retries } = retryScenario({ outcomes: [TIMEOUT], maxWait });
			const ended = await run();
			expect(slept.reduce((a, b) => a + b, 0)).toBe(maxWait);
			// No delay after the last attempt.
			expect([slept.length, retries.length]).toEqual([sent() - 1, sent() - 1]);
			expect(ended).toEqual({ ...TIMEOUT, attempts: sent(), elapsedMs: maxWait });
		},
	);

	test('includes the duration of the attempts', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [TIMEOUT], maxWait: 10_000, takes: 6000 });
		expect(await run()).toEqual({ ...TIMEOUT, attempts: 2, elapsedMs: 12_500 });
		expect([sent(), slept]).toEqual([2, [500]]);
	});

	test('ends the request at once when Retry-After is longer', async () => {
		const refusal = status(429, { retryAfter: 61 });
		const { run, slept } = retryScenario({ outcomes: [refusal] });
		expect(await run()).toEqual(refusal);
		expect(slept).toEqual([]);
	});

	test('limits the number of attempts when Retry-After is 0', async () => {
		const { run, sent } = retryScenario({ outcomes: [status(503, { retryAfter: 0 })], maxWait: 300_000 });
		await run();
		expect(sent()).toBeLessThan(30);
	});
});

describe('outcomeUnknown', () => {
	test.each<[string, Failure[], true | undefined]>([
		['unknown, then refused', [TIMEOUT, status(429), status(404)], true],
		['refused, then unknown, then refused', [status(429), status(500), status(401)], true],
		['unknown, then never sent again', [{ kind: 'truncatedResponse', code: 'X' }, UNSENT], true],
		['never carried out', [status(429), UNSENT, status(409)], undefined],
		[
			'unknown at the last try alone',
			[status(429), { kind: 'unexpectedResponse', received: 'nothing' }],
			undefined,
		],
	])(
		'is set only when an earlier attempt may have been processed (%s)',
		async (_, outcomes, outcomeUnknown) => {
			const { run } = retryScenario({ call: POST, outcomes, maxWait: 4000 });
			const ended = (await run()) as Failure;
			expect(ended.outcomeUnknown).toBe(outcomeUnknown);
			expect(ended.kind).toBe(outcomes[outcomes.length - 1].kind);
		},
	);

	test('is not set for a GET', async () => {
		const { run } = retryScenario({ outcomes: [TIMEOUT, status(404)] });
		expect(await run()).not.toHaveProperty('outcomeUnknown');
	});

	test('remains set while later attempts are rejected until the deadline', async () => {
		const { run } = retryScenario({
			call: POST,
			outcomes: [TIMEOUT, status(429)],
			takes: 1000,
			maxWait: 5000,
		});
		expect(await run()).toEqual({ ...status(429), attempts: 5, elapsedMs: 5500, outcomeUnknown: true });
	});
});
