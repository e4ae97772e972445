import fc from 'fast-check';
import type { LimitKind, RateLimitHeaders, SandboxSettings } from '../../sandbox/settings';
import { useTestSandbox } from './testSandbox';

const sandbox = useTestSandbox();

const me = async (key = sandbox.keys.full) => (await sandbox.call('GET', '/me', { key })).status;

test('the sandbox accepts a request only if fewer than `limit` requests were accepted in the last 60 s', async () => {
	const wait = fc.constantFrom(0, 1, 1000, 29_999, 30_000, 59_999, 60_000);
	const waits = fc.array(wait, { maxLength: 20, size: 'max' });
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 4 }), waits, async (limit, waitsMs) => {
			sandbox.control.reset();
			sandbox.control.patchSettings({ limit });
			const accepted: number[] = [];
			let now = 0;
			for (const waitMs of waitsMs) {
				sandbox.control.advanceClock(waitMs);
				now += waitMs;
				const isFree = accepted.filter((time) => time > now - 60_000).length < limit;
				expect(await me()).toBe(isFree ? 200 : 429);
				if (isFree) accepted.push(now);
			}
		}),
		{ numRuns: 30 },
	);
});

test('the sandbox counts the requests of an API key from 0 again when the API key is rotated', async () => {
	sandbox.control.patchSettings({ limit: 1 });
	expect([await me(), await me()]).toEqual([200, 429]);
	expect(await me(sandbox.keys.readOnlyScope)).toBe(200);
	expect(await me(sandbox.control.rotateKey('full').secret)).toBe(200);
});

test("the sandbox's rate limit counts requests that get 403 or 404 but not requests that get 401", async () => {
	sandbox.control.patchSettings({ limit: 3 });
	const { noMeRead, revoked } = sandbox.keys;
	for (const path of ['/me', '/prospector/runs/x', '/nowhere']) {
		await sandbox.call('GET', path, { key: noMeRead });
	}
	expect(await me(noMeRead)).toBe(429);
	for (let count = 0; count < 5; count++) expect(await me(revoked)).toBe(401);
});

// The clock starts at the beginning of a minute.
test.each<[string, Partial<SandboxSettings>, number[], number[]]>([
	['a limit per fixed minute', { limitKind: 'fixed', limit: 2 }, [50_000, 0, 0, 10_000, 0], [1, 1, 0, 1, 1]],
	['a token bucket', { limitKind: 'bucket', limit: 2, burst: 1 }, [0, 0, 30_000, 29_999], [1, 0, 1, 0]],
	['a limit per second', { limitPerSecond: 1 }, [0, 999, 1], [1, 0, 1]],
	['a limit per day', { dailyQuota: 1 }, [0, 86_399_999, 1], [1, 0, 1]],
	[
		'a limit that counts rejected requests',
		{ limit: 1, countRejected: true },
		[0, 30_000, 30_000],
		[1, 0, 0],
	],
])(
	'the sandbox with %s (settings %j) answers requests after pauses of %j ms with %j (1 = accepted, 0 = rejected)',
	async (_, settings, pauses, expected) => {
		sandbox.control.patchSettings(settings);
		const accepted: number[] = [];
		for (const pause of pauses) {
			sandbox.control.advanceClock(pause);
			accepted.push((await me()) === 200 ? 1 : 0);
		}
		expect(accepted).toEqual(expected);
	},
);

const readHeaders = async () => {
	const { headers } = await sandbox.call('GET', '/me');
	const names = /^(?:retry-after|(?:x-)?ratelimit(?:-.*)?)$/;
	return Object.entries(headers).flatMap(([name, value]) => (names.test(name) ? `${name}: ${value}` : []));
};
const three = (prefix: string, limit: number, remaining: number, reset: number) => [
	`${prefix}-limit: ${limit}`,
	`${prefix}-remaining: ${remaining}`,
	`${prefix}-reset: ${reset}`,
];
const draft = (remaining: number, reset: number) => [
	'ratelimit-policy: "default";q=2;w=60',
	`ratelimit: "default";r=${remaining};t=${reset}`,
];
const epochSeconds = Date.parse('2025-03-01T12:01:00.000Z') / 1000;
const x = (remaining: number) => three('x-ratelimit', 2, remaining, epochSeconds);

// Requests at 0 s, 10.5 s and 10.5 s: the third must wait for 49.5 s.
test.each<[RateLimitHeaders | RateLimitHeaders[], string[], string[], LimitKind?]>([
	['none', [], []],
	['retry-after', [], ['retry-after: 50']],
	['retry-after', [], ['retry-after: 50'], 'fixed'],
	['retry-after', [], ['retry-after: 20'], 'bucket'],
	['retry-after-date', [], ['retry-after: Sat, 01 Mar 2025 12:01:00 GMT']],
	['retry-after-zero', [], ['retry-after: 0']],
	['retry-after-short', [], ['retry-after: 1']],
	// A minute before 12:00:10.5.
	['retry-after-past', [], ['retry-after: Sat, 01 Mar 2025 11:59:10 GMT']],
	['ratelimit', three('ratelimit', 2, 1, 60), three('ratelimit', 2, 0, 50)],
	['ratelimit-draft', draft(1, 60), draft(0, 50)],
	['ratelimit-wrong', three('ratelimit', 1, 0, 3600), three('ratelimit', 1, 0, 3600)],
	['x-ratelimit', x(1), x(0)],
	[['retry-after', 'x-ratelimit'], x(1), ['retry-after: 50', ...x(0)]],
])(
	'the setting rateLimitHeaders %j adds the headers %j to a response 200 and %j to a response 429 (row %#)',
	async (rateLimitHeaders, accepted, rejected, limitKind: LimitKind = 'rolling') => {
		sandbox.control.patchSettings({ limit: 2, rateLimitHeaders, limitKind });
		expect(await readHeaders()).toEqual(accepted);
		sandbox.control.advanceClock(10_500);
		await readHeaders();
		expect(await readHeaders()).toEqual(rejected);
	},
);

test('the header RateLimit-Policy has the length of the window to which the remaining requests belong', async () => {
	const policyWith = async (settings: Partial<SandboxSettings>) => {
		sandbox.control.patchSettings({ rateLimitHeaders: 'ratelimit-draft', ...settings });
		return (await sandbox.call('GET', '/me')).headers['ratelimit-policy'];
	};
	expect(await policyWith({ windowMs: 30_000 })).toBe('"default";q=600;w=30');
	expect(await policyWith({ limitPerSecond: 9 })).toBe('"default";q=9;w=1');
});
