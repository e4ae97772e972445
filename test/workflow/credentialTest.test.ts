import { CredentialTestContext } from 'n8n-core';
import type { INodeCredentialTestResult } from 'n8n-workflow';
import type { FaultRule, NewKey } from '../../sandbox/types';
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
	/^The connection was lost before the response arrived \(\w+\)\. Test again\. If it stays like this, check 'Base URL'\.$/;
const WEB_PAGE =
	/^'Base URL' answered with a web page, not with Prospector data\. Check the address\. A login page or proxy may be in front of it\.$/;
const THROTTLED =
	/^The API key has reached its limit of requests per minute \(request \w+\)\. The API key itself was accepted\. Test again in a minute\.$/;

test.each<[string, FaultRule, RegExp]>([
	['a web page', { kind: 'notJson' }, WEB_PAGE],
	['a truncated response', { kind: 'cutBody' }, LOST],
	['status 429', { kind: 'status', status: 429 }, THROTTLED],
])(
	'the credential test sends only one request and shows a specific message when the test gets %s',
	async (_, fault, message) => {
		env.resetService(fault);
		const result = await testCredential();
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		expect(env.journal()).toHaveLength(1);
	},
);

const NO_RUN = "Connected. This API key can't start runs or change Prospector workflows: it";
const NO_READ = 'Connected. This API key can start runs, but not read them and their results: it';
const WITHOUT_ME = ['getMe', 'getConfig'];
const READ: NewKey['scopes'] = ['me.read', 'prospector.read'];
const RUN: NewKey['scopes'] = ['me.read', 'prospector.run'];
const noScope = (scope: string) => `lacks the scope '${scope}'`;

test.each<[string, Omit<NewKey, 'name'>, string, string[]]>([
	['every scope', {}, 'Connected', ['getMe']],
	['only me.read missing', { scopes: ['prospector.read', 'prospector.run'] }, 'Connected', WITHOUT_ME],
	['only prospector.read', { scopes: ['prospector.read'] }, 'Connected', WITHOUT_ME],
	['the read scopes', { scopes: READ }, `${NO_RUN} ${noScope('prospector.run')}`, ['getMe']],
	['a read-only member', { membership: 'read_only' }, `${NO_RUN} belongs to a read-only member`, ['getMe']],
	['me.read and prospector.run', { scopes: RUN }, `${NO_READ} ${noScope('prospector.read')}`, ['getMe']],
])('the credential test accepts an API key with this access: %s', async (_, key, message, requests) => {
	const { secret } = env.control.createKey({ name: `key_${env.control.state().keys.length}`, ...key });
	env.resetService();
	expect(await testCredential(secret)).toEqual({ status: 'OK', message });
	expect(env.operations()).toEqual(requests);
});

test.each([
	['no scopes', []],
	['only me.read', ['me.read']],
	['only prospector.run', ['prospector.run']],
] as const)(
	'the credential test fails and names the missing scopes when the API key has %s',
	async (_, scopes) => {
		const name = `key_${env.control.state().keys.length}`;
		const { secret } = env.control.createKey({ name, scopes: [...scopes] });
		env.resetService();
		const result = await testCredential(secret);
		expect(env.operations()).toEqual(['getMe', 'getConfig']);
		const { requestId } = env.journal()[1];
		expect(result).toEqual({
			status: 'Error',
			message: `The API key is valid, but not allowed to read runs and results (request ${requestId}). It needs the scopes 'prospector.read' and 'prospector.run': with 'prospector.run' alone, it can start runs, but not read them. Ask a workspace admin for such an API key.`,
		});
	},
);
