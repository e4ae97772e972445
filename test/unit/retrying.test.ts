import type { Failure } from '../../nodes/Prospector/transport/failure';
import { calls, status } from './everyFailure';
import { GOOD, retryScenario } from './retryScenario';

const POST = calls['a POST with a key'];
const TIMEOUT: Failure = { kind: 'timeout' };
const UNSENT: Failure = { kind: 'network', code: 'ECONNREFUSED', sent: false };

describe('a request', () => {
	test('that succeeds is sent once', async () => {
		const { run, sent, slept, told } = retryScenario({ outcomes: [GOOD] });
		expect(await run()).toBe(GOOD);
		expect([sent(), slept, told]).toEqual([1, [], []]);
	});

	test('is sent until it succeeds', async () => {
		const outcomes = [TIMEOUT, status(503), UNSENT, status(429), GOOD];
		const { run, sent, slept } = retryScenario({ outcomes });
		expect(await run()).toBe(GOOD);
		expect(sent()).toBe(5);
		expect(slept).toEqual([500, 1000, 2000, 0]);
	});

	test('whose failure is final is sent once, and its failure stays as it is', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [status(404), GOOD] });
		expect(await run()).toEqual(status(404));
		expect([sent(), slept]).toEqual([1, []]);
	});

	test('ends with the first failure that is final', async () => {
		const { run, sent } = retryScenario({ outcomes: [TIMEOUT, status(403), GOOD], takes: 700 });
		expect(await run()).toEqual({ ...status(403), tries: 2, elapsed: 700 + 500 + 700 });
		expect(sent()).toBe(2);
	});

	test('asks the gate before every try, for the same owner and the same latest moment', async () => {
		const { signal } = new AbortController();
		const { run, entered, owner, pass } = retryScenario({ outcomes: [TIMEOUT, TIMEOUT, GOOD], signal });
		pass(5000);
		await run();
		expect(entered).toEqual(new Array(3).fill([owner, 65_000, signal]));
	});

	test('tells of every pause before it, and of no other', async () => {
		const { run, told } = retryScenario({ outcomes: [TIMEOUT, status(503, { retryAfter: 7 }), status(404)] });
		await run();
		expect(told).toEqual([
			[TIMEOUT, 500],
			[status(503, { retryAfter: 7 }), 7000],
		]);
	});

	test('needs nobody to tell', async () => {
		const { run } = retryScenario({ outcomes: [TIMEOUT, GOOD], onRetry: undefined });
		expect(await run()).toBe(GOOD);
	});
});

describe('the budget', () => {
	test('of 0 allows one try', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [TIMEOUT], maxWait: 0 });
		expect(await run()).toEqual(TIMEOUT);
		expect([sent(), slept]).toEqual([1, []]);
	});

	test.each([1, 1000, 60_000, 300_000, 3_600_000])(
		'of %i ms is used up and not exceeded',
		async (maxWait) => {
			const { run, slept, sent, told } = retryScenario({ outcomes: [TIMEOUT], maxWait });
			const ended = await run();
			expect(slept.reduce((a, b) => a + b, 0)).toBe(maxWait);
			// Nobody sleeps after the last try.
			expect([slept.length, told.length]).toEqual([sent() - 1, sent() - 1]);
			expect(ended).toEqual({ ...TIMEOUT, tries: sent(), elapsed: maxWait });
		},
	);

	test('counts what the tries take', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [TIMEOUT], maxWait: 10_000, takes: 6000 });
		expect(await run()).toEqual({ ...TIMEOUT, tries: 2, elapsed: 12_500 });
		expect([sent(), slept]).toEqual([2, [500]]);
	});

	test('is not slept away for a Retry-After that lies beyond it', async () => {
		const refusal = status(429, { retryAfter: 61 });
		const { run, slept } = retryScenario({ outcomes: [refusal] });
		expect(await run()).toEqual(refusal);
		expect(slept).toEqual([]);
	});

	test('bounds the tries where the service says to come back at once', async () => {
		const { run, sent } = retryScenario({ outcomes: [status(503, { retryAfter: 0 })], maxWait: 300_000 });
		await run();
		expect(sent()).toBeLessThan(30);
	});
});

describe('whether an earlier try may have been carried out', () => {
	test.each<[string, Failure[], true | undefined]>([
		['unknown, then refused', [TIMEOUT, status(429), status(404)], true],
		['refused, then unknown, then refused', [status(429), status(500), status(401)], true],
		['unknown, then never sent again', [{ kind: 'cut', code: 'X' }, UNSENT], true],
		['never carried out', [status(429), UNSENT, status(409)], undefined],
		['unknown at the last try alone', [status(429), { kind: 'notEnvelope', found: 'nothing' }], undefined],
	])('is said of a POST that was %s', async (_, outcomes, inDoubt) => {
		const { run } = retryScenario({ call: POST, outcomes, maxWait: 4000 });
		const ended = (await run()) as Failure;
		expect(ended.inDoubt).toBe(inDoubt);
		expect(ended.kind).toBe(outcomes[outcomes.length - 1].kind);
	});

	test('is no question for a read', async () => {
		const { run } = retryScenario({ outcomes: [TIMEOUT, status(404)] });
		expect(await run()).not.toHaveProperty('inDoubt');
	});

	test('is kept while further tries are refused to the end of the budget', async () => {
		const { run } = retryScenario({
			call: POST,
			outcomes: [TIMEOUT, status(429)],
			takes: 1000,
			maxWait: 5000,
		});
		expect(await run()).toEqual({ ...status(429), tries: 5, elapsed: 5500, inDoubt: true });
	});
});
