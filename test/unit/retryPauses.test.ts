import type { Failure } from '../../nodes/Prospector/transport/failure';
import { pauseBeforeRetry } from '../../nodes/Prospector/transport/retryPolicy';
import { calls, status } from './everyFailure';

const READ = calls['a read'];
const HOUR = 3_600_000;
const ALMOST_1 = 1 - Number.EPSILON;
const TIMEOUT: Failure = { kind: 'timeout' };

const pause = (failure: Failure, count: number, random: number, elapsed = 0, maxWait = HOUR) =>
	pauseBeforeRetry(failure, READ, { count, elapsed, maxWait }, random);

/** Seconds up to which the pause after each try may last. */
const LONGEST = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30];

const passing: Failure[] = [
	TIMEOUT,
	{ kind: 'network', code: 'ECONNREFUSED', sent: false },
	{ kind: 'cut', code: 'ECONNRESET' },
	...[500, 502, 503, 504].map((code) => status(code)),
];

describe('the pause', () => {
	test.each(LONGEST.map((longest, i) => [i + 1, longest]))(
		'after try %i is anything up to %i s',
		(count, longest) => {
			for (const failure of passing) {
				expect(pause(failure, count, 0)).toBe(0);
				expect(pause(failure, count, 0.5)).toBe(longest * 500);
				expect(pause(failure, count, ALMOST_1)).toBe(longest * 1000);
			}
		},
	);

	test('after very many tries is still a number of at most 30 s', () => {
		expect(pause(TIMEOUT, 5000, ALMOST_1)).toBe(30_000);
	});

	test.each([1, 5, 20])('after a 429 is left to the rate gate (try %i)', (count) => {
		expect(pause(status(429), count, ALMOST_1)).toBe(0);
	});
});

describe('a Retry-After', () => {
	const wishing = [429, 500, 502, 503, 504].map((code) => [code]);

	test.each(wishing)('with %i is obeyed to the second, however the back-off falls', (code) => {
		for (const random of [0, 0.5, ALMOST_1])
			expect(pause(status(code, { retryAfter: 7 }), 1, random)).toBe(7000);
	});

	test('longer than the longest back-off is obeyed as well', () => {
		expect(pause(status(429, { retryAfter: 600 }), 1, 0.5)).toBe(600_000);
	});

	test.each([
		['to the very end of the budget', 10, 50_000, 10_000],
		['of one second more than is left', 11, 50_000, undefined],
		['of a whole day', 86_400, 0, undefined],
	])('%s settles whether there is another try', (_, retryAfter, elapsed, expected) => {
		expect(pause(status(503, { retryAfter }), 1, 0.5, elapsed, 60_000)).toBe(expected);
	});

	test.each(wishing)('of 0 with %i does not end the back-off', (code) => {
		const pauses = LONGEST.map((_, i) => pause(status(code, { retryAfter: 0 }), i + 1, 0.5));
		expect(pauses).toEqual(LONGEST.map((longest) => longest * 500));
	});

	test('shorter than the back-off of many vain tries does not end it either', () => {
		expect(pause(status(503, { retryAfter: 1 }), 8, 0.5)).toBe(15_000);
	});
});

describe('the budget', () => {
	const all = [...passing, status(429), status(429, { retryAfter: 0 }), status(503, { retryAfter: 2 })];

	test.each([
		[0, 0],
		[60_000, 60_000],
		[60_001, 60_000],
		[1e9, 60_000],
	])('with %i ms gone of %i leaves no other try', (elapsed, maxWait) => {
		for (const failure of all) expect(pause(failure, 1, 0, elapsed, maxWait)).toBeUndefined();
	});

	test.each([1, 10, 999, 29_999])('with %i ms left is never exceeded', (left) => {
		for (const failure of all) {
			const milliseconds = pause(failure, 9, ALMOST_1, 60_000 - left, 60_000) ?? 0;
			expect(milliseconds).toBeGreaterThanOrEqual(0);
			expect(milliseconds).toBeLessThanOrEqual(left);
		}
		expect(pause(TIMEOUT, 9, ALMOST_1, 60_000 - left, 60_000)).toBe(left);
	});
});
