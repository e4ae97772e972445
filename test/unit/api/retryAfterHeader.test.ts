import { parseRetryAfter } from '../../../nodes/Prospector/api/response';

const NOW = Date.parse('2025-03-01T12:00:00Z');
const read = (headers: Record<string, unknown>) => parseRetryAfter(headers, NOW);

test.each<[unknown, number | undefined]>([
	['0', 0],
	[' 120 ', 120_000],
	['1.5', 1500],
	[7, 7000],
	[['4', '9'], 4000],
	['Sat, 01 Mar 2025 12:00:30 GMT', 30_000],
	['2025-03-01T12:01:00Z', 60_000],
	['Saturday, 01-Mar-25 12:00:05 GMT', 5000],
	[String(NOW / 1000 + 9), 9000],
	[String(NOW + 9000), 9000],
	['999999999', 999_999_999_000],
	['1000000000', 0],
	['Sat, 01 Mar 2025 11:59:59 GMT', 0],
	[String(NOW - 1), 0],
])('the client waits for the time in Retry-After when it is %j: %j ms', (value, retryAfterMs) =>
	expect(read({ 'retry-after': value })).toBe(retryAfterMs),
);

test.each([
	...['-1', '+5', '1e3', '0x10', '5s', 'soon', 'Infinity', '9'.repeat(40), '.5', undefined, [], {}, true],
	// Date.parse accepts these as dates.
	...['in 5', 'later 5', 'max 1'],
])('the client ignores Retry-After when it is neither seconds nor a date: %j', (value) =>
	expect(read({ 'retry-after': value })).toBeUndefined(),
);

test.each([
	['an hour behind ours', 'Sat, 01 Mar 2025 11:00:00 GMT', 'Sat, 01 Mar 2025 11:00:30 GMT', 30_000],
	['an hour ahead of ours', 'Sat, 01 Mar 2025 13:00:00 GMT', 'Sat, 01 Mar 2025 13:00:30 GMT', 30_000],
	['past that date', 'Sat, 01 Mar 2025 13:00:00 GMT', 'Sat, 01 Mar 2025 12:30:00 GMT', 0],
	['unknown', 'today', 'Sat, 01 Mar 2025 12:00:30 GMT', 30_000],
	['an hour behind ours, but the time is in seconds', 'Sat, 01 Mar 2025 11:00:00 GMT', '30', 30_000],
])(
	'the client compares the date in Retry-After with the service’s clock when that is %s',
	(_, date, value, ms) => expect(read({ date, 'retry-after': value })).toBe(ms),
);
