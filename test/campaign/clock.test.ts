import { fastClock, replaceTiming } from '../fastClock';

test('passes as many seconds in one as it is told to', async () => {
	const clock = fastClock(1000);
	const outerBegin = performance.now();
	const begin = clock.now();
	expect(await clock.timing.sleep(30_000)).toBe(true);
	const passed = clock.now() - begin;
	const outerEnd = performance.now();
	expect(passed).toBeGreaterThanOrEqual(30_000);
	expect(passed).toBeLessThanOrEqual((outerEnd - outerBegin) * 1000);
});

test('stands still while the process stalls', () => {
	const clock = fastClock(1000);
	const begin = clock.now();
	const stallEnd = performance.now() + 100;
	while (performance.now() < stallEnd);
	expect(clock.now() - begin).toBeLessThanOrEqual(10_000);
});

test('begins with the present date', () => {
	expect(Math.abs(fastClock(60).now() - Date.now())).toBeLessThan(60_000);
});

test('a wait ends as soon as its signal is given, and says so', async () => {
	const clock = fastClock(2);
	const given = new AbortController();
	const wait = clock.timing.sleep(3_600_000, given.signal);
	expect(clock.waiting()).toBe(1);
	given.abort();
	expect(await wait).toBe(false);
	expect(await clock.timing.sleep(3_600_000, given.signal)).toBe(false);
	expect(clock.waiting()).toBe(0);
	expect(clock.waits()).toBe(2);
});

test('takes the place of another clock until it is told to give it back', async () => {
	const real = { now: () => 7, sleep: async () => true };
	const { now } = real;
	const clock = fastClock(60);
	const restore = replaceTiming(real, clock.timing);
	expect(real.now()).toBeGreaterThan(7);
	await real.sleep();
	expect(clock.waits()).toBe(1);
	restore();
	expect(real.now).toBe(now);
});
