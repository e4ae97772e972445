import { systemDependencies } from '../../../nodes/Prospector/transport/dependencies';
import { systemClock } from '../../../nodes/Prospector/transport/clock';

const START = Date.parse('2025-03-01T12:00:00Z');

beforeEach(() => jest.useFakeTimers({ now: START }));
afterEach(() => jest.useRealTimers());

describe('the system clock', () => {
	test('is monotonic when the time of day is set back', async () => {
		const begin = systemClock.now();
		jest.setSystemTime(START - 3_600_000);
		await jest.advanceTimersByTimeAsync(5);
		expect(systemClock.now() - begin).toBeCloseTo(5);
	});

	test.each([1, 99, 100, 250, 30_000])('sleeps %i ms and returns true', async (ms) => {
		const begin = systemClock.now();
		const sleeping = systemClock.sleep(ms);
		let ended = false;
		void sleeping.then(() => (ended = true));
		await jest.advanceTimersByTimeAsync(ms - 1);
		expect(ended).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(await sleeping).toBe(true);
		expect(systemClock.now() - begin).toBeCloseTo(ms);
	});

	test('wakes within 100 ms after the signal is aborted', async () => {
		const begin = systemClock.now();
		const stop = new AbortController();
		const sleeping = systemClock.sleep(60_000, stop.signal);
		await jest.advanceTimersByTimeAsync(1050);
		stop.abort();
		await jest.advanceTimersByTimeAsync(100);
		expect(await sleeping).toBe(false);
		expect(systemClock.now() - begin).toBeCloseTo(1150);
	});

	test.each([
		['does not sleep 0 ms', 0, undefined, true],
		['does not sleep -5 ms', -5, undefined, true],
		['does not sleep when the signal is already aborted', 60_000, AbortSignal.abort(), false],
	])('%s', async (_, ms, signal, expected) => {
		expect(await systemClock.sleep(ms, signal)).toBe(expected);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('returns false when the signal is aborted during the last interval', async () => {
		const stop = new AbortController();
		const sleeping = systemClock.sleep(50, stop.signal);
		stop.abort();
		await jest.advanceTimersByTimeAsync(50);
		expect(await sleeping).toBe(false);
	});
});

test('the wall clock tells the time of day', () => {
	expect(systemDependencies.wallClock.now()).toBe(START);
});
