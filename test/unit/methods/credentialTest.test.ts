import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { BASE, CREDENTIAL_DATA, httpResponse, itemResponse, KEY, listResponse } from '../helpers/support';

const ME = `${BASE}/api/public/v1/me`;
const SETTINGS = `${BASE}/api/public/v1/prospector/config`;

/**
 * Tests a credential as n8n does.
 *
 * @param answers responses or exceptions of n8n's HTTP helper, in the order of the requests
 */
async function testWith(answers: unknown[], ...[data = CREDENTIAL_DATA]: [data?: unknown]) {
	const requests: Array<{ uri: string }> = [];
	const request = async (options: { uri: string }) => {
		const answer = answers[requests.push(options) - 1];
		if (answer === undefined) throw new Error('Too many requests');
		if (answer instanceof Error) throw answer;
		return answer;
	};
	const { status, message } = await new Prospector().methods.credentialTest.prospectorApiTest.call(
		{ helpers: { request } } as unknown as ICredentialTestFunctions,
		{ id: 'c1', name: 'Mine', type: 'prospectorApi', data: data as ICredentialsDecrypted['data'] },
	);
	expect(message).not.toContain(KEY);
	expect(status).toBe(message === 'Connected' ? 'OK' : 'Error');
	return { message, requests, urls: requests.map(({ uri }) => uri) };
}

const thrown = (code?: string) => Object.assign(new Error(`${code} with Bearer ${KEY}`), { code });
const identity = (fields: object) => itemResponse({ id: 'key_1', ...fields });

test('the trigger tests a credential with the same method as the node', () => {
	const { prospectorApiTest } = new Prospector().methods.credentialTest;
	expect(new ProspectorTrigger().methods.credentialTest).toEqual({ prospectorApiTest });
});

test('the credential test sends one identity request and follows no redirect if the API key is valid', async () => {
	const data = { ...CREDENTIAL_DATA, apiKey: ` ${KEY}\n`, showAdvanced: true, requestTimeout: 3600 };
	const { message, requests } = await testWith([identity({})], data);
	expect(message).toBe('Connected');
	expect(requests).toEqual([
		{
			...{ method: 'GET', uri: ME, headers: { Authorization: `Bearer ${KEY}` }, timeout: 20_000, json: true },
			...{ followRedirect: false, simple: false, resolveWithFullResponse: true, useStream: true },
		},
	]);
});

test.each<[unknown, RegExp]>([
	[
		httpResponse(403, { request_id: 'req_2' }),
		/^The API key is valid, .* \(request req_2\)\. The API key needs/,
	],
	[thrown('ECONNREFUSED'), /\(ECONNREFUSED\)/],
	[itemResponse({}), /^Connected$/],
])(
	'the credential test requests the settings if /me is forbidden (response: %j, message: %p)',
	async (answer, message) => {
		const tested = await testWith([httpResponse(403, {}), answer]);
		expect(tested).toMatchObject({ message: expect.stringMatching(message), urls: [ME, SETTINGS] });
	},
);

test.each<[unknown, RegExp]>([
	[httpResponse(401, { request_id: 'req_1' }), /^The API key was not accepted \(request req_1\)\. /],
	[httpResponse(404, {}), /^The Prospector API was not found at 'Base URL'/],
	[identity({ scopes: [], read_only: true }), /^Connected$/],
	[httpResponse(403, '<!doctype html>'), /^Something in front of the service answered \(status 403\)/],
	[
		listResponse([{ scopes: [] }]),
		/^The server at 'Base URL' answered with JSON without the expected 'data'/,
	],
	[
		thrown(),
		/^No complete response arrived\. Try again\. If this continues, check 'Base URL' in the credential\.$/,
	],
	[httpResponse(400, { message: `Bad ${KEY}`, request_id: KEY }), /said: "Bad \[API key\]"\.$/],
	// The text is cut after the key has been removed.
	[httpResponse(400, { message: 'x'.repeat(290) + KEY }), /said: "x+\[API key\]"\.$/],
])('the credential test sends one request if it results in %j', async (answer, message) => {
	const tested = await testWith([answer]);
	expect(tested).toMatchObject({ message: expect.stringMatching(message), urls: [ME] });
});

test.each<[unknown, RegExp]>([
	[{ apiKey: KEY }, /^'Base URL' is empty\. Enter only the address, e\.g\. https:\/\/app\.example\.com\.$/],
	[null, /^'Base URL' is empty/],
])(
	'the credential test sends no request if the credential has the invalid data %j',
	async (data, message) => {
		expect(await testWith([], data)).toMatchObject({ message: expect.stringMatching(message), urls: [] });
	},
);
