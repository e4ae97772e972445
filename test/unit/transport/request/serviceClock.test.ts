import { type ClockState, ServiceClock } from '../../../../nodes/Prospector/transport/request/serviceClock';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Polls once a minute. Each poll gets a response for each of its values: by how much its `Date` header is ahead of the
 * time that passes, or another value of the header.
 *
 * @param wallOffsetsMs by how much n8n's clock is ahead at each poll; 0 for later ones
 * @returns the clock of each poll
 */
function clocksOf(polls: unknown[][], wallOffsetsMs: number[] = []): ServiceClock[] {
	let last: ClockState | undefined;
	return polls.map((headers, poll) => {
		const nowMs = START_MS + poll * MINUTE_MS;
		const wallMs = nowMs + (wallOffsetsMs[poll] ?? 0);
		const clock = new ServiceClock({ now: () => wallMs }, last);
		for (const header of headers) {
			const date = typeof header === 'number' ? new Date(nowMs + header).toUTCString() : header;
			clock.observeDateHeader(date, wallMs);
		}
		last = { ...clock.nextState, lastPollAtMs: clock.now() };
		return clock;
	});
}

/** The header has no milliseconds: an offset is that of the end of its second. */
const shown = (offsetMs: number) => offsetMs + 1000;

test.each([
	['adopts an offset of', HOUR_MS, shown(HOUR_MS)],
	['adopts an offset of', DAY_MS - 1000, DAY_MS],
	['ignores an offset of', DAY_MS, 0],
	['ignores an offset of', 2000, 0],
	['adopts an offset of', 3000, shown(3000)],
	['ignores an offset of', -3000, 0],
	['adopts an offset of', -4000, shown(-4000)],
])(
	'the service clock %s %d ms if two responses of the first poll show this difference from the clock of n8n',
	(_, differenceMs, offsetMs) => {
		const [first, second] = clocksOf([[differenceMs, differenceMs], []]);
		expect([first.offsetMs, second.offsetMs, first.hasOffsetChanged]).toEqual([offsetMs, offsetMs, false]);
	},
);

test.each([
	[[HOUR_MS], true],
	[[HOUR_MS, HOUR_MS], false],
	[[HOUR_MS, 0], false],
	[[0], false],
	[[undefined], false],
])(
	'the service clock needs a second response only if the only one so far differs from the clock of n8n (by ms: %j, needed: %j)',
	(headers, isNeeded) => {
		expect(clocksOf([headers])[0].needsConfirmation()).toBe(isNeeded);
	},
);

test.each([
	['ignores a single wrong Date header', [[0], [HOUR_MS], [0], [HOUR_MS]], [0, 0, 0, 0], 0],
	['adopts a difference that two polls show', [[0], [HOUR_MS], [HOUR_MS]], [0, 0, shown(HOUR_MS)], 1],
	['adopts a difference to an earlier time', [[0], [-HOUR_MS], [-HOUR_MS]], [0, 0, shown(-HOUR_MS)], 1],
	['ignores two different wrong Date headers', [[0], [HOUR_MS], [2 * HOUR_MS]], [0, 0, 0], 0],
	['ignores two wrong Date headers of one poll after the first poll', [[0], [HOUR_MS, HOUR_MS]], [0, 0], 0],
	['ignores invalid and missing Date headers', [['today'], [undefined], ['today']], [0, 0, 0], 0],
	['ignores a difference of years', [[0], [9000 * DAY_MS], [9000 * DAY_MS]], [0, 0, 0], 0],
])('the service clock %s', (_, polls, offsetsMs, changes) => {
	const clocks = clocksOf(polls);
	expect(clocks.map(({ offsetMs }) => offsetMs)).toEqual(offsetsMs);
	const lastPollMs = START_MS + (polls.length - 1) * MINUTE_MS;
	expect(clocks.at(-1)!.now() - lastPollMs).toBe(offsetsMs.at(-1));
	expect(clocks.filter(({ hasOffsetChanged }) => hasOffsetChanged)).toHaveLength(changes);
});

test('a poll uses the time of the service at once if the clock of n8n has jumped by an hour since the last poll', () => {
	const clocks = clocksOf([[0], [0], [0]], [0, HOUR_MS, HOUR_MS]);
	const timesMs = clocks.map((clock, poll) => clock.now() - START_MS - poll * MINUTE_MS);
	expect(timesMs).toEqual([0, 1000, 1000]);
	expect(clocks.map(({ hasOffsetChanged }) => hasOffsetChanged)).toEqual([false, false, true]);
});

test('the service clock keeps an offset of 0 ms and the start of the poll if the Date header of a slow response has the time of the request', () => {
	let wallMs = START_MS;
	const clock = new ServiceClock({ now: () => wallMs });
	wallMs += 20_000;
	clock.observeDateHeader(new Date(START_MS).toUTCString(), START_MS);
	expect([clock.offsetMs, clock.needsConfirmation(), clock.pollStartedAtMs()]).toEqual([0, false, START_MS]);
});
