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
async function testWith(answers: unknown[], ...given: [data?: unknown]) {
	const data = given.length > 0 ? given[0] : CREDENTIAL_DATA;
	const requests: Array<{ uri: string }> = [];
	const request = async (options: { uri: string }) => {
		const answer = answers[requests.push(options) - 1];
		if (answer === undefined) throw new Error('Too many requests');
		if (answer instanceof Error) throw answer;
		return answer;
	};
	const { prospectorApiTest } = new Prospector().methods?.credentialTest ?? {};
	const { status, message } = await prospectorApiTest.call(
		{ helpers: { request } } as unknown as ICredentialTestFunctions,
		{ id: 'c1', name: 'Mine', type: 'prospectorApi', data: data as ICredentialsDecrypted['data'] },
	);
	expect(message).not.toContain(KEY);
	return { status, message, requests, urls: requests.map(({ uri }) => uri) };
}

const thrown = (code?: string) => Object.assign(new Error(`${code} with Bearer ${KEY}`), { code });
const PAGE_URL = { ...CREDENTIAL_DATA, showAdvanced: true, runPageUrl: `${BASE}/runs` };
const identity = (fields: object) => itemResponse({ id: 'key_1', ...fields });
const settings = itemResponse({ id: 'config_1', timezone: 'UTC' });
const forbidden = httpResponse(403, {});

test('the node and the trigger test a credential alike', () => {
	const [ofNode, ofTrigger] = [new Prospector(), new ProspectorTrigger()].map(
		({ methods }) => (methods as Prospector['methods'])?.credentialTest?.prospectorApiTest,
	);
	expect(ofNode).toBeInstanceOf(Function);
	expect(ofTrigger).toBe(ofNode);
});

test('the credential test reads the identity of the key, once and without following a redirect', async () => {
	const data = { ...CREDENTIAL_DATA, apiKey: ` ${KEY}\n`, showAdvanced: true, requestTimeout: 3600 };
	const { status, message, requests } = await testWith([identity({})], data);
	expect({ status, message }).toEqual({ status: 'OK', message: 'Connected' });
	expect(requests).toEqual([
		{
			method: 'GET',
			uri: ME,
			headers: { Authorization: `Bearer ${KEY}` },
			timeout: 20_000,
			json: true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			useStream: true,
		},
	]);
});

const READ = 'prospector.read';
const RUN = 'prospector.run';
const NO_WRITES = "Connected. This API key can't start runs or change Prospector workflows: it";
const NO_READS =
	"Connected. This API key can't read Prospector workflows, runs and results: it lacks the scope 'prospector.read'";
test.each<[object, string]>([
	[{}, 'Connected'],
	[{ scopes: ['me.read', READ, RUN] }, 'Connected'],
	[{ scopes: `${READ} ${RUN}` }, 'Connected'],
	[{ scopes: ['me.read', READ] }, `${NO_WRITES} lacks the scope 'prospector.run'`],
	[{ api_key: { scopes: [READ] } }, `${NO_WRITES} lacks the scope 'prospector.run'`],
	[{ scopes: [RUN] }, NO_READS],
	[{ scopes: [READ, RUN], read_only: true }, `${NO_WRITES} belongs to a read-only member`],
	[{ membership: { role: 'read_only' } }, `${NO_WRITES} belongs to a read-only member`],
])(
	'the credential test is green with the identity %j, and says what the key lacks',
	async (fields, message) => {
		expect(await testWith([identity(fields)])).toMatchObject({ status: 'OK', message, urls: [ME] });
	},
);

describe('a key that may not read its identity, or lists no scope of Prospector', () => {
	const firsts: Array<[string, unknown]> = [
		['is refused', forbidden],
		['is refused by a web server', httpResponse(403, '<!doctype html>')],
		['lists other scopes', identity({ scopes: ['me.read', 'crm.read'] })],
		['lists no scope', identity({ scopes: [] })],
		['lists other scopes, and is read-only', identity({ scopes: ['crm.read'], read_only: true })],
	];

	test.each(firsts)('is connected if it may read the prospecting settings (%s)', async (_, first) => {
		const { status, message, requests, urls } = await testWith([first, settings]);
		expect({ status, message, urls }).toEqual({
			status: 'OK',
			message: 'Connected',
			urls: [ME, SETTINGS],
		});
		expect(requests[1]).toEqual({ ...requests[0], uri: SETTINGS });
	});

	test.each(firsts)('is not connected if it is refused again (%s)', async (_, first) => {
		const answer = httpResponse(403, { request_id: 'req_2' });
		expect(await testWith([first, answer])).toMatchObject({
			status: 'Error',
			message:
				"The API key is valid, but not allowed to use Prospector (request req_2). It needs the scopes 'prospector.read' and 'prospector.run'. Ask a workspace admin for such an API key.",
			urls: [ME, SETTINGS],
		});
	});

	test.each<[string, unknown, string]>([
		[
			'a web page with status 403',
			httpResponse(403, '<html>'),
			"'Base URL' refused the request. Check 'Base URL'.",
		],
		[
			'status 404',
			httpResponse(404, {}),
			"The Prospector API was not found at 'Base URL'. Check 'Base URL'.",
		],
		[
			'status 401',
			httpResponse(401, {}),
			"The API key was not accepted. It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key', then test again.",
		],
		[
			'a lost connection',
			thrown('ECONNREFUSED'),
			"The service could not be reached. Nothing was sent (ECONNREFUSED). Check 'Base URL' and n8n's network, then test again.",
		],
	])('is not connected, with the reason, after %s', async (_, answer, message) => {
		expect(await testWith([forbidden, answer])).toMatchObject({ status: 'Error', message });
	});

	test('is connected without links if a page URL can not be used', async () => {
		const { status, message } = await testWith([forbidden, settings], PAGE_URL);
		expect(status).toBe('Error');
		expect(message).toMatch(/^Connected, but 'Run Page URL' lacks \{run_id\}\. /);
	});
});

test.each<[string, unknown, string]>([
	[
		'a refused key',
		httpResponse(401, { request_id: 'req_1' }),
		"The API key was not accepted (request req_1). It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key', then test again.",
	],
	[
		'a web page',
		httpResponse(200, '<!doctype html>'),
		"'Base URL' answered with a web page, not with Prospector data. Check the address. A login page or proxy may be in front of it.",
	],
	[
		'a list in place of the identity',
		listResponse([{ scopes: [READ] }]),
		"'Base URL' answered with JSON whose 'data' is not an object, not with Prospector data (request req_1). Check the address. A login page or proxy may be in front of it.",
	],
	[
		'a closed port',
		thrown('ECONNREFUSED'),
		"The service could not be reached. Nothing was sent (ECONNREFUSED). Check 'Base URL' and n8n's network, then test again.",
	],
	[
		'a timeout',
		thrown('ETIMEDOUT'),
		"The service did not answer in time. Test again. If it stays like this, check 'Base URL'.",
	],
	[
		'the rate limit',
		httpResponse(429, {}),
		'The API key has reached its limit of requests per minute. The API key itself was accepted. Test again in a minute.',
	],
	[
		'a service that is down',
		httpResponse(503, {}),
		'The service answered with status 503. Test again in a few minutes.',
	],
	[
		'a redirect',
		httpResponse(302, '', { location: 'https://login.example/x' }),
		"'Base URL' redirects to https://login.example. The API key is not sent there. If you trust that address, enter it in 'Base URL'.",
	],
	[
		'a refusal that repeats the key',
		httpResponse(400, { message: `Bad ${KEY}`, request_id: KEY }),
		'The service did not accept the request (status 400, request [API key]). Check \'Base URL\', then test again. The service said: "Bad [API key]".',
	],
])('the credential test explains %s, before page URLs', async (_, answer, message) => {
	for (const data of [CREDENTIAL_DATA, PAGE_URL]) {
		expect(await testWith([answer], data)).toMatchObject({ status: 'Error', message, urls: [ME] });
	}
});

test('the credential test explains a page URL that can not be used', async () => {
	expect(await testWith([identity({})], PAGE_URL)).toMatchObject({
		status: 'Error',
		message:
			"Connected, but 'Run Page URL' lacks {run_id}. Enter the address of such a page with {run_id} in place of the ID, e.g. https://app.example.com/runs/{run_id}. Until then, the node's list shows no links.",
		urls: [ME],
	});
});

test('the credential test explains an exception without a code', async () => {
	const { status, message } = await testWith([thrown()]);
	expect(status).toBe('Error');
	expect(message).toBe('The connection was lost before the response arrived (UNKNOWN). Test again.');
});

const EXAMPLE = 'Enter only the address, e.g. https://app.example.com.';
const NO_BASE_URL = `'Base URL' is empty. ${EXAMPLE}`;
test.each<[unknown, string]>([
	[{ apiKey: KEY }, NO_BASE_URL],
	[
		{ ...CREDENTIAL_DATA, apiKey: '' },
		"'API Key' is empty. Paste the API key of your workspace into the credential.",
	],
	[
		{ ...CREDENTIAL_DATA, showAdvanced: true, requestTimeout: 0 },
		"'Request Timeout (Seconds)' must be a whole number from 1 to 3600. Enter such a number in 'Request Timeout (Seconds)'. An expression must return one.",
	],
	[undefined, NO_BASE_URL],
	[null, NO_BASE_URL],
])('the credential test sends nothing with %j', async (data, message) => {
	expect(await testWith([], data)).toEqual({ status: 'Error', message, requests: [], urls: [] });
});
