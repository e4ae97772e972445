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
	return { status, message, requests, urls: requests.map(({ uri }) => uri) };
}

const thrown = (code?: string) => Object.assign(new Error(`${code} with Bearer ${KEY}`), { code });
const identity = (fields: object) => itemResponse({ id: 'key_1', ...fields });
const forbidden = httpResponse(403, {});

test("the credential test shows no part of the API key even if the service's text is cut in the middle of the API key", async () => {
	const { message } = await testWith([httpResponse(400, { message: 'x'.repeat(290) + KEY })]);
	expect(message).not.toContain(KEY.slice(0, 6));
});

test('the trigger tests a credential with the same method as the node', () => {
	const { prospectorApiTest } = new Prospector().methods.credentialTest;
	expect(new ProspectorTrigger().methods.credentialTest).toEqual({ prospectorApiTest });
});

test('the credential test sends one identity request and follows no redirect if the API key is valid', async () => {
	const data = { ...CREDENTIAL_DATA, apiKey: ` ${KEY}\n`, showAdvanced: true, requestTimeout: 3600 };
	const { status, message, requests } = await testWith([identity({})], data);
	expect({ status, message }).toEqual({ status: 'OK', message: 'Connected' });
	expect(requests).toEqual([
		{
			...{ method: 'GET', uri: ME, headers: { Authorization: `Bearer ${KEY}` }, timeout: 20_000, json: true },
			...{ followRedirect: false, simple: false, resolveWithFullResponse: true, useStream: true },
		},
	]);
});

const withoutAccess = [
	forbidden,
	httpResponse(403, '<!doctype html>'),
	identity({ scopes: ['me.read', 'crm.read'] }),
	identity({ scopes: ['crm.read'], read_only: true }),
];

test.each<[string, unknown, RegExp]>([
	['OK', identity({}), /^Connected$/],
	[
		'Error',
		httpResponse(403, { request_id: 'req_2' }),
		/^The API key is valid, .* \(request req_2\)\. It needs/,
	],
	[
		'Error',
		httpResponse(403, '<html>'),
		/^'Base URL' refused the request\. Check 'Base URL' in the credential\.$/,
	],
	['Error', thrown('ECONNREFUSED'), /\(ECONNREFUSED\)/],
])(
	'the credential test has the status %s if /me shows no access and the request for the settings gives %j',
	async (status, answer, message) => {
		for (const first of withoutAccess) {
			expect(await testWith([first, answer])).toMatchObject({
				...{ status, message: expect.stringMatching(message) as unknown, urls: [ME, SETTINGS] },
			});
		}
	},
);

test.each<[string, unknown, RegExp]>([
	['Error', httpResponse(401, { request_id: 'req_1' }), /^The API key was not accepted \(request req_1\)\. /],
	['Error', listResponse([{ scopes: [] }]), /^'Base URL' answered with JSON without the expected 'data'/],
	[
		'Error',
		thrown(),
		/\(UNKNOWN\)\. Nothing .* Try again\. If it stays like this, check 'Base URL' in the credential\.$/,
	],
	[
		'Error',
		httpResponse(503, {}),
		/^The service answered with status 503\. Nothing was changed\. Try again in a few minutes\.$/,
	],
	['Error', httpResponse(302, '', { location: 'https://a.example/x' }), /https:\/\/a\.example\. The API key/],
	['Error', httpResponse(400, { message: `Bad ${KEY}`, request_id: KEY }), /said: "Bad \[API key\]"\.$/],
])(
	'the credential test reports the status %s after one request if the identity request results in %j',
	async (...row) => {
		const [status, answer, message] = row;
		expect(await testWith([answer])).toMatchObject({
			...{ status, message: expect.stringMatching(message) as unknown, urls: [ME] },
		});
	},
);

test.each<[unknown, RegExp]>([
	[{ apiKey: KEY }, /^'Base URL' is empty\. Enter only the address, e\.g\. https:\/\/app\.example\.com\.$/],
	[{ ...CREDENTIAL_DATA, apiKey: '' }, /^'API Key' is empty\. Paste the API key/],
	[{ ...CREDENTIAL_DATA, showAdvanced: true, requestTimeout: 0 }, /^'Request Timeout \(Seconds\)' must be/],
	[null, /^'Base URL' is empty/],
])(
	'the credential test sends no request if the credential has the invalid data %j',
	async (data, message) => {
		const expected = { status: 'Error', message: expect.stringMatching(message) as unknown };
		expect(await testWith([], data)).toEqual({ ...expected, requests: [], urls: [] });
	},
);
