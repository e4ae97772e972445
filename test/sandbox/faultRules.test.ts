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
	['requests whose path contains its path', { match: { path: '/runs' } }, '000110'],
	['requests with its API key', { match: { keyName: 'revoked' } }, '000010'],
	['requests of its operation', { match: { operation: 'listWorkflows' } }, '010000'],
	['the second and third request with times 2 and skip 1', { times: 2, skip: 1 }, '011000'],
	['all requests after the fourth with skip 4', { times: Infinity, skip: 4 }, '000011'],
	[
		'the second request that meets its conditions with skip 1',
		{ times: 1, skip: 1, match: { path: '/runs' } },
		'000010',
	],
	['no request if its probability is 0', { probability: 0 }, '000000'],
	['some requests if its probability is 0.5', { probability: 0.5 }, '010001'],
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

test.each<[object, RegExp]>([
	[{ kind: 'explode' }, /"kind"|'kind'/],
	[{ kind: 'drop', status: 500 }, /no field "status"/],
	[{ kind: 'status', status: 500, headers: { 'Content-Length': '5' } }, /"headers".*"Content-Length"/],
])('the sandbox rejects the fault rule %j with a message that matches %p', (rule, message) => {
	expect(() => sandbox.control.addFault(rule as FaultRule)).toThrow(message);
	expect(sandbox.control.faults()).toEqual([]);
});
