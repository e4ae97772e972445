import { parseRateLimitHeaders } from '../../../../nodes/Prospector/transport/rate/rateLimitHeaders';
import { leastProcessorTime } from '../../../processorTime';

const NOW = Date.parse('2025-03-01T12:00:00Z');
const read = (headers: Record<string, unknown>) => parseRateLimitHeaders(headers, NOW);
const NOTHING = { retryAfter: undefined, limit: undefined, remaining: undefined, reset: undefined };

test.each<Record<string, unknown>>([
	{},
	{ 'content-type': 'application/json', date: 'Sat, 01 Mar 2025 12:00:00 GMT' },
	{ 'retry-after': undefined, 'ratelimit-limit': null, ratelimit: '', 'x-ratelimit-remaining': '' },
])('the headers %j contain no limit', (headers) => expect(read(headers)).toEqual(NOTHING));

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
		expect(read({ 'retry-after': value })).toEqual({ ...NOTHING, retryAfter });
	});

	test.each([
		...['-1', '+5', '1e3', '0x10', '5s', 'soon', 'NaN', 'Infinity', '9'.repeat(40), '5,', '.5'],
		...[[], [{}], {}, true],
		// Date.parse accepts these as dates.
		...['in 5', 'later 5', 'max 1'],
	])('of %j, which is neither seconds nor a date, is ignored', (value) => {
		expect(read({ 'retry-after': value })).toEqual(NOTHING);
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
		expect(read({ date, 'retry-after': retryAfter }).retryAfter).toBe(expected);
	});

	test('in X-RateLimit-Reset, too', () => {
		const skewed = NOW - 3_600_000;
		const headers = { date: new Date(skewed).toUTCString(), 'x-ratelimit-limit': '60' };
		expect(read({ ...headers, 'x-ratelimit-reset': String(skewed / 1000 + 20) }).reset).toBe(20_000);
		expect(read({ ...headers, 'x-ratelimit-reset': String(skewed + 20_000) }).reset).toBe(20_000);
	});
});

describe('the limit', () => {
	const whole = { ...NOTHING, limit: 60, remaining: 0, reset: 5000 };
	const inSeconds = String(NOW / 1000 + 5);

	test.each<[string, Record<string, unknown>, object]>([
		['three headers', { 'ratelimit-limit': '60', 'ratelimit-remaining': '0', 'ratelimit-reset': '5' }, whole],
		[
			'three headers with a policy',
			{ 'ratelimit-limit': '60, 60;w=60', 'ratelimit-remaining': '0', 'ratelimit-reset': '5' },
			whole,
		],
		['one header', { ratelimit: 'limit=60, remaining=0, reset=5' }, whole],
		['one header without blanks', { ratelimit: 'limit=60,remaining=0,reset=5' }, whole],
		[
			'a separate policy',
			{ ratelimit: '"default";r=0;t=5', 'ratelimit-policy': '"default";q=60;w=60' },
			whole,
		],
		[
			'a policy beside, unquoted',
			{ ratelimit: 'default; r=0; t=5', 'ratelimit-policy': 'default; q=60' },
			whole,
		],
		['only the remaining requests', { ratelimit: '"default";r=12' }, { ...NOTHING, remaining: 12 }],
		['X- and seconds', xHeaders('5'), whole],
		['X- and a date in seconds', xHeaders(inSeconds), whole],
		['X- and a date in milliseconds', xHeaders(String(NOW + 5000)), whole],
		['X- and a date as text', xHeaders('Sat, 01 Mar 2025 12:00:05 GMT'), whole],
		['X- and a date of the past', xHeaders('1000000000'), { ...whole, reset: 0 }],
		['X- and no reset', xHeaders(undefined), { ...whole, reset: undefined }],
		['numbers and lists', xHeaders(5, 60, ['0', '9']), whole],
		['X-RateLimit-Remaining alone', { 'x-ratelimit-remaining': '3' }, { ...NOTHING, remaining: 3 }],
		['signs and words', xHeaders('-5', 'unlimited', '-1'), NOTHING],
		['headers with Retry-After', { ...xHeaders('5'), 'retry-after': '9' }, { ...whole, retryAfter: 9000 }],
		[
			'the policy with the fewest requests left',
			{
				ratelimit: '"minute";r=3;t=10, "day";r=9000;t=80000',
				'ratelimit-policy': '"minute";q=60;w=60, "day";q=10000;w=86400',
			},
			{ ...NOTHING, limit: 60, remaining: 3, reset: 10_000 },
		],
	])('is parsed from %s', (_, headers, report) => expect(read(headers)).toEqual(report));
});

test.each(['a', '"', ',', ' ', 'a=', '1', '";r=', ', "', '1:'])(
	'%j repeated 50,000 times is parsed in linear time',
	async (text) => {
		const readAll = () => {
			for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after', 'x-ratelimit-limit', 'date']) {
				read({ [name]: text.repeat(50_000) });
			}
		};
		expect(await leastProcessorTime(readAll, 1000)).toBeLessThan(1000);
	},
);

function xHeaders(reset: unknown, limit: unknown = '60', remaining: unknown = '0') {
	return { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset };
}
