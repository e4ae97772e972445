import { monotonicClock } from '../../../nodes/Prospector/transport/clock';
import { systemDependencies } from '../../../nodes/Prospector/transport/dependencies';

const START_MS = Date.parse('2025-03-01T12:00:00Z');

beforeEach(() => jest.useFakeTimers({ now: START_MS }));
afterEach(() => jest.useRealTimers());

test('monotonicClock continues to count up if the wall clock is set back', async () => {
	const beginMs = monotonicClock.now();
	jest.setSystemTime(START_MS - 3_600_000);
	await jest.advanceTimersByTimeAsync(5);
	expect(monotonicClock.now() - beginMs).toBeCloseTo(5);
	expect(systemDependencies.wallClock.now()).toBe(START_MS - 3_600_000 + 5);
});

test.each([
	...[-5, 0, 1, 250].map((ms) => [ms, 5000, Math.max(ms, 0), true] as const),
	[60_000, 1050, 1100, false],
	[50, 20, 50, false],
	[60_000, 0, 0, false],
] as const)(
	'a sleep of %i ms that is canceled after %i ms ends after %i ms and returns %j',
	async (sleepMs, canceledMs, endMs, isOver) => {
		const controller = new AbortController();
		if (canceledMs === 0) controller.abort();
		else setTimeout(() => controller.abort(), canceledMs); // eslint-disable-line @n8n/community-nodes/no-restricted-globals -- not published
		const beginMs = monotonicClock.now();
		const sleeping = monotonicClock
			.sleep(sleepMs, controller.signal)
			.then((result) => [result, Math.round(monotonicClock.now() - beginMs)]);
		await jest.advanceTimersByTimeAsync(2000);
		expect(await sleeping).toEqual([isOver, endMs]);
	},
);
