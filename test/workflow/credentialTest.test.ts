import { CredentialTestContext } from 'n8n-core';
import type { INodeCredentialTestResult } from 'n8n-workflow';
import type { NewKey } from '../../sandbox/types';
import { PROSPECTOR } from '../nodes';
import { startEnvironment, type Environment } from './environment';

let env: Environment;
beforeAll(async () => (env = await startEnvironment()));
afterAll(async () => await env.close());

/** Tests a credential as n8n does when a person saves it. */
async function testCredential(apiKey = env.sandbox.keys.full) {
	const { methods, description } = env.nodeTypes.getByNameAndVersion(PROSPECTOR);
	const { testedBy } = description.credentials?.[0] ?? {};
	const result = await methods?.credentialTest?.[testedBy as string].call(new CredentialTestContext(), {
		...{ id: '1', name: 'Prospector account', type: 'prospectorApi' },
		data: { apiKey, baseUrl: env.sandbox.baseUrl },
	});
	return result as INodeCredentialTestResult;
}

const LOST =
	/^The connection was lost before the response arrived \(\w+\)\. Nothing was changed\. Try again\. If .* check 'Base URL' in the credential\.$/;

test('the credential test sends one request and says that the connection was lost if the response is truncated', async () => {
	env.resetService({ kind: 'cutBody' });
	expect(await testCredential()).toEqual({ status: 'Error', message: expect.stringMatching(LOST) });
	expect(env.journal()).toHaveLength(1);
});

const NO_RUN = "Connected. This API key can't start runs or change Prospector workflows: it";
const NO_READ = 'Connected. This API key can start runs, but not read them and their results: it';
const WITHOUT_ME = ['getMe', 'getConfig'];
const READ: NewKey['scopes'] = ['me.read', 'prospector.read'];
const RUN: NewKey['scopes'] = ['me.read', 'prospector.run'];
const noScope = (scope: string) => `lacks the scope '${scope}'`;

test.each<[string, Omit<NewKey, 'name'>, string, string[]]>([
	['every scope', {}, 'Connected', ['getMe']],
	['every scope but me.read', { scopes: ['prospector.read', 'prospector.run'] }, 'Connected', WITHOUT_ME],
	['only prospector.read', { scopes: ['prospector.read'] }, 'Connected', WITHOUT_ME],
	['the read scopes', { scopes: READ }, `${NO_RUN} ${noScope('prospector.run')}`, ['getMe']],
	['read-only access', { membership: 'read_only' }, `${NO_RUN} belongs to a read-only member`, ['getMe']],
	['me.read and prospector.run', { scopes: RUN }, `${NO_READ} ${noScope('prospector.read')}`, ['getMe']],
])('the credential test succeeds if the API key has %s', async (_, key, message, requests) => {
	const { secret } = env.control.createKey({ name: `key_${env.control.state().keys.length}`, ...key });
	env.resetService();
	expect(await testCredential(secret)).toEqual({ status: 'OK', message });
	expect(env.operations()).toEqual(requests);
});
