import { RateLimitEstimator } from '../../../../nodes/Prospector/transport/rate/rateLimitEstimator';
import { simulate, type Scenario } from '../../helpers/rateSimulation';

/** All combinations of limits, latency and number of processes, for an hour each. */
const grid = (limits: number[][], latencies: number[], counts: number[]): Scenario[] =>
	limits.flatMap((of) =>
		latencies.flatMap((latency) =>
			counts.map((processes) => ({ limits: of, latency, processes, minutes: 60 })),
		),
	);

const steady = [1, 2, 7, 37, 60, 100, 300, 850, 1000].map((limit) => [limit]);
const changing = [
	[60, 30],
	[60, 120],
	[600, 60],
	[100, 600],
	[10, 3],
	[3, 10],
	[1000, 100],
];
const PROCESSES = [1, 2, 4, 8];

/** When several processes share 600 a minute and more, one in several hundred takes a slot of another. */
const maxRejected = ({ processes, limits }: Scenario) =>
	processes > 1 && Math.max(...limits) >= 600 ? 1.3 : 1;

describe('in an hour with one API key', () => {
	test.each([...grid(steady, [1, 200, 1000], PROCESSES), ...grid(changing, [1, 200], PROCESSES)])(
		'$processes process(es) use more than 95 % of a limit of $limits at $latency ms with few rejections',
		(scenario) => {
			const { use, rejected } = simulate(scenario);
			expect(use).toBeGreaterThan(0.95);
			expect(rejected).toBeLessThanOrEqual(maxRejected(scenario));
		},
	);

	test.each([...grid(steady, [5000], PROCESSES), ...grid(changing, [5000], PROCESSES)])(
		'$processes process(es) use more than 90 % of a limit of $limits at $latency ms with few rejections',
		(scenario) => {
			const { use, rejected } = simulate(scenario);
			expect(use).toBeGreaterThan(0.9);
			expect(rejected).toBeLessThanOrEqual(1);
		},
	);

	test.each([2, 3, 4, 5, 6, 7])('the bounds hold for other random numbers (seed %i)', (seed) => {
		const scenarios = [
			...grid([[60], [60, 30], [60, 120]], [20, 200], [1, 2]),
			...grid([[300], [60, 120], [100, 600]], [200], [8]),
		];
		for (const scenario of scenarios) {
			const { use, rejected } = simulate({ ...scenario, seed });
			expect(use).toBeGreaterThan(0.95);
			expect(rejected).toBeLessThanOrEqual(maxRejected(scenario));
		}
	});
});

describe('in ten minutes', () => {
	test.each([
		[1, 1],
		[20, 2],
		[200, 4],
	])('one process at %i ms has at most 5 rejections in the first minute and %i later', (latency, most) => {
		for (const limit of [10, 30, 60, 100, 120, 300, 600]) {
			const scenario = { limits: [limit], latency, processes: 1, minutes: 10 };
			const { firstMinute, worstMinute } = simulate(scenario);
			expect(firstMinute).toBeLessThanOrEqual(5);
			expect(worstMinute).toBeLessThanOrEqual(most);
		}
	});

	test.each([1, 20, 50, 200])('a service with RateLimit headers rejects no request at %i ms', (latency) => {
		for (const limit of [10, 20, 37, 60, 100, 300, 600]) {
			const scenario = { limits: [limit], latency, processes: 1, minutes: 10, headers: 'quota' as const };
			const { use, rejected } = simulate(scenario);
			expect(rejected).toBe(0);
			expect(use).toBeGreaterThan(0.95);
		}
	});
});

describe('in half an hour', () => {
	const shorter = (limits: number[], latencies: number[], counts: number[]): Scenario[] =>
		grid(
			limits.map((limit) => [limit]),
			latencies,
			counts,
		).map((scenario) => ({ ...scenario, minutes: 30 }));

	test.each(shorter([10, 60, 600], [200], [4, 8]))(
		'$processes processes have few rejections when a limit of $limits is in RateLimit headers',
		(scenario) => {
			const { use, rejected } = simulate({ ...scenario, headers: 'quota' });
			expect(use).toBeGreaterThan(0.95);
			expect(rejected).toBeLessThanOrEqual(1);
		},
	);

	test.each(shorter([10, 60, 600], [200], [1, 2, 8]))(
		'$processes process(es) have few rejections at a limit of $limits when every 429 has Retry-After',
		(scenario) => {
			for (const headers of ['retryAfter', 1000] as const) {
				const { use, rejected } = simulate({ ...scenario, headers });
				expect(use).toBeGreaterThan(0.95);
				expect(rejected).toBeLessThanOrEqual(1);
			}
		},
	);

	test.each(shorter([10, 60, 600], [1, 200], [1, 2]))(
		'$processes process(es) have few rejections at $limits per 59 s or 61 s ($latency ms)',
		(scenario) => {
			for (const window of [59_000, 61_000]) {
				const { use, rejected, worstMinute } = simulate({ ...scenario, window });
				expect(use).toBeGreaterThan(0.95);
				expect(rejected).toBeLessThanOrEqual(maxRejected(scenario));
				if (window === 61_000 && scenario.processes === 1) expect(worstMinute).toBeLessThanOrEqual(2);
			}
		},
	);

	test.each(shorter([10, 60, 600], [200], [1, 2]))(
		'$processes process(es) have few rejections at a limit of $limits when the service’s clock jumps',
		(scenario) => {
			for (const jitter of [100, 400]) {
				const { use, rejected } = simulate({ ...scenario, jitter });
				expect(use).toBeGreaterThan(0.95);
				expect(rejected).toBeLessThanOrEqual(maxRejected(scenario));
			}
		},
	);

	test.each(shorter([10, 60, 300], [200], [1, 2]))(
		'$processes process(es) use more than 95 % of a limit of $limits when requests hang',
		(scenario) => {
			for (const share of [0.01, 0.05]) {
				for (const areCounted of [true, false]) {
					const { use } = simulate({ ...scenario, concurrency: 20, hanging: { share, areCounted } });
					expect(use).toBeGreaterThan(0.95);
				}
			}
		},
	);

	test.each([200, 1000])('one process with 40 requests in flight at %i ms uses its limit', (latency) => {
		const scenario = { limits: [600], latency, processes: 1, minutes: 30, concurrency: 40 };
		const { use, firstMinute } = simulate(scenario);
		expect(use).toBeGreaterThan(0.95);
		expect(firstMinute).toBeLessThanOrEqual(20);
	});
});

describe('the estimator', () => {
	/** Sends one request after the other at time 0, each answered after 10 ms. */
	function estimatorAfter(accepted: number, rejected: number) {
		const estimator = new RateLimitEstimator(() => 0.5);
		for (let i = 0; i < accepted; i++) estimator.recordResult(estimator.recordSent(0), 10, 'counted');
		for (let i = 0; i < rejected; i++) estimator.recordResult(estimator.recordSent(0), 10, 'rejected');
		return estimator;
	}

	test('permits five requests in flight at first', () => {
		const estimator = estimatorAfter(0, 0);
		for (let i = 0; i < 5; i++) {
			expect(estimator.nextAllowedAt(i)).toBe(i);
			estimator.recordSent(i);
		}
		expect(estimator.nextAllowedAt(5)).toBe(Infinity);
	});

	test('does not wait for requests that are in flight for 10 s', () => {
		const estimator = estimatorAfter(0, 0);
		for (let i = 0; i < 5; i++) estimator.recordSent(0);
		expect(estimator.nextAllowedAt(9999)).toBe(Infinity);
		expect(estimator.nextAllowedAt(10_000)).toBe(10_000);
	});

	test('permits the next request 61 s after the first of a full window', () => {
		expect(estimatorAfter(40, 1).nextAllowedAt(20)).toBe(61_010);
	});

	test('permits the next request at once when the last one was never sent', () => {
		const estimator = estimatorAfter(3, 1);
		const [a, b] = [estimator.recordSent(70_000), estimator.recordSent(70_000)];
		estimator.recordSent(70_000);
		expect(estimator.nextAllowedAt(70_001)).toBeGreaterThan(70_001);
		estimator.recordResult(a, 70_002, 'notSent');
		expect(estimator.nextAllowedAt(70_002)).toBe(70_002);
		estimator.recordResult(b, 70_003, 'counted');
		expect(estimator.nextAllowedAt(70_003)).toBe(70_003);
	});

	test('ignores rejections of requests that were sent before the last rejection', () => {
		expect(estimatorAfter(3, 5).nextAllowedAt(20)).toBe(estimatorAfter(3, 1).nextAllowedAt(20));
	});

	test('probes the limit 1.5 windows after an expected rejection, with one request', () => {
		const estimator = estimatorAfter(2, 1);
		for (let i = 0; i < 2; i++) estimator.recordResult(estimator.recordSent(62_000), 62_010, 'counted');
		expect(estimator.nextAllowedAt(62_020)).toBe(90_010);
		expect(estimator.recordSent(90_010).isProbe).toBe(true);
		expect(estimator.nextAllowedAt(90_020)).toBe(Infinity);
	});

	test('probes the limit 3 windows after a rejection when another process seems to use the API key', () => {
		const estimator = estimatorAfter(2, 1);
		estimator.recordResult(estimator.recordSent(62_000), 62_010, 'counted');
		estimator.recordResult(estimator.recordSent(62_020), 62_030, 'rejected');
		estimator.recordResult(estimator.recordSent(150_000), 150_010, 'counted');
		expect(estimator.nextAllowedAt(150_020)).toBe(211_010);
		estimator.recordResult(estimator.recordSent(211_010), 211_020, 'counted');
		expect(estimator.nextAllowedAt(211_030)).toBe(62_030 + 180_000);
	});

	test('pauses after unexpected rejections, from 1 s up to 15 s', () => {
		const estimator = estimatorAfter(60, 1);
		let now = 62_000;
		const pauses = Array.from({ length: 6 }, () => {
			estimator.recordResult(estimator.recordSent(now), now + 10, 'rejected');
			const pause = estimator.nextAllowedAt(now + 10) - now - 10;
			now += 10 + pause;
			return pause;
		});
		// Once the lowered limit is known, the next rejection would be expected.
		expect(pauses[0]).toBe(1000);
		expect(Math.max(...pauses.slice(1))).toBeGreaterThan(15_000);
	});

	test('sends one request at a time after an unexpected rejection until one is accepted', () => {
		const estimator = estimatorAfter(60, 1);
		const requests = Array.from({ length: 10 }, () => estimator.recordSent(62_000));
		for (const request of requests.slice(0, 9)) estimator.recordResult(request, 62_010, 'counted');
		estimator.recordResult(requests[9], 62_020, 'rejected');
		const now = 62_000 + 61_020;
		const permit = estimator.recordSent(now);
		expect(estimator.nextAllowedAt(now)).toBe(Infinity);
		estimator.recordResult(permit, now + 10, 'counted');
		expect(estimator.nextAllowedAt(now + 10)).toBe(now + 10);
	});

	test('waits for Retry-After of any response', () => {
		const estimator = estimatorAfter(0, 0);
		estimator.recordResult(estimator.recordSent(20), 30, 'counted', { retryAfter: 7000 });
		expect(estimator.nextAllowedAt(30)).toBe(7030);
	});

	test('trusts the Retry-After of a first rejection, but not of those that follow', () => {
		const estimator = estimatorAfter(3, 0);
		estimator.recordResult(estimator.recordSent(20), 30, 'rejected', { retryAfter: 7000 });
		expect(estimator.nextAllowedAt(30)).toBe(7030);
		estimator.recordResult(estimator.recordSent(7030), 7040, 'rejected', { retryAfter: 1000 });
		expect(estimator.nextAllowedAt(7040)).toBe(8040);
		expect(estimator.nextAllowedAt(8040)).toBe(61_010);
	});

	test('takes the limit from the headers before any rejection', () => {
		const estimator = new RateLimitEstimator(() => 0.5);
		for (let remaining = 4; remaining >= 0; remaining--) {
			expect(estimator.nextAllowedAt(10)).toBe(10);
			const headers = { limit: 5, remaining, reset: 60_000 };
			estimator.recordResult(estimator.recordSent(10), 10, 'counted', headers);
		}
		expect(estimator.nextAllowedAt(20)).toBe(61_010);
	});

	test('waits for the reset when other clients have used up the limit', () => {
		const estimator = new RateLimitEstimator(() => 0.5);
		estimator.recordResult(estimator.recordSent(0), 10, 'counted', { limit: 60, remaining: 0, reset: 3000 });
		expect(estimator.nextAllowedAt(20)).toBe(3010);
	});

	test('does not raise the limit from headers after a rejection that contradicts them', () => {
		const estimator = new RateLimitEstimator(() => 0.5);
		const perDay = { limit: 5000, remaining: 4000, reset: 3_600_000 };
		const send = (quotaUse: 'counted' | 'rejected', now: number) =>
			estimator.recordResult(estimator.recordSent(now), now + 10, quotaUse, perDay);
		for (let i = 0; i < 20; i++) send('counted', 0);
		send('rejected', 0);
		expect(estimator.nextAllowedAt(2000)).toBe(61_010);
		send('counted', 61_100);
		expect(estimator.nextAllowedAt(61_200)).toBe(61_200);
	});
});
