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

const IDENTITY = '/api/public/v1/me';
const CONFIG = '/api/public/v1/prospector/config';

test.each<[string, Omit<NewKey, 'name'>, string[]]>([
	['every scope', {}, [IDENTITY]],
	['every scope but me.read', { scopes: ['prospector.read', 'prospector.run'] }, [IDENTITY, CONFIG]],
	['only prospector.read', { scopes: ['prospector.read'] }, [IDENTITY, CONFIG]],
])('the credential test succeeds if the API key has %s', async (_, key, paths) => {
	const { secret } = env.control.createKey({ name: `key_${env.control.state().keys.length}`, ...key });
	env.resetService();
	expect(await testCredential(secret)).toEqual({ status: 'OK', message: 'Connected' });
	expect(env.journal().map(({ path }) => path)).toEqual(paths);
});
