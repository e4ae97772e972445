import { LimitLearner } from '../../nodes/Prospector/transport/rate/limitLearner';
import { simulate, type Scenario } from './rateSimulation';

const WINDOWS = 60;

/** Every combination of limit, latency and number of processes on one key. */
const grid = (limits: number[][], latencies: number[], gates: number[]): Scenario[] =>
	limits.flatMap((of) =>
		latencies.flatMap((latency) =>
			gates.map((count) => ({ limits: of, latency, gates: count, windows: WINDOWS })),
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

describe('in an hour on one API key', () => {
	test.each([...grid(steady, [1, 200, 1000], [1, 2, 8]), ...grid(changing, [1, 200], [1, 2, 8])])(
		'a limit of $limits at $latency ms is used up by $gates process(es), with hardly a refusal',
		(scenario) => {
			const { use, refused } = simulate(scenario);
			expect(use).toBeGreaterThan(0.95);
			// Where several processes crowd upon a thousand a minute, one in some hundred takes another's place.
			const isCrowded = scenario.gates > 1 && Math.max(...scenario.limits) >= 600;
			expect(refused).toBeLessThanOrEqual(isCrowded ? 1.3 : 1);
		},
	);

	// Of answers that take 5 s, give or take half a second, nobody can know to the second when they were counted.
	test.each([...grid(steady, [5000], [1, 2, 8]), ...grid(changing, [5000], [1, 2, 8])])(
		'a limit of $limits at $latency ms is used by $gates process(es) to nine tenths at least',
		(scenario) => {
			const { use, refused } = simulate(scenario);
			expect(use).toBeGreaterThan(0.9);
			expect(refused).toBeLessThanOrEqual(1);
		},
	);

	test.each([
		[1, 1],
		[20, 2],
		[200, 4],
	])('one process alone, at %i ms, is refused at most %i times a minute', (latency, most) => {
		for (const limit of [10, 30, 60, 100, 120, 300, 600]) {
			const { worst } = simulate({ limits: [limit], latency, gates: 1, windows: 10 });
			expect(worst).toBeLessThanOrEqual(most);
		}
	});

	// From some latency on its tenth more or less is longer than the margin, which is then made longer.
	test.each([
		[1, 0],
		[20, 0],
		[50, 0],
		[200, 2],
	])('a service that tells what is left, at %i ms, refuses %i in ten minutes at most', (latency, most) => {
		for (const limit of [10, 20, 37, 60, 100, 300, 600]) {
			const { use, refused } = simulate({ limits: [limit], latency, gates: 1, windows: 10, tells: true });
			expect(Math.round(refused * 10)).toBeLessThanOrEqual(most);
			expect(use).toBeGreaterThan(0.95);
		}
	});

	test.each([3, 4, 5, 6, 7])('it holds for chance of another kind too (seed %i)', (seed) => {
		for (const scenario of grid([[60], [60, 30], [60, 120]], [20, 200], [1, 2])) {
			const { use, refused } = simulate({ ...scenario, seed });
			expect(use).toBeGreaterThan(0.95);
			expect(refused).toBeLessThanOrEqual(1);
		}
	});
});

describe('what is known of a limit', () => {
	const half = () => 0.5;
	/** Sends one request after the other at the same moment, each answered after 10 ms. */
	function after(accepted: number, refused: boolean) {
		const learner = new LimitLearner(half);
		for (let i = 0; i < accepted; i++) learner.answered(learner.sent(0), 10, 'accepted');
		if (refused) learner.answered(learner.sent(0), 10, 'refused');
		return learner;
	}

	test('is nothing at first: requests go at once', () => {
		expect(new LimitLearner(half).opensAt(5)).toBe(5);
		expect(after(40, false).opensAt(20)).toBe(20);
	});

	test('is how many were accepted before a refusal: the next goes when the first of them counts no more', () => {
		expect(after(40, true).opensAt(20)).toBe(60_025);
	});

	test('is forgotten by a request that never reached the service', () => {
		const learner = new LimitLearner(half);
		learner.answered(learner.sent(0), 10, 'unsent');
		expect(learner.opensAt(10)).toBe(10);
	});

	test('waits for what the service wishes', () => {
		const learner = after(0, false);
		learner.answered(learner.sent(20), 30, 'accepted', { retryAfter: 7000 });
		expect(learner.opensAt(30)).toBe(7030);
	});

	test('is what the service says where it names an earlier time than what was sent from here', () => {
		const learner = after(3, false);
		learner.answered(learner.sent(20), 30, 'refused', { retryAfter: 7000 });
		expect(learner.opensAt(30)).toBe(7030);
		// Others have filled the window: one request at a time goes to see how far it has emptied.
		expect(learner.opensAt(7030)).toBe(7030);
		const ticket = learner.sent(7030);
		expect(learner.opensAt(7035)).toBe(Infinity);
		learner.answered(ticket, 7040, 'accepted');
		expect(learner.opensAt(7040)).toBe(7040);
		// But not again and again, for a service that always says so.
		learner.answered(learner.sent(7040), 7050, 'refused', { retryAfter: 1000 });
		expect(learner.opensAt(8050)).toBeGreaterThan(59_000);
	});

	test('is not learned for two windows of what others had sent before: all of the first is watched', () => {
		expect(after(3, true).opensAt(20)).toBe(60_025);
		const learner = after(3, true);
		for (let i = 0; i < 3; i++) learner.answered(learner.sent(60_100), 60_110, 'accepted');
		expect(learner.opensAt(60_120)).toBe(65_000);
	});

	test('is what the service tells, without a refusal', () => {
		const learner = new LimitLearner(half);
		for (let left = 4; left >= 0; left--) {
			expect(learner.opensAt(0)).toBe(0);
			learner.answered(learner.sent(0), 10, 'accepted', { limit: 5, remaining: left, reset: 60_000 });
		}
		expect(learner.opensAt(20)).toBe(60_025);
	});

	test('is what the service tells of others on the same key', () => {
		const learner = new LimitLearner(half);
		learner.answered(learner.sent(0), 10, 'accepted', { limit: 60, remaining: 0, reset: 3000 });
		expect(learner.opensAt(20)).toBe(3010);
	});

	test('is not what the service tells where a refusal shows that it means something else', () => {
		const learner = new LimitLearner(half);
		const perDay = { limit: 5000, remaining: 4000, reset: 3_600_000 };
		for (let i = 0; i < 20; i++) learner.answered(learner.sent(0), 10, 'accepted', perDay);
		learner.answered(learner.sent(0), 10, 'refused', perDay);
		expect(learner.opensAt(20)).toBeGreaterThan(59_000);
		learner.answered(learner.sent(60_100), 60_110, 'accepted', perDay);
		expect(learner.opensAt(60_120)).toBeLessThan(61_000);
	});

	test('is tried beyond after two windows, by one request at a time', () => {
		const learner = after(5, true);
		const refuse = (at: number) => learner.answered(learner.sent(at), at + 10, 'refused');
		for (let i = 0; i < 5; i++) learner.answered(learner.sent(61_000), 61_010, 'accepted');
		refuse(65_000);
		for (let i = 0; i < 5; i++) learner.answered(learner.sent(121_100), 121_110, 'accepted');
		expect(learner.opensAt(121_200)).toBe(181_125);
		for (let i = 0; i < 5; i++) learner.answered(learner.sent(181_200), 181_210, 'accepted');
		expect(learner.opensAt(181_300)).toBe(185_010);
		expect(learner.sent(185_010).isProbe).toBe(true);
		expect(learner.opensAt(185_011)).toBe(Infinity);
	});
});
