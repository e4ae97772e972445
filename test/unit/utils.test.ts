import { createJsonValueCheck, parseTimestamp } from '../../nodes/Prospector/utils';

test.each([
	'2026-03-01T08:00:00',
	'2026-03-01 08:00:00.000',
	'2026-03-01T08:00Z',
	'2026-03-01T09:00:00+01:00',
])('parseTimestamp reads %s as 08:00 UTC even if the computer has another time zone', (timestamp) => {
	expect(parseTimestamp(timestamp)).toBe(Date.UTC(2026, 2, 1, 8));
});

test.each([undefined, 5, '', 'yesterday', `2026-03-01T08:00:00Z${' '.repeat(64)}`])(
	'parseTimestamp returns undefined for %j because the value is not a timestamp',
	(value) => expect(parseTimestamp(value)).toBeUndefined(),
);

test('createJsonValueCheck counts no commas inside a JSON string even if the string arrives in several chunks', () => {
	const hasTooManyValues = createJsonValueCheck();
	const commas = Buffer.from(','.repeat(50_000));
	const results = ['["', commas, '"', commas].map((chunk) => hasTooManyValues(Buffer.from(chunk)));
	expect(results).toEqual([false, false, false, true]);
});
