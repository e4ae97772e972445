import { RollingWindow, WINDOW } from '../../nodes/Prospector/transport/rate/rollingWindow';

/** Requests sent at these times, each answered so many milliseconds later. */
function windowOf(sent: number[], latency = 0) {
	const window = new RollingWindow();
	for (const at of sent) window.add(at, at + latency);
	return window;
}

describe('a rolling window', () => {
	test('is one minute long', () => expect(WINDOW).toBe(60_000));

	test('of no requests holds none, and none leaves it', () => {
		const window = new RollingWindow();
		expect(window.count(5)).toBe(0);
		expect(window.nextLeaves(5, 25)).toBe(Infinity);
		expect(window.roundTrip).toBe(Infinity);
	});

	test.each([
		[0, 1],
		[20_000, 2],
		[40_000, 3],
		[59_999, 3],
		[60_000, 2],
		[79_999, 2],
		[80_000, 1],
		[99_999, 1],
		[100_000, 0],
		[1e9, 0],
	])('counts at %i ms only what its last minute holds: %i', (now, expected) => {
		const sent = [0, 20_000, 40_000].filter((at) => at <= now);
		expect(windowOf(sent).count(now)).toBe(expected);
	});

	test('counts by a margin longer than a minute', () => {
		const window = windowOf([0]);
		expect(window.count(60_024, 25)).toBe(1);
		expect(window.count(60_025, 25)).toBe(0);
	});

	test('counts several of the same moment', () => {
		const window = windowOf([5, 5, 5, 6]);
		expect([window.count(60_004), window.count(60_005), window.count(60_006)]).toEqual([4, 1, 0]);
	});

	test.each([
		[0, 25, 60_025],
		[60_024, 25, 60_025],
		[60_025, 25, 80_025],
		[60_000, 0, 80_000],
		[99_999, 0, 100_000],
		[100_000, 0, Infinity],
	])('at %i ms, with a margin of %i ms, is left next at %d', (now, margin, expected) => {
		expect(windowOf([0, 20_000, 40_000]).nextLeaves(now, margin)).toBe(expected);
	});

	test('lets one leave at the very moment from which it counts no more', () => {
		const window = windowOf([0, 7, 7, 31], 3);
		const left: number[] = [];
		for (let now = 34; left.length < 5 && window.count(now, 25) > 0; now = window.nextLeaves(now, 25)) {
			const leaves = window.nextLeaves(now, 25);
			expect(window.count(leaves - 1, 25)).toBe(window.count(now, 25));
			left.push(window.count(now, 25) - window.count(leaves, 25));
		}
		expect(left).toEqual([1, 2, 1]);
	});
});

describe('when the service counted a request', () => {
	test('was, of equally fast answers, when it was sent', () => {
		const window = windowOf([0, 1000], 200);
		expect(window.roundTrip).toBe(200);
		expect(window.nextLeaves(2000, 0)).toBe(60_000);
	});

	test('was perhaps later, of an answer slower than the fastest', () => {
		const window = windowOf([0], 200);
		window.add(1000, 6000);
		expect(window.nextLeaves(60_000, 0)).toBe(65_800);
	});

	test('is corrected where a fast answer follows a slow first one', () => {
		const window = windowOf([0], 5000);
		expect(window.nextLeaves(6000, 0)).toBe(60_000);
		window.add(6000, 6100);
		expect(window.roundTrip).toBe(100);
		expect(window.nextLeaves(6100, 0)).toBe(64_900);
		expect(window.count(64_899)).toBe(2);
	});

	test('is not told for ever by one fast answer of long ago', () => {
		const window = windowOf([0], 10);
		for (let at = 0; at < 5 * WINDOW; at += 1000) window.add(at, at + 800);
		expect(window.roundTrip).toBe(10);
		for (let at = 5 * WINDOW; at < 11 * WINDOW; at += 1000) window.add(at, at + 800);
		expect(window.roundTrip).toBe(800);
	});
});

describe('what is remembered', () => {
	const remembered = (window: RollingWindow) => (window as unknown as { answered: number[] }).answered.length;

	test('stays bounded through 100,000 requests', () => {
		const window = new RollingWindow();
		let most = 0;
		for (let i = 0; i < 100_000; i++) {
			window.add(i * 100, i * 100 + 50);
			most = Math.max(most, remembered(window));
		}
		expect(window.count(99_999 * 100 + 50)).toBe(600);
		expect(most).toBeLessThan(1300);
	});

	test('is, after a pause, the latest request alone', () => {
		const window = windowOf(Array.from({ length: 1000 }, (_, i) => i));
		window.add(1e7, 1e7);
		expect(remembered(window)).toBe(1);
	});
});
