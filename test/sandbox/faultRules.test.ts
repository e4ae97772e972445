import fc from 'fast-check';
import { FaultRules } from '../../sandbox/faultRules';
import { DEFAULT_SETTINGS } from '../../sandbox/settings';
import type { FaultRule } from '../../sandbox/types';
import { leastProcessorTime } from '../processorTime';
import { seedOneOfEach, useTestSandbox } from './testSandbox';

const sandbox = useTestSandbox();

describe('a fault rule', () => {
	const requests: Array<[string, string, string]> = [
		['GET', '/me', 'full'],
		['GET', '/prospector/workflows', 'full'],
		['POST', '/prospector/workflows', 'full'],
		['GET', '/prospector/workflows/x/runs', 'no_me_read'],
		['GET', '/prospector/runs/x', 'revoked'],
		['GET', '/nowhere?path=/me', 'full'],
	];
	test.each([
		[{}, '111111'],
		[{ match: {} }, '111111'],
		[{ match: { method: 'post' } }, '001000'],
		[{ match: { path: '/runs' } }, '000110'],
		[{ match: { path: '/me' } }, '100000'],
		[{ match: { pathRegex: 'workflows$|/me$' } }, '111000'],
		[{ match: { keyName: 'no_me_read' } }, '000100'],
		[{ match: { keyName: 'revoked' } }, '000010'],
		[{ match: { operation: 'listWorkflows' } }, '010000'],
		[{ match: { method: 'GET', path: 'workflows' } }, '010100'],
		[{ times: 1 }, '100000'],
		[{ times: undefined }, '100000'],
		[{ times: 2, skip: 1 }, '011000'],
		[{ times: Infinity, skip: 4 }, '000011'],
		[{ times: 1, skip: 1, match: { method: 'GET' } }, '010000'],
		[{ probability: 0 }, '000000'],
		[{ probability: 1 }, '111111'],
	] as Array<[Partial<FaultRule>, string]>)('%j fires for the requests %s', async (rule, expected) => {
		seedOneOfEach(sandbox);
		sandbox.control.addFault({ kind: 'status', status: 599, times: 0, ...rule });
		const { keys } = sandbox.control.state();
		let fired = '';
		for (const [method, path, keyName] of requests) {
			const key = keys.find(({ name }) => name === keyName)?.secret;
			fired += (await sandbox.call(method, path, { key })).status === 599 ? 1 : 0;
		}
		expect(fired).toBe(expected);
	});

	test('fires after the rules created before it, and counts', async () => {
		sandbox.control.addFault({ id: 'first', kind: 'status', status: 500 });
		sandbox.control.addFault({ id: 'second', kind: 'status', status: 502, times: 2 });
		const statuses: number[] = [];
		for (let count = 0; count < 4; count++) statuses.push((await sandbox.call('GET', '/me')).status);
		expect(statuses).toEqual([500, 502, 502, 200]);
		expect(sandbox.control.faults()).toMatchObject([
			{ id: 'first', matched: 1, fired: 1, exhausted: true },
			{ id: 'second', matched: 2, fired: 2, exhausted: true, times: 2, when: 'before' },
		]);
	});
});

const target = (path: string, idempotencyKey: string | null = null) => ({
	...{ method: 'GET', keyName: null, operation: null },
	path,
	idempotencyKey,
});
const rulesOf = (...added: Array<Partial<FaultRule>>) => {
	const rules = new FaultRules({ ...DEFAULT_SETTINGS });
	for (const rule of added) rules.add({ kind: 'drop', times: 0, ...rule });
	return rules;
};

describe('probability', () => {
	/** Returns by key which of its requests the rules fire for. */
	const firedByKey = (rules: FaultRules, keys: string[]) => {
		const fired: Record<string, string> = {};
		for (const key of keys) fired[key] = (fired[key] ?? '') + (rules.match(target('/me', key))?.id ?? '-');
		return fired;
	};
	const half = { id: 'x', probability: 0.5 };
	const repeat = (count: number, key: string) => Array<string>(count).fill(key);

	test('is the share of requests that the rule fires for', () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (probability, faultSeed) => {
				const rules = new FaultRules({ ...DEFAULT_SETTINGS, faultSeed });
				const { id } = rules.add({ kind: 'drop', times: 0, probability });
				for (let count = 0; count < 1000; count++) rules.match(target('/me'));
				const fired = rules.list().find((rule) => rule.id === id)?.fired ?? NaN;
				expect(Math.abs(fired / 1000 - probability)).toBeLessThan(0.1);
			}),
			{ numRuns: 20 },
		);
	});

	test('gives the same faults with the same seed and others with another seed, over HTTP too', async () => {
		const seen: string[] = [];
		for (const faultSeed of [1, 1, 7]) {
			sandbox.control.reset();
			sandbox.control.patchSettings({ faultSeed });
			sandbox.control.addFault({ kind: 'status', status: 599, times: 0, probability: 0.5 });
			let fired = '';
			for (let count = 0; count < 40; count++) {
				fired += (await sandbox.call('GET', '/me')).status === 599 ? 1 : 0;
			}
			seen.push(fired);
		}
		expect(seen[0]).toBe(seen[1]);
		expect(seen[0]).not.toBe(seen[2]);
	});

	test('gives each Idempotency-Key the same faults in any order of arrival', () => {
		const alone = Object.fromEntries(
			['a', 'b', 'c'].map((key) => [key, firedByKey(rulesOf(half), repeat(40, key))[key]]),
		);
		expect(new Set(Object.values(alone)).size).toBe(3);
		fc.assert(
			fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (order) => {
				for (const [key, fired] of Object.entries(firedByKey(rulesOf(half), order))) {
					expect(alone[key].startsWith(fired)).toBe(true);
				}
			}),
		);
	});

	test('uses other random numbers for each rule, and none changes with other rules', () => {
		const { a: first } = firedByKey(rulesOf(half), repeat(40, 'a'));
		const { a: both } = firedByKey(rulesOf(half, { ...half, id: 'y' }), repeat(40, 'a'));
		expect(both.replaceAll('y', '-')).toBe(first);
		const never = { id: 'never', probability: 0 };
		const { a: second } = firedByKey(rulesOf(never, half), repeat(40, 'a'));
		expect(second).toContain('x');
		expect(second).not.toBe(first);
	});

	test('draws a random number for requests that `skip` excludes', () => {
		fc.assert(
			fc.property(fc.nat(30), (skip) => {
				const { a: fired } = firedByKey(rulesOf({ ...half, skip }), repeat(30, 'a'));
				const { a: all } = firedByKey(rulesOf(half), repeat(30, 'a'));
				expect(fired).toBe('-'.repeat(skip) + all.slice(skip));
			}),
		);
	});
});

describe('an invalid fault rule', () => {
	const drop = { kind: 'drop' };
	const status = { kind: 'status', status: 500 };
	const redirect = { kind: 'redirect', location: '/x' };
	const trickle = { kind: 'trickle' };
	const raw = { kind: 'raw', bytes: '' };
	const ownPrototype = JSON.parse('{"__proto__":"x"}') as object;

	test.each<[object, string, unknown[], RegExp?]>([
		[drop, 'kind', [undefined, 'explode', ['drop'], 'toString']],
		[drop, 'id', [5, '']],
		[drop, 'times', [-1, 1.5, '2', null, 1e300, NaN]],
		[drop, 'skip', [0.5, -1, 1e300, Infinity]],
		[drop, 'probability', [2, -0.1, '0.5', NaN]],
		[drop, 'when', ['never', null]],
		[{ kind: 'cutBody' }, 'when', ['before'], /"when" must be "after" for the kind "cutBody"/],
		[trickle, 'when', ['before'], /"when" must be "after" for the kind "trickle"/],
		[status, 'status', [undefined, '500'], /"status" must be a whole number from 200 to 599/],
		[status, 'status', [99, 101, 200.5, 600], /"status" must be a whole number from 200 to 599/],
		[{ kind: 'status', status: 204 }, 'body', ['x'], /"body" must be absent or "" when "status" is 204/],
		[{ kind: 'status', status: 304 }, 'body', [{}]],
		[status, 'headers', [['x'], { '': 'x' }, { 'transfer-encoding': 'x' }, { trailer: 'x' }]],
		[status, 'headers', [{ 'a b': 'x' }], /"headers".*"a b"/],
		[status, 'headers', ['x\ny', '€', 5, ['x']].map((a) => ({ a })), /"headers".*"a"/],
		[status, 'headers', [{ 'Content-Length': '5' }], /"headers".*"Content-Length"/],
		[status, 'headers', [ownPrototype], /"headers".*"__proto__"/],
		[{ kind: 'slow' }, 'delayMs', [undefined, -1, 3_600_001, '5', NaN, Infinity]],
		[trickle, 'delayMs', [-1, NaN]],
		[raw, 'bytes', [undefined, '€', 5], /"bytes" must be a string of characters from U\+0000 to U\+00FF/],
		[raw, 'keepOpen', ['yes', null]],
		[raw, 'delayMs', [-1]],
		[redirect, 'location', [undefined, '', 'http://x/\r\nSet-Cookie: a=b']],
		[redirect, 'status', [200, 304], /"status" of a redirect/],
		[redirect, 'body', ['x'], /"body" has no effect/],
		[status, 'delayMs', [5], /"delayMs" has no effect/],
		[status, 'location', ['/x'], /"location" has no effect/],
		[{ kind: 'endless' }, 'body', ['x'], /"body" has no effect/],
		[{ kind: 'switchProtocols' }, 'status', [101], /"status" has no effect/],
		[{ kind: 'hang' }, 'body', ['x'], /"body" has no effect/],
		[{ kind: 'notJson' }, 'headers', [{}], /"headers" has no effect/],
		[drop, 'status', [500], /"status" has no effect for the kind "drop"/],
		[drop, 'delay', [5]],
		[drop, 'match', [[], null]],
	])('%j is rejected with the field "%s" %p', async (rule, field, values, message = RegExp(`"${field}"`)) => {
		for (const value of values) await expectRejected({ ...rule, [field]: value }, message);
	});

	test.each<[string, unknown[]]>([
		['url', ['/x']],
		['method', [5, 'FETCH']],
		['path', [null]],
		['keyName', [{}]],
		['operation', ['fly', 'toString']],
		['pathRegex', ['(', 5]],
	])('is rejected with the condition "%s" %p', async (field, values) => {
		for (const value of values) {
			await expectRejected({ kind: 'drop', match: { [field]: value } }, RegExp(`"${field}"`));
		}
	});

	async function expectRejected(rule: object, message: RegExp) {
		expect(() => sandbox.control.addFault(rule as FaultRule)).toThrow(message);
		const { status: code, json } = await sandbox.callControl('POST', '/faults', rule);
		expect([code, json.error]).toEqual([400, expect.stringMatching(message)]);
		expect(sandbox.control.faults()).toEqual([]);
	}

	test.each<[unknown, RegExp]>([
		[{ kind: 'notJson', body: () => 1 }, /"body"/],
		[{ kind: 'notJson', body: BigInt(1) }, /"body"/],
		[JSON.parse('{"kind":"drop","__proto__":{"times":0}}'), /"__proto__"/],
		[undefined, /rule/],
		[null, /rule/],
		['drop', /rule/],
	])('%p is rejected in-process with %p', (rule, message) => {
		expect(() => sandbox.control.addFault(rule as FaultRule)).toThrow(message);
	});
});

describe('pathRegex', () => {
	test.each(['(a+)+$', '(a|a)*b', '(a*)*c', 'a*a*a*a*a*$'])(
		'%s takes less than 50 ms for 50,000 times "a" and a "!"',
		async (pathRegex) => {
			const rules = rulesOf({ match: { pathRegex } });
			const path = target('a'.repeat(50_000) + '!');
			expect(await leastProcessorTime(() => rules.match(path), 50)).toBeLessThan(50);
		},
	);

	test.each([
		['(a+)+$', 'aaaa', true],
		['(a+)+$', 'aaaa!', false],
		['^/api/public/v1/(?:me|prospector/config)$', '/api/public/v1/me', true],
		['runs/[^/]+$', '/prospector/runs/run_1/results', false],
		['/(?<name>wf_\\w{2})/', '/wf_12/', true],
		['(?i)RUNS', '/runs', true],
		['\\x2fruns\\/', '/runs/', true],
		['', '', true],
	])('%s on %s has the result %s', (pathRegex, path, matches) => {
		expect(rulesOf({ match: { pathRegex } }).match(target(path)) !== undefined).toBe(matches);
	});

	test.each([
		'(?=x)',
		'(?<!x)y',
		'(a)\\1',
		'(?<n>a)\\k<n>',
		'a**',
		'[',
		'a{2,1}',
		'(a{1000}){1000}',
		'a'.repeat(1001),
	])('%.20s is rejected with 400', async (pathRegex) => {
		const { status, json } = await sandbox.callControl('POST', '/faults', {
			kind: 'drop',
			match: { pathRegex },
		});
		expect(status).toBe(400);
		expect(json.error).toMatch(
			/^"pathRegex" must be an RE2 expression of at most 1000 characters, without lookarounds and backreferences \(.+\)\.$/,
		);
	});
});
