import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { BASE, CREDENTIAL_DATA, httpResponse, itemResponse, KEY } from '../helpers/support';

/** Tests a credential as n8n does, with one response or exception of its HTTP helper. */
async function testWith(answer: unknown, data: unknown) {
	const requests: unknown[] = [];
	const request = async (options: unknown) => {
		requests.push(options);
		if (answer instanceof Error) throw answer;
		return answer;
	};
	const { prospectorApiTest } = new Prospector().methods?.credentialTest ?? {};
	const { status, message } = await prospectorApiTest.call(
		{ helpers: { request } } as unknown as ICredentialTestFunctions,
		{ id: 'c1', name: 'Mine', type: 'prospectorApi', data: data as ICredentialsDecrypted['data'] },
	);
	expect(message).not.toContain(KEY);
	return { status, message, requests };
}

const thrown = (code?: string) => Object.assign(new Error(`${code} with Bearer ${KEY}`), { code });
const PAGE_URL = { ...CREDENTIAL_DATA, showAdvanced: true, runPageUrl: `${BASE}/runs` };

test('the credential test reads the identity of the key, once and without following a redirect', async () => {
	const answer = itemResponse({ id: 'me' });
	expect(await testWith(answer, { ...CREDENTIAL_DATA, apiKey: ` ${KEY}\n` })).toEqual({
		status: 'OK',
		message: 'Connected',
		requests: [
			{
				method: 'GET',
				uri: `${BASE}/api/public/v1/me`,
				headers: { Authorization: `Bearer ${KEY}` },
				timeout: 20_000,
				json: true,
				followRedirect: false,
				simple: false,
				resolveWithFullResponse: true,
				useStream: true,
			},
		],
	});
});

test.each<[string, unknown, string, object?]>([
	['a refused key, before page URLs', httpResponse(401, {}), 'The API key was not accepted. It is', PAGE_URL],
	['a missing scope', httpResponse(403, {}), "The API key is good, but it lacks the scope 'me.read'"],
	['a web page', httpResponse(200, '<!doctype html>'), 'The address answered with a web page instead of'],
	[
		'a closed port',
		thrown('ECONNREFUSED'),
		'The service could not be reached. Nothing was sent (ECONNREFUSED)',
	],
	['a timeout', thrown('ETIMEDOUT'), 'The service did not answer in time. Test again. If it stays like this'],
	[
		'an exception without a code',
		thrown(),
		'The connection ended before the service answered. It broke off with',
	],
	[
		'a refusal that repeats the key',
		httpResponse(400, { message: `Bad ${KEY}`, request_id: KEY }),
		'The service did not accept the request: status 400 (request [API key]).',
	],
	[
		'a page URL that can not be used',
		itemResponse({}),
		"Connected, but 'Run Page URL' of the credential does not hold {run_id}. Enter the address of such a page with {run_id} in place of the ID, e.g. https://app.example.com/runs/{run_id}. Until then, the node's list shows no links.",
		PAGE_URL,
	],
])('the credential test explains %s', async (_, answer, message, data = CREDENTIAL_DATA) => {
	const result = await testWith(answer, data);
	expect(result.status).toBe('Error');
	expect(result.message.slice(0, message.length)).toBe(message);
	expect(result.message).toMatch(/[^.]\.$/);
});

const NO_BASE_URL =
	"The credential has no 'Base URL'. Put the address of your workspace into 'Base URL' of the credential, e.g. https://app.example.com.";
const NO_KEY =
	"The credential has no 'API Key'. Paste the key that your workspace issued into 'API Key' of the credential.";
test.each<[unknown, string]>([
	[{ apiKey: KEY }, NO_BASE_URL],
	[{ ...CREDENTIAL_DATA, apiKey: '' }, NO_KEY],
	[undefined, NO_BASE_URL],
	[null, NO_BASE_URL],
])('the credential test sends nothing with %j', async (data, message) => {
	expect(await testWith(itemResponse({}), data)).toEqual({ status: 'Error', message, requests: [] });
});
