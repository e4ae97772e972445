import { CredentialTestContext } from 'n8n-core';
import type { INodeCredentialTestResult } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/types';
import { PROSPECTOR } from '../nodes';
import { startEnvironment, type Environment } from './environment';

let env: Environment;
beforeAll(async () => (env = await startEnvironment()));
afterAll(async () => await env.close());

/** Tests the credential as n8n does when a person saves it. */
async function testCredential() {
	const { baseUrl, keys } = env.sandbox;
	const { methods, description } = env.nodeTypes.getByNameAndVersion(PROSPECTOR);
	const { testedBy } = description.credentials?.[0] ?? {};
	const result = await methods?.credentialTest?.[testedBy as string].call(new CredentialTestContext(), {
		...{ id: '1', name: 'Prospector account', type: 'prospectorApi' },
		data: { apiKey: keys.full, baseUrl },
	});
	return result as INodeCredentialTestResult;
}

test.each<[string, FaultRule, RegExp]>([
	[
		'a web page',
		{ kind: 'notJson' },
		/^The address answered with a web page instead of Prospector data\. Check/,
	],
	['a truncated response', { kind: 'cutBody' }, /^The service's answer broke off half-way\. Test again/],
	['a closed connection', { kind: 'drop' }, /^The connection ended before the service answered\. /],
	[
		'status 429',
		{ kind: 'status', status: 429 },
		/The key itself was accepted\. Wait a minute and test again\. The service said: "Too many requests"\.$/,
	],
])('the credential test explains %s after one request', async (_, fault, message) => {
	env.resetService(fault);
	const result = await testCredential();
	expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	expect(result.message).toMatch(/[^.]\.$/);
	expect(env.journal()).toHaveLength(1);
});
