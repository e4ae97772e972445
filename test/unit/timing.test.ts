import { realTiming } from '../../nodes/Prospector/transport/timing';

const START = Date.parse('2025-03-01T12:00:00Z');

describe('the real clock', () => {
	beforeEach(() => jest.useFakeTimers({ now: START }));
	afterEach(() => jest.useRealTimers());

	test('goes on when the time of day is set back', async () => {
		const begin = realTiming.now();
		jest.setSystemTime(START - 3_600_000);
		await jest.advanceTimersByTimeAsync(5);
		expect(realTiming.now() - begin).toBeCloseTo(5);
	});

	test.each([1, 99, 100, 250, 30_000])('sleeps %i ms and says that it slept through', async (ms) => {
		const begin = realTiming.now();
		const sleeping = realTiming.sleep(ms);
		let ended = false;
		void sleeping.then(() => (ended = true));
		await jest.advanceTimersByTimeAsync(ms - 1);
		expect(ended).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(await sleeping).toBe(true);
		expect(realTiming.now() - begin).toBeCloseTo(ms);
	});

	test.each([0, -5])('does not sleep %i ms', async (ms) => {
		expect(await realTiming.sleep(ms)).toBe(true);
	});

	test('wakes within 100 ms of the signal', async () => {
		const begin = realTiming.now();
		const stop = new AbortController();
		const sleeping = realTiming.sleep(60_000, stop.signal);
		await jest.advanceTimersByTimeAsync(1050);
		stop.abort();
		await jest.advanceTimersByTimeAsync(100);
		expect(await sleeping).toBe(false);
		expect(realTiming.now() - begin).toBeCloseTo(1150);
	});

	test('does not sleep at all where the signal was given before', async () => {
		expect(await realTiming.sleep(60_000, AbortSignal.abort())).toBe(false);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('notices a signal given during the last stretch', async () => {
		const stop = new AbortController();
		const sleeping = realTiming.sleep(50, stop.signal);
		stop.abort();
		await jest.advanceTimersByTimeAsync(50);
		expect(await sleeping).toBe(false);
	});
});
