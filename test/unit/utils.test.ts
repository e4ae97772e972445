/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { createJsonValueCheck, parseTimestamp } from '../../nodes/Prospector/utils';

test.each([
	'2026-03-01T08:00:00',
	'2026-03-01 08:00:00.000',
	'2026-03-01T08:00Z',
	'2026-03-01T09:00:00+01:00',
])('parseTimestamp reads %s as 08:00 UTC even if the computer has another time zone', (timestamp) => {
	const script = `console.log(require(${JSON.stringify(resolve('dist/nodes/Prospector/utils'))}).parseTimestamp('${timestamp}'))`;
	const env = { ...process.env, TZ: 'America/New_York' };
	const printed = execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
	expect(Number(printed)).toBe(Date.UTC(2026, 2, 1, 8));
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
