import { FaultRules } from '../../sandbox/faultRules';
import { DEFAULT_SETTINGS } from '../../sandbox/settings';
import type { FaultRule } from '../../sandbox/types';
import { seedOneOfEach, useTestSandbox } from './testSandbox';

const sandbox = useTestSandbox();

const requests: Array<[string, string, string]> = [
	['GET', '/me', 'full'],
	['GET', '/prospector/workflows', 'full'],
	['POST', '/prospector/workflows', 'full'],
	['GET', '/prospector/workflows/x/runs', 'no_me_read'],
	['GET', '/prospector/runs/x', 'revoked'],
	['GET', '/nowhere?path=/me', 'full'],
];
test.each<[string, Partial<FaultRule>, string]>([
	['every request if it has no conditions', {}, '111111'],
	['requests with its method in any letter case', { match: { method: 'post' } }, '001000'],
	['requests whose path contains its path', { match: { path: '/runs' } }, '000110'],
	['requests with its API key', { match: { keyName: 'revoked' } }, '000010'],
	['requests of its operation', { match: { operation: 'listWorkflows' } }, '010000'],
	['the second and third request with times 2 and skip 1', { times: 2, skip: 1 }, '011000'],
	['all requests after the fourth with skip 4', { times: Infinity, skip: 4 }, '000011'],
	['the second GET request with skip 1', { times: 1, skip: 1, match: { method: 'GET' } }, '010000'],
	['no request if its probability is 0', { probability: 0 }, '000000'],
])('a fault rule affects %s', async (_, rule, expected) => {
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

/** Returns by key, as 0 and 1, which of its requests a rule for every second request fires for. */
function firedByKey(keys: string[], faultSeed = 1) {
	const rules = new FaultRules({ ...DEFAULT_SETTINGS, faultSeed });
	rules.add({ kind: 'drop', times: 0, probability: 0.5 });
	const request = { method: 'GET', path: '/me', keyName: null, operation: null };
	const fired: Record<string, string> = {};
	for (const idempotencyKey of keys) {
		const isFired = rules.match({ ...request, idempotencyKey });
		fired[idempotencyKey] = (fired[idempotencyKey] ?? '') + (isFired ? 1 : 0);
	}
	return fired;
}

test('the setting faultSeed determines which requests with an idempotency key fail, whatever other requests arrive in between', () => {
	const forty = (key: string) => Array<string>(40).fill(key);
	const alone = firedByKey(['a', 'b', 'c'].flatMap(forty));
	expect(new Set(Object.values(alone)).size).toBe(3);
	expect(firedByKey(forty('a'), 7).a).not.toBe(alone.a);
	expect(firedByKey(forty('c').flatMap((key) => [key, 'a', 'b']))).toEqual(alone);
});

test.each<[object, RegExp]>([
	[{ kind: 'explode' }, /"kind"|'kind'/],
	[{ kind: 'drop', status: 500 }, /no field "status"/],
	[{ kind: 'status', status: 500, headers: { 'Content-Length': '5' } }, /"headers".*"Content-Length"/],
])('the sandbox rejects the fault rule %j with a message that matches %p', (rule, message) => {
	expect(() => sandbox.control.addFault(rule as FaultRule)).toThrow(message);
	expect(sandbox.control.faults()).toEqual([]);
});
