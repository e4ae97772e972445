import type { Failure } from '../../../../nodes/Prospector/transport/failure/failure';
import { retryDelay } from '../../../../nodes/Prospector/transport/retry/retryPolicy';
import { calls, status } from '../../helpers/everyFailure';

const READ = calls['a read'];
const HOUR = 3_600_000;
const ALMOST_1 = 1 - Number.EPSILON;
const TIMEOUT: Failure = { kind: 'timeout' };

const delay = (failure: Failure, count: number, random: number, elapsed = 0, maxWait = HOUR) =>
	retryDelay(failure, READ, { count, elapsed, maxWait }, random);

/** Maximum delay in seconds after each attempt. */
const LONGEST = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30];

const passing: Failure[] = [
	TIMEOUT,
	{ kind: 'network', code: 'ECONNREFUSED', requestSent: false },
	{ kind: 'truncatedResponse', code: 'ECONNRESET' },
	...[500, 502, 503, 504].map((code) => status(code)),
];

describe('the delay', () => {
	test.each(LONGEST.map((longest, i) => [i + 1, longest]))(
		'after attempt %i is random and at most %i s',
		(count, longest) => {
			for (const failure of passing) {
				expect(delay(failure, count, 0)).toBe(0);
				expect(delay(failure, count, 0.5)).toBe(longest * 500);
				expect(delay(failure, count, ALMOST_1)).toBe(longest * 1000);
			}
		},
	);

	test('is at most 30 s after thousands of attempts', () => {
		expect(delay(TIMEOUT, 5000, ALMOST_1)).toBe(30_000);
	});

	test.each([1, 5, 20])(
		'is 0 after a 429 without Retry-After, because the rate limiter decides (attempt %i)',
		(count) => {
			expect(delay(status(429), count, ALMOST_1)).toBe(0);
		},
	);
});

describe('a Retry-After', () => {
	const wishing = [429, 500, 502, 503, 504].map((code) => [code]);

	test.each(wishing)('is followed exactly after a %i when it is longer than the back-off', (code) => {
		for (const random of [0, 0.5, ALMOST_1])
			expect(delay(status(code, { retryAfter: 7 }), 1, random)).toBe(7000);
	});

	test('is followed when it is longer than the longest back-off', () => {
		expect(delay(status(429, { retryAfter: 600 }), 1, 0.5)).toBe(600_000);
	});

	test.each([
		['that ends at the deadline', 10, 50_000, 10_000],
		['that ends one second after the deadline', 11, 50_000, undefined],
		['of a whole day', 86_400, 0, undefined],
	])('%s decides whether another attempt starts', (_, retryAfter, elapsed, expected) => {
		expect(delay(status(503, { retryAfter }), 1, 0.5, elapsed, 60_000)).toBe(expected);
	});

	test.each(wishing)('of 0 does not shorten the back-off after a %i', (code) => {
		const delays = LONGEST.map((_, i) => delay(status(code, { retryAfter: 0 }), i + 1, 0.5));
		expect(delays).toEqual(LONGEST.map((longest) => longest * 500));
	});

	test('does not shorten the back-off after many failed attempts', () => {
		expect(delay(status(503, { retryAfter: 1 }), 8, 0.5)).toBe(15_000);
	});
});

describe('the deadline', () => {
	const all = [...passing, status(429), status(429, { retryAfter: 0 }), status(503, { retryAfter: 2 })];

	test.each([
		[0, 0],
		[60_000, 60_000],
		[60_001, 60_000],
		[1e9, 60_000],
	])('permits no further attempt after %i of %i ms', (elapsed, maxWait) => {
		for (const failure of all) expect(delay(failure, 1, 0, elapsed, maxWait)).toBeUndefined();
	});

	test.each([1, 10, 999, 29_999])('is not exceeded when %i ms are left', (left) => {
		for (const failure of all) {
			const milliseconds = delay(failure, 9, ALMOST_1, 60_000 - left, 60_000) ?? 0;
			expect(milliseconds).toBeGreaterThanOrEqual(0);
			expect(milliseconds).toBeLessThanOrEqual(left);
		}
		expect(delay(TIMEOUT, 9, ALMOST_1, 60_000 - left, 60_000)).toBe(left);
	});
});
