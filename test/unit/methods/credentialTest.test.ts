import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';
import { prospectorApiTest } from '../../../nodes/Prospector/methods/credentialTest';
import { BASE, CREDENTIAL_DATA, httpResponse, KEY, itemResponse } from '../helpers/support';

async function testWith(answer: unknown, data: ICredentialsDecrypted['data'] = CREDENTIAL_DATA) {
	const requests: unknown[] = [];
	const request = async (options: unknown) => {
		requests.push(options);
		if (answer instanceof Error) throw answer;
		return answer;
	};
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const credential = { id: 'c1', name: 'Mine', type: 'prospectorApi', data };
	return { result: await prospectorApiTest.call(context, credential), requests };
}

const thrown = (code: string) => Object.assign(new Error(`connect ${code} with Bearer ${KEY}`), { code });

describe('the test of a credential', () => {
	test('says that it is connected', async () => {
		const { result, requests } = await testWith(itemResponse({ id: 'me' }));
		expect(result).toEqual({ status: 'OK', message: 'Connected' });
		expect(requests).toEqual([
			{
				useStream: true,
				method: 'GET',
				uri: `${BASE}/api/public/v1/me`,
				headers: { Authorization: `Bearer ${KEY}` },
				timeout: 20_000,
				json: true,
				followRedirect: false,
				simple: false,
				resolveWithFullResponse: true,
			},
		]);
	});

	test('sends the key without the white space around it, as the node does', async () => {
		const { requests } = await testWith(itemResponse({}), { ...CREDENTIAL_DATA, apiKey: ` ${KEY}\n` });
		expect(requests).toMatchObject([{ headers: { Authorization: `Bearer ${KEY}` } }]);
	});

	test('says that it is connected, and why there are no links', async () => {
		const data = { ...CREDENTIAL_DATA, showAdvanced: true, runPageUrl: 'https://app.example.com/runs' };
		const { result } = await testWith(itemResponse({ id: 'me' }), data);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(
			/^Connected, but 'Run Page URL' of the credential does not hold \{run_id\}\. Enter .*no links\.$/,
		);
	});

	test('speaks of the links only when all else is well', async () => {
		const data = { ...CREDENTIAL_DATA, showAdvanced: true, runPageUrl: 'nowhere' };
		const { result } = await testWith(httpResponse(401, ''), data);
		expect(result.message).toMatch(/^The API key was not accepted\./);
	});

	const id = { request_id: 'req_1' };
	test.each([
		[
			'401',
			httpResponse(401, id),
			/^The API key was not accepted \(request req_1\)\..*revoked.*'API Key'\.$/,
		],
		[
			'403',
			httpResponse(403, id),
			/'me\.read'.*'prospector\.read' and 'prospector\.run'.*can save this credential/,
		],
		['403 from a proxy', httpResponse(403, '<html>Forbidden</html>'), /^The address refused the request\./],
		['404', httpResponse(404, id), /'Base URL' is the address of the Prospector API\.$/],
		['429', httpResponse(429, id), /this minute are used up.*The key itself was accepted\. Wait a minute/],
		['500', httpResponse(500, id), /had trouble with the request: status 500 \(request req_1\)/],
		[
			'302',
			httpResponse(302, '', { location: 'https://evil.example/x' }),
			/redirect to https:\/\/evil\.example,/,
		],
		[
			'a web page',
			httpResponse(200, '<!doctype html>'),
			/answered with a web page instead of Prospector data/,
		],
		['nothing', httpResponse(200, ''), /answered with nothing/],
		['broken JSON', httpResponse(200, '{"data":'), /JSON that breaks off or is malformed/],
		[
			'a refused connection',
			thrown('ECONNREFUSED'),
			/could not be reached\. Nothing was sent \(ECONNREFUSED\)/,
		],
		['an unknown host', thrown('ENOTFOUND'), /could not be reached\. Nothing was sent \(ENOTFOUND\)/],
		['a timeout', thrown('ETIMEDOUT'), /did not answer in time/],
		['an expired certificate', thrown('CERT_HAS_EXPIRED'), /No secure connection/],
		[
			'an exception without a code',
			new Error(`Bearer ${KEY}`),
			/connection ended before the service answered/,
		],
	])('explains %s in words, without the key', async (_, answer, words) => {
		const { result } = await testWith(answer);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(words);
		expect(result.message).not.toContain(KEY);
		expect(result.message).toMatch(/[^.]\.$/);
		expect(result.message).not.toMatch(/\b(error|problem|failure|mistake)\b|undefined|cancell?ed/i);
	});

	test('does not show the key where the service quotes it', async () => {
		const { result } = await testWith(httpResponse(400, { message: `Bad ${KEY}`, request_id: KEY }));
		expect(result.message).not.toContain(KEY);
		expect(result.message).toContain('Bad [API key]');
	});

	test.each([
		['nothing in it', undefined, "The credential has no 'Base URL'"],
		['no address', { apiKey: KEY }, "The credential has no 'Base URL'"],
		['no key', { apiKey: '', baseUrl: BASE }, "The credential has no 'API Key'"],
		['a key with spaces', { apiKey: `Bearer ${KEY}`, baseUrl: BASE }, "'API Key' of the credential holds"],
		['unencrypted HTTP', { apiKey: KEY, baseUrl: 'http://app.example.com' }, 'uses http://'],
	])('asks nobody with %s', async (_, data, words) => {
		const { result, requests } = await (data === undefined
			? testWith(itemResponse({}), null as never)
			: testWith(itemResponse({}), data));
		expect(requests).toEqual([]);
		expect(result).toMatchObject({ status: 'Error' });
		expect(result.message).toContain(words);
		expect(result.message).not.toContain(KEY);
	});

	test.each([
		['an Options section, which a credential has not', thrown('ETIMEDOUT'), 'Options'],
		['the fields of a node', httpResponse(400, ''), 'this node'],
	])('does not send a person to %s', async (_, answer, words) => {
		expect((await testWith(answer)).result.message).not.toContain(words);
	});
});
