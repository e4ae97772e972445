import type { HttpResponse } from '../../../../nodes/Prospector/transport/request/response';
import type { Failure } from '../../../../nodes/Prospector/transport/failure/failure';
import { clientScenario, hang, names, success } from '../../helpers/clientScenario';
import { FakeClock, fakeDependencies, flushPromises } from '../../helpers/fakeClock';
import { type Scenario, simulate } from '../../helpers/rateSimulation';
import { httpResponse } from '../../helpers/support';

/** One hour, unless a row says otherwise. */
const hour = (
	limits: number[],
	latency: number,
	processes: number,
	rest: Partial<Scenario> = {},
): Scenario => ({
	...{ limits, latency, processes, minutes: 60 },
	...rest,
});
const halfHour = (limit: number, latency: number, processes: number, rest: Partial<Scenario>) =>
	hour([limit], latency, processes, { minutes: 30, ...rest });
const tenMinutes = { minutes: 10 };

/** Requests per minute and process that may be rejected; when processes share a high limit, they collide more often. */
const maxRejected = ({ processes, limits }: Scenario) =>
	processes > 1 && Math.max(...limits) >= 600 ? 1.3 : 1;

describe('the limit is used to more than 95 % with few rejections', () => {
	test.each([
		hour([1], 1, 2),
		hour([2], 200, 4),
		hour([7], 1000, 8),
		hour([37], 200, 1),
		hour([60], 1, 8),
		hour([60], 1000, 2),
		hour([100], 200, 4),
		hour([300], 1, 1),
		hour([1000], 1, 4, { minutes: 20 }),
		hour([60, 30], 1, 2),
		hour([60, 30], 200, 1, { seed: 2 }),
		hour([60, 120], 200, 1),
		hour([60, 120], 200, 8, { seed: 3 }),
		hour([600, 60], 200, 4),
		hour([100, 600], 1, 8),
		hour([10, 3], 200, 2),
		hour([3, 10], 1, 1),
	])('by $processes process(es) of $limits requests per minute at $latency ms', (scenario) => {
		const { use, rejected } = simulate(scenario);
		expect(use).toBeGreaterThan(0.95);
		expect(rejected).toBeLessThanOrEqual(maxRejected(scenario));
	});

	test.each<[string, Scenario]>([
		['RateLimit headers of 60', halfHour(60, 200, 8, { headers: 'quota' })],
		['RateLimit headers of 600', halfHour(600, 200, 4, { headers: 'quota' })],
		['an exact Retry-After', halfHour(60, 200, 8, { headers: 'retryAfter' })],
		['a Retry-After of one second', halfHour(60, 200, 2, { headers: 1000 })],
		['a window of 59 s', halfHour(60, 1, 2, { window: 59_000 })],
		['a window of 61 s', halfHour(600, 200, 2, { window: 61_000 })],
		['a clock that jumps by 100 ms', halfHour(60, 200, 2, { jitter: 100 })],
		['a clock that jumps by 400 ms', halfHour(600, 200, 2, { jitter: 400 })],
	])('with %s', (_, scenario) => {
		const { use, rejected } = simulate(scenario);
		expect(use).toBeGreaterThan(0.95);
		expect(rejected).toBeLessThanOrEqual(maxRejected(scenario));
	});
});

test.each<[string, Scenario, number]>([
	['responses take 5 s', hour([60, 120], 5000, 2), 0.9],
	['responses take 5 s and the limit is high', hour([1000], 5000, 8, { minutes: 20 }), 0.9],
	[
		'5 % of requests hang',
		halfHour(60, 200, 2, { concurrency: 20, hanging: { share: 0.05, areCounted: true } }),
		0.95,
	],
	[
		'5 % do not arrive',
		halfHour(60, 200, 1, { concurrency: 20, hanging: { share: 0.05, areCounted: false } }),
		0.95,
	],
	['40 requests are in flight', halfHour(600, 1000, 1, { concurrency: 40 }), 0.95],
])('the limit is used when %s', (_, scenario, minUse) => {
	const { use, firstMinute } = simulate(scenario);
	expect(use).toBeGreaterThan(minUse);
	expect(firstMinute).toBeLessThanOrEqual(20);
});

test.each([
	[1, 1],
	[20, 2],
	[200, 4],
])('at %i ms, one process has 5 rejections in the first minute and %i later at most', (latency, max) => {
	for (const limit of [10, 60, 600]) {
		const { firstMinute, worstMinute } = simulate(hour([limit], latency, 1, tenMinutes));
		expect(firstMinute).toBeLessThanOrEqual(5);
		expect(worstMinute).toBeLessThanOrEqual(max);
		const figures = simulate(hour([limit], latency, 1, { ...tenMinutes, headers: 'quota' }));
		expect(figures.rejected).toBe(0);
		expect(figures.use).toBeGreaterThan(0.95);
	}
});

describe.each([2, 4, 8])('%i processes with the same API key', (processes) => {
	test.each<Omit<Scenario, 'processes'>>([
		{ limits: [30], latency: 200, minutes: 10, startWithin: 1000 },
		{ limits: [60], latency: 200, minutes: 5, startWithin: 1000 },
		{ limits: [60], latency: 20, minutes: 5, startWithin: 3000 },
		{ limits: [60], latency: 200, minutes: 5, startWithin: 3000, headers: 'quota' },
		{ limits: [60], latency: 20, minutes: 10, startWithin: 5000, headers: 'retryAfter' },
		{ limits: [100], latency: 200, minutes: 10, startWithin: 5000 },
		{ limits: [600], latency: 200, minutes: 5, startWithin: 5000 },
	])('use 90 % of the limit together, and none starves: %j', (scenario) => {
		const outcomes = [1, 2, 3, 4, 5].map((seed) => simulate({ ...scenario, processes, seed }));
		const most = (values: number[]) => Math.max(...values);
		expect(Math.min(...outcomes.map(({ use }) => use))).toBeGreaterThan(0.9);
		expect(most(outcomes.map(({ longestGap }) => longestGap))).toBeLessThan(130_000);
		const rejected = outcomes.reduce((sum, { rejectedLater }) => sum + rejectedLater, 0) / outcomes.length;
		expect(rejected).toBeLessThanOrEqual(maxRejected({ ...scenario, processes }));
	});
});

type Step = [at: number, outcome: HttpResponse | Failure];

const REJECTED = httpResponse(429, '');
const rejectedWith = (retryAfter: number) => httpResponse(429, '', { 'retry-after': String(retryAfter) });

/** @param reset in seconds */
const withQuota = (limit: number, remaining: number, reset: number, { statusCode, body } = success) =>
	httpResponse(statusCode, body, {
		'ratelimit-limit': String(limit),
		'ratelimit-remaining': String(remaining),
		'ratelimit-reset': String(reset),
	});

/** Requests that are accepted, one per second. */
const accepted = (count: number, from = 0): Step[] =>
	Array.from({ length: count }, (_, i) => [from + i * 1000, success]);

/** Requests that are accepted, ten per second by default. */
const dense = (count: number, from = 0, step = 100): Step[] =>
	Array.from({ length: count }, (_, i) => [from + i * step, success]);

/** The limit of 3 is found by a rejection at 3 s. */
const full: Step[] = [...accepted(3), [3000, REJECTED]];

interface NextOptions {
	/** Milliseconds that every request takes. */
	latency?: number;
	/** Number of requests that follow. */
	count?: number;
	random?: number;
}

/** Sends requests at these times, and returns when the next ones are sent if they start right after. */
async function nextAt(steps: Step[], { latency = 0, count = 1, random = 0.5 }: NextOptions = {}) {
	const clock = new FakeClock();
	const { start, sentAt } = clientScenario({
		clock,
		dependencies: fakeDependencies(clock, () => random),
		respond: (attempt) => steps[attempt]?.[1] ?? success,
		latency,
		retryFor: 0,
	});
	for (const [i, [at]] of steps.entries()) {
		await clock.advance(at - clock.now());
		start([`${i}`]);
	}
	await clock.advance(latency + 1);
	expect(sentAt()).toEqual(steps.map(([at]) => at));
	start(names('next', count), { retryFor: Infinity });
	await clock.advance(300_000);
	return sentAt().slice(steps.length);
}

describe('the next request', () => {
	test.each<[string, Step[], number]>([
		['at once after 1 ms if nothing is known', [[0, success]], 1],
		['61 s after the first of a full window', full, 61_000],
		['a window and 3 s after the first rejection', [...full, ...accepted(3, 61_000)], 66_000],
		[
			'111 s after the second rejection',
			[...full, ...accepted(3, 61_000), [66_000, REJECTED], ...accepted(3, 122_000)],
			177_000,
		],
		['a window and 0.3 s after the first rejection if nothing fits', [[0, REJECTED]], 60_300],
		[
			'61 s after the fourth of ten, because it leaves 30 % to others',
			[...accepted(10), [10_000, REJECTED]],
			64_000,
		],
		[
			'61 s after the 21st of 100, because it leaves 20 to others',
			[...dense(100), [59_000, REJECTED]],
			63_000,
		],
		['at once if a slot is free', [...full, [61_000, failed('ECONNREFUSED', false)]], 61_001],
		['with the next slot if a lost request was counted', [...full, [61_000, failed('EPIPE', true)]], 62_000],
		['a window after the second rejection if nothing fits any more', oneSlot([73_000, REJECTED]), 133_000],
		[
			'a window and 0.3 s after it if it is 1.2 windows after the first',
			oneSlot([73_001, REJECTED]),
			133_301,
		],
		['with the slot that expires next after an unexpected rejection', pairOfRejections(61_000), 101_000],
	])('is sent %s', async (_, steps, expected) => expect(await nextAt(steps)).toEqual([expected]));

	test.each([
		[0, 60_000],
		[0.5, 60_300],
	])('probes the limit at a random time (%d)', async (random, expected) => {
		expect(await nextAt([[0, REJECTED]], { random })).toEqual([expected]);
	});

	test('follows a slot that is counted 1 s after it was sent if the response is slow', async () => {
		const steps: Step[] = [
			[0, success],
			[6000, REJECTED],
		];
		expect(await nextAt(steps, { latency: 5000 })).toEqual([62_000]);
	});

	test('is sent after a pause that doubles up to 15 s after unexpected rejections', async () => {
		const spread = [1950, 1960, 3000, 3010, 5000, 5010, 9000, 9010, 17_000, 17_010];
		const steps: Step[] = [
			...dense(10),
			...spread.map((at): Step => [at, success]),
			...dense(10, 20_000),
			[30_000, REJECTED],
		];
		const rejections = [61_900, 62_960, 64_960, 68_960, 76_960].map((at): Step => [at, REJECTED]);
		const times = await Promise.all(
			[1, 2, 3, 4, 5].map(async (count) => await nextAt([...steps, ...rejections.slice(0, count)])),
		);
		expect(times.flat()).toEqual([62_960, 64_960, 68_960, 76_960, 91_960]);
	});

	test('is alone in flight after an unexpected rejection until it is accepted', async () => {
		const steps: Step[] = [...dense(4), ...dense(9, 1500, 30), [3000, REJECTED], [61_400, REJECTED]];
		expect(await nextAt(steps, { latency: 100, count: 3 })).toEqual([62_630, 62_730, 62_730]);
	});
});

test.each([
	[0, 5],
	[160, 5],
	[300, 10],
	[1000, 31],
])('after %i accepted requests, %i are sent at the same time', async (count, expected) => {
	const { start, attempts } = clientScenario({
		clock: new FakeClock(),
		respond: async (attempt) => (attempt < count ? success : await hang()),
	});
	start(names('a', count + 50));
	for (let i = 0; i <= count; i++) await flushPromises();
	expect(attempts).toHaveLength(count + expected);
});

test('a probe of the limit is alone in flight, and the next one follows after a while', async () => {
	const steps = [...full, ...accepted(3, 62_000)];
	expect(await nextAt(steps, { latency: 300, count: 2 })).toEqual([66_300, 66_600 + 60_000 / 48]);
});

describe('Retry-After of a rejection', () => {
	test.each<[string, Step[], number]>([
		['is when the first one is followed', [...accepted(3), [3000, rejectedWith(7)]], 10_300],
		[
			'does not count if another rejection came shortly before',
			[...accepted(3), [3000, rejectedWith(7)], [10_300, rejectedWith(1)]],
			61_000,
		],
		['counts up to 1 s before an own slot', [...accepted(3), [3000, rejectedWith(55)]], 58_300],
		['does not count later', [...accepted(3), [3000, rejectedWith(56)]], 61_000],
		[
			'counts again after 10 windows',
			[
				[0, REJECTED],
				[600_000, rejectedWith(7)],
			],
			607_300,
		],
		[
			'does not count before',
			[
				[0, REJECTED],
				[599_999, rejectedWith(7)],
			],
			660_299,
		],
	])('%s', async (_, steps, expected) => expect(await nextAt(steps)).toEqual([expected]));
});

describe('RateLimit headers', () => {
	test.each<[string, Step[], number]>([
		[
			'set the limit',
			[
				[0, withQuota(2, 1, 60)],
				[1000, withQuota(2, 0, 60)],
			],
			61_000,
		],
		[
			'are probed after two windows',
			[
				[0, withQuota(1, 0, 60)],
				[61_000, success],
			],
			120_000,
		],
		['set the time if others have used up the limit', [[0, withQuota(60, 0, 3)]], 3000],
		['do not delay requests for longer than a window', [[0, withQuota(60, 0, 3600)]], 60_000],
		[
			'do not raise the limit if a rejection contradicts them',
			[...accepted(3), [3000, withQuota(5000, 4000, 3600, REJECTED)]],
			61_000,
		],
		['do not raise the limit after a rejection', [...full, [61_000, withQuota(5000, 4000, 3600)]], 62_000],
		['lower the limit after a rejection', [...full, [61_000, withQuota(2, 0, 3600)]], 63_000],
	])('%s', async (_, steps, expected) => expect(await nextAt(steps)).toEqual([expected]));
});

function failed(code: string, requestSent: boolean): Failure {
	return { kind: 'network', code, requestSent };
}

/** A limit of 2 is found at 41 s, and is lower at the second rejection. */
function pairOfRejections(second: number): Step[] {
	return [
		[0, success],
		[40_000, success],
		[41_000, REJECTED],
		[second, REJECTED],
	];
}

/** A limit of 1 is found at 1 s. */
function oneSlot(step: Step): Step[] {
	return [[0, success], [1000, REJECTED], step];
}
