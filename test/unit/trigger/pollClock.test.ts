import fc from 'fast-check';
import { PollClock } from '../../../nodes/Prospector/trigger/pollClock';
import { HOUR_MS, MINUTE_MS } from '../helpers/triggerScenario';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

/** The header has no milliseconds: an offset is that of the end of its second. */
const shown = (offsetMs: number) => offsetMs + 1000;

/** @param headers of responses that arrive at once; a number is by how many milliseconds one is ahead of n8n's clock */
function clockWith(headers: unknown[]) {
	const clock = new PollClock({ now: () => NOW_MS });
	for (const header of headers) {
		const date = typeof header === 'number' ? new Date(NOW_MS + header).toUTCString() : header;
		clock.observeResponse({ headers: { date } }, NOW_MS);
	}
	return clock;
}

test.each<[number, string, unknown[]]>([
	[0, 'no response has a valid Date header', [undefined, 'today', 'Week 3']],
	[0, 'the Date header is 2 s ahead', [2000]],
	[shown(3000), 'the Date header is 3 s ahead', [3000]],
	[0, 'the Date header is 3 s behind', [-3000]],
	[shown(-4000), 'the Date header is 4 s behind', [-4000]],
	[0, 'the second of two Date headers is right', [HOUR_MS, 0]],
	[shown(HOUR_MS), 'the nearest Date header is an hour ahead', [3 * HOUR_MS, HOUR_MS, -2 * HOUR_MS]],
])('the service clock is %d ms ahead of the clock of n8n if %s', (offsetMs, _, headers) => {
	const clock = clockWith(headers);
	expect([clock.now(), clock.serviceNow()]).toEqual([NOW_MS, NOW_MS + offsetMs]);
	expect(clock.toN8nTime(NOW_MS + offsetMs - MINUTE_MS)).toBe(NOW_MS - MINUTE_MS);
	expect(clock.toN8nTime(NOW_MS + offsetMs + MINUTE_MS)).toBe(NOW_MS);
	expect(clock.createBaseline()).toEqual({ serviceMs: NOW_MS + offsetMs, n8nMs: NOW_MS });
});

test('items count as new from the start of the first poll if both clocks agree, and from at most 1 s later if they clearly differ', () => {
	const anyMs = (max: number) => fc.integer({ min: -max, max });
	const aheadMs = fc.oneof(fc.constant(0), anyMs(HOUR_MS), anyMs(2 * MINUTE_MS));
	fc.assert(
		fc.property(aheadMs, fc.nat(MINUTE_MS), fc.nat(MINUTE_MS), (ahead, waitMs, restMs) => {
			let n8nMs = NOW_MS;
			const clock = new PollClock({ now: () => n8nMs });
			n8nMs += waitMs + restMs;
			const date = new Date(NOW_MS + ahead + waitMs).toUTCString();
			clock.observeResponse({ headers: { date } }, NOW_MS);
			const lateMs = clock.createBaseline().serviceMs - (NOW_MS + ahead);
			const tookMs = waitMs + restMs;
			const isClear = Math.abs(ahead) > tookMs + 3000;
			if (ahead === 0) expect(lateMs).toBe(0);
			expect(lateMs).toBeLessThanOrEqual(isClear ? 1000 : tookMs + 3000);
			expect(lateMs).toBeGreaterThanOrEqual(isClear ? -tookMs : -tookMs - 3000);
		}),
	);
});

// Minutes after now on the service's clock and on n8n's.
test.each<[string, string, number[], unknown[], number[]]>([
	['as far as n8n says', 'it is later than both clocks', [180, -10], [0], [-10, -10]],
	['to now', "n8n's clock was set back, too", [180, 170], [0], [0, 0]],
	['to the time of the service', 'that clock is behind', [0, -5], [shown(-HOUR_MS)], [0, -5]],
	['not at all', "the service's clock is ahead", [50, -10], [HOUR_MS], [50, -10]],
	['on the clock of the service', 'it is later than both', [90, -10], [HOUR_MS], [50 + 1 / 60, -10]],
	['not at all', 'no response has arrived', [180, 180], [], [180, 180]],
	['to now', 'there was never a Date header', [180, 180], [undefined], [0, 0]],
	['not at all', 'there is no Date header any more', [180, -10], [undefined], [180, -10]],
])('the time from which items are new moves back %s if %s', (_, __, before, headers, after) => {
	const toBaseline = ([serviceMinutes, n8nMinutes]: number[]) => ({
		serviceMs: NOW_MS + serviceMinutes * MINUTE_MS,
		n8nMs: NOW_MS + n8nMinutes * MINUTE_MS,
	});
	expect(clockWith(headers).settleBaseline(toBaseline(before))).toEqual(toBaseline(after));
});

test.each<[unknown[], number, boolean]>([
	[[], 0, true],
	[[undefined], 0, false],
	[[HOUR_MS], shown(HOUR_MS), false],
])(
	'the Date headers of a later poll (%j) decide from when items are new if the first poll got no response',
	(headers, offsetMs, isProvisional) => {
		const n8nMs = NOW_MS - MINUTE_MS;
		const baseline = new PollClock({ now: () => n8nMs }).createBaseline();
		const settled = clockWith(headers).settleBaseline(baseline);
		expect(settled).toEqual({ serviceMs: n8nMs + offsetMs, n8nMs, ...(isProvisional && { isProvisional }) });
	},
);
