import { OPERATION_CASES, closeAll, oneOfEach, startTestSandbox, sendCase } from './support';
import type { Bench } from './support';

afterEach(closeAll);

const me = async (bench: Bench, key?: string) => (await bench.call('GET', '/me', { key })).status;

test.each(OPERATION_CASES)('$number $operation gives 429 and does nothing', async (item) => {
	const bench = await startTestSandbox({ settings: { limit: 1 } });
	const where = oneOfEach(bench);
	await bench.call('GET', '/me');
	const before = bench.control.state().counts;
	expect((await sendCase(bench, item, where)).status).toBe(429);
	expect(bench.control.state().counts).toEqual({ ...before, journal: 2 });
});

test('the window rolls', async () => {
	const bench = await startTestSandbox({ settings: { limit: 2 } });
	expect(await me(bench)).toBe(200); // at 0 s
	bench.pass(30_000);
	expect(await me(bench)).toBe(200); // at 30 s
	bench.pass(29_999);
	expect(await me(bench)).toBe(429);
	bench.pass(1);
	expect(await me(bench)).toBe(200); // at 60 s: the first has left
	expect(await me(bench)).toBe(429);
	bench.pass(30_000);
	expect(await me(bench)).toBe(200); // at 90 s: the second has left
	expect(await me(bench)).toBe(429);
});

test('rejected requests do not count', async () => {
	const bench = await startTestSandbox({ settings: { limit: 1 } });
	expect(await me(bench)).toBe(200);
	for (let second = 1; second < 60; second++) {
		bench.pass(1000);
		expect(await me(bench)).toBe(429);
	}
	bench.pass(1000);
	expect(await me(bench)).toBe(200);
});

test('each key has its own, and a rotated one starts anew', async () => {
	const bench = await startTestSandbox({ settings: { limit: 1 } });
	expect([await me(bench), await me(bench)]).toEqual([200, 429]);
	expect(await me(bench, bench.key.readOnlyScope)).toBe(200);
	expect(await me(bench, bench.control.rotateKey('full').secret)).toBe(200);
});

test('refused permissions and unknown ids count, failed authentication does not', async () => {
	const bench = await startTestSandbox({ settings: { limit: 3 } });
	await bench.call('GET', '/me', { key: bench.key.noMeRead });
	await bench.call('GET', '/prospector/runs/x', { key: bench.key.noMeRead });
	await bench.call('GET', '/nowhere', { key: bench.key.noMeRead });
	expect(await me(bench, bench.key.noMeRead)).toBe(429);
	for (let count = 0; count < 5; count++) expect(await me(bench, bench.key.revoked)).toBe(401);
});

test('it can be changed while running', async () => {
	const bench = await startTestSandbox({ settings: { limit: 1 } });
	expect([await me(bench), await me(bench)]).toEqual([200, 429]);
	await bench.controlCall('PATCH', '/settings', { limit: 3 });
	expect([await me(bench), await me(bench), await me(bench)]).toEqual([200, 200, 429]);
	bench.control.patchSettings({ windowMs: 10 });
	bench.pass(10);
	expect(await me(bench)).toBe(200);
});

describe('rateLimitHeaders', () => {
	const HEADERS = /^(?:retry-after|x?-?ratelimit-.*)$/;
	const read = async (bench: Bench) => {
		const { headers } = await bench.call('GET', '/me');
		return Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS.test(name)));
	};
	// Two requests at 0 s and 10.5 s, the third at 10.5 s: 49.5 s until there is room.
	const epoch = String(Date.parse('2025-03-01T12:01:00.000Z') / 1000);
	const ietf = (remaining: string, reset: string) => ({
		'ratelimit-limit': '2',
		'ratelimit-remaining': remaining,
		'ratelimit-reset': reset,
	});
	const x = (remaining: string) => ({
		'x-ratelimit-limit': '2',
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': epoch,
	});
	test.each([
		['none', {}, {}],
		['retry-after', {}, { 'retry-after': '50' }],
		['retry-after-date', {}, { 'retry-after': 'Sat, 01 Mar 2025 12:01:00 GMT' }],
		['ratelimit', ietf('1', '60'), ietf('0', '50')],
		['x-ratelimit', x('1'), x('0')],
		[['retry-after', 'x-ratelimit'], x('1'), { ...x('0'), 'retry-after': '50' }],
		[[], {}, {}],
	])('%j', async (rateLimitHeaders, first, third) => {
		const bench = await startTestSandbox({
			settings: { limit: 2, rateLimitHeaders: rateLimitHeaders as 'none' },
		});
		expect(await read(bench)).toEqual(first);
		bench.pass(10_500);
		await read(bench);
		expect(await read(bench)).toEqual(third);
	});

	test('after the limit was lowered, they wait until the surplus has left', async () => {
		const bench = await startTestSandbox({ settings: { limit: 3, rateLimitHeaders: 'retry-after' } });
		for (const seconds of [10, 10, 0]) {
			await read(bench);
			bench.pass(seconds * 1000);
		}
		bench.control.patchSettings({ limit: 1 });
		expect(await read(bench)).toEqual({ 'retry-after': '60' });
	});
});
