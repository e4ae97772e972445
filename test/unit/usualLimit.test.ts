import { isUsualLimit } from '../../nodes/Prospector/transport/rate/usualLimit';

test.each([
	...[1, 2, 3, 4, 5, 6, 8, 9],
	...[10, 12, 15, 20, 24, 25, 30, 40, 50, 60, 80, 90],
	...[100, 120, 150, 200, 240, 250, 300, 500, 600, 900],
	...[1000, 1200, 2500, 5000, 6000, 10_000, 12_000, 100_000, 1_000_000, 10 ** 9],
])('a limit of %i would surprise nobody', (requests) => expect(isUsualLimit(requests)).toBe(true));

test.each([
	...[7, 11, 13, 14, 16, 23, 35, 59, 61, 70, 99],
	...[101, 119, 121, 125, 599, 601, 999, 1001, 1234, 9999],
])('a limit of %i would be a strange one', (requests) => expect(isUsualLimit(requests)).toBe(false));

test.each([0, -1, -60, NaN, Infinity])('%d is no limit', (requests) =>
	expect(isUsualLimit(requests)).toBe(false),
);

test('few limits are usual, as each of them costs a moment alone', () => {
	const upTo = (most: number) => Array.from({ length: most }, (_, i) => i + 1).filter(isUsualLimit).length;
	expect(upTo(1000)).toBeLessThanOrEqual(40);
});
