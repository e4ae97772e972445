import { parseRetryAfter } from '../../../nodes/Prospector/api/retryAfterHeader';

const NOW = Date.parse('2025-03-01T12:00:00Z');
const read = (headers: Record<string, unknown>) => parseRetryAfter(headers, NOW);

describe('Retry-After', () => {
	test.each<[unknown, number | undefined]>([
		['0', 0],
		['3', 3000],
		[' 120 ', 120_000],
		['1.5', 1500],
		[7, 7000],
		[['4', '9'], 4000],
		['86400', 86_400_000],
		['Sat, 01 Mar 2025 12:00:30 GMT', 30_000],
		['2025-03-01T12:01:00Z', 60_000],
		['Saturday, 01-Mar-25 12:00:05 GMT', 5000],
		[String(NOW / 1000 + 9), 9000],
		[String(NOW + 9000), 9000],
		['999999999', 999_999_999_000],
		['1000000000', 0],
		['Sat, 01 Mar 2025 11:59:59 GMT', 0],
		[String(NOW - 1), 0],
	])('of %j is %j ms', (value, retryAfter) => {
		expect(read({ 'retry-after': value })).toBe(retryAfter);
	});

	test.each([
		...['-1', '+5', '1e3', '0x10', '5s', 'soon', 'NaN', 'Infinity', '9'.repeat(40), '5,', '.5'],
		...[[], [{}], {}, true],
		// Date.parse accepts these as dates.
		...['in 5', 'later 5', 'max 1'],
	])('of %j, which is neither seconds nor a date, is ignored', (value) => {
		expect(read({ 'retry-after': value })).toBeUndefined();
	});
});

describe('a date in Retry-After is compared with the service’s clock', () => {
	test.each([
		['that is an hour behind ours', 'Sat, 01 Mar 2025 11:00:00 GMT', 'Sat, 01 Mar 2025 11:00:30 GMT', 30_000],
		[
			'that is an hour ahead of ours',
			'Sat, 01 Mar 2025 13:00:00 GMT',
			'Sat, 01 Mar 2025 13:00:30 GMT',
			30_000,
		],
		['that is past it', 'Sat, 01 Mar 2025 13:00:00 GMT', 'Sat, 01 Mar 2025 12:30:00 GMT', 0],
		['unless that is no date', 'today', 'Sat, 01 Mar 2025 12:00:30 GMT', 30_000],
		['unless Retry-After is in seconds', 'Sat, 01 Mar 2025 11:00:00 GMT', '30', 30_000],
	])('%s', (_, date, retryAfter, expected) => {
		expect(read({ date, 'retry-after': retryAfter })).toBe(expected);
	});
});
