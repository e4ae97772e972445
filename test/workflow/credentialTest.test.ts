import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import type { FaultRule, ReadyMadeKeys } from '../../sandbox/types';
import { PROSPECTOR, startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
beforeEach(() => bench.prepare());
afterAll(async () => await bench.close());

/** What n8n does when a person saves a credential or presses Retry. */
async function test(data: ICredentialDataDecryptedObject = {}): Promise<INodeCredentialTestResult> {
	const { baseUrl, keys } = bench.sandbox;
	const { methods, description } = bench.nodeTypes.getByNameAndVersion(PROSPECTOR);
	const { testedBy } = description.credentials?.[0] ?? {};
	const found = methods?.credentialTest?.[testedBy as string];
	const credential = { id: '1', name: 'Prospector account', type: 'prospectorApi' };
	const result = await found?.call(new CredentialTestContext(), {
		...credential,
		data: { apiKey: keys.full, baseUrl, ...data },
	});
	return result as INodeCredentialTestResult;
}

it.each<[keyof ReadyMadeKeys, string, RegExp]>([
	['full', 'OK', /^Connected$/],
	['readOnlyScope', 'OK', /^Connected$/],
	['readOnlyMembership', 'OK', /^Connected$/],
	[
		'noMeRead',
		'Error',
		/^The API key is good, but it lacks the scope 'me\.read'.*You can save this credential as it is\.$/,
	],
	[
		'revoked',
		'Error',
		/^The API key was not accepted \(request req_\w+\)\. .*revoked or expired.*Paste a current key/,
	],
	[
		'expired',
		'Error',
		/^The API key was not accepted \(request req_\w+\)\. .*revoked or expired.*Paste a current key/,
	],
])('The key %s gives %s', async (key, status, message) => {
	expect(await test({ apiKey: bench.sandbox.keys[key] })).toEqual({
		status,
		message: expect.stringMatching(message),
	});
	expect(bench.sandbox.control.journal()).toEqual([
		expect.objectContaining({
			method: 'GET',
			path: '/api/public/v1/me',
			query: {},
			body: null,
			hasAuthorization: true,
		}),
	]);
});

it.each<[string, FaultRule, RegExp]>([
	[
		'a web page',
		{ kind: 'notJson' },
		/^The address answered with a web page instead of Prospector data\. Check that 'Base URL'/,
	],
	[
		'text',
		{ kind: 'notJson', body: 'OK' },
		/^The address answered with plain text instead of Prospector data/,
	],
	['other JSON', { kind: 'notEnvelope' }, /^The address answered with JSON without 'data' that is an object/],
	['nothing', { kind: 'notJson', body: '' }, /^The address answered with nothing/],
	[
		'a redirect',
		{ kind: 'redirect', location: 'https://sso.example/' },
		/leads to a redirect to https:\/\/sso\.example, which/,
	],
	['half an answer', { kind: 'cutBody' }, /^The service's answer broke off half-way\. Test again/],
	['a dropped connection', { kind: 'drop' }, /^The connection ended before the service answered\. /],
	[
		'status 404',
		{ kind: 'status', status: 404 },
		/^Nothing was found below 'Base URL' at '\/api\/public\/v1\/me' \(request req_\w+\)\. Check that 'Base URL'/,
	],
	[
		'status 429',
		{ kind: 'status', status: 429 },
		/used up \(request req_\w+\)\. The key itself was accepted\. Wait a minute and test again\.$/,
	],
	['status 500', { kind: 'status', status: 500 }, /^The service had trouble with the request: status 500/],
])('A service that answers with %s gives an error in words', async (_, fault, message) => {
	bench.prepare(fault);
	const result = await test();
	expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	expect(result.message).toMatch(/[^.]\.$/);
	expect(bench.sandbox.control.journal()).toHaveLength(1);
});

it.each<[string, ICredentialDataDecryptedObject, string]>([
	['no API key', { apiKey: '' }, "The credential has no 'API Key'."],
	['the word Bearer in the API key', { apiKey: 'Bearer abc' }, "'API Key' of the credential holds spaces"],
	['no Base URL', { baseUrl: '' }, "The credential has no 'Base URL'."],
	[
		'a Base URL that is none',
		{ baseUrl: 'app.example.com' },
		"'Base URL' of the credential is not a web address.",
	],
	[
		'plain http to another machine',
		{ baseUrl: 'http://app.example.com' },
		'uses http://, which would send the API key unencrypted.',
	],
])('A credential with %s is refused before anything is sent', async (_, data, message) => {
	expect(await test(data)).toEqual({ status: 'Error', message: expect.stringContaining(message) });
	expect(bench.sandbox.control.journal()).toEqual([]);
});

it('A port on which nobody listens is told from a service that was reached', async () => {
	const gone = await startEnvironment();
	await gone.close();
	const { status, message } = await test({ baseUrl: gone.sandbox.baseUrl });
	expect(status).toBe('Error');
	expect(message).toBe(
		"The service could not be reached. Nothing was sent (ECONNREFUSED). Check 'Base URL' of the credential and the network of this n8n, then retry.",
	);
});

it('The API key is not in any of these words', async () => {
	const { full } = bench.sandbox.keys;
	for (const body of [full, { error: { message: `Bad key ${full}` }, request_id: full }]) {
		bench.prepare({ kind: 'status', status: 400, body });
		const { status, message } = await test();
		expect(status).toBe('Error');
		expect(message).toContain('[API key]');
		expect(message).not.toContain(full);
	}
});
