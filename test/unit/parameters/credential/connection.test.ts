import { parseBaseUrl, parseConnection } from '../../../../nodes/Prospector/parameters/credential/connection';
import { parsePageUrls } from '../../../../nodes/Prospector/parameters/credential/pageUrls';
import {
	BASE,
	CONNECTION,
	CREDENTIAL_DATA,
	executeNode,
	expectError,
	httpResponse,
	KEY,
	listResponse,
} from '../../helpers/support';

const EXAMPLE = 'Enter only the address, e.g. https://app.example.com';

describe('parseBaseUrl', () => {
	test.each([
		[BASE, BASE],
		[`  ${BASE}\n`, BASE],
		// Copied from a web page.
		[`\u00a0${BASE}\u00a0`, BASE],
		[`${BASE}///`, BASE],
		[`${BASE}:443/`, BASE],
		[`${BASE}:8443`, `${BASE}:8443`],
		['HTTPS://App.Example.COM', BASE],
		[`${BASE}/api/public/v1`, BASE],
		[`${BASE}/api/public/v1/prospector/runs/run_1`, BASE],
		[`${BASE}/tenant-a/`, `${BASE}/tenant-a`],
		[`${BASE}/tenant-a/api/public/v1/`, `${BASE}/tenant-a`],
		[`${BASE}/api/public/v10`, `${BASE}/api/public/v10`],
		[`${BASE}//evil.example`, `${BASE}//evil.example`],
		[`${BASE}\\@evil.example`, `${BASE}/@evil.example`],
		[`${BASE}/a/../%2e%2e/..`, BASE],
		['https://app.exa\r\nmple.com', BASE],
		[`${BASE}/%0d%0aX-Evil:1`, `${BASE}/%0d%0aX-Evil:1`],
		['https://\u0430pp.example.com', 'https://xn--pp-6kc.example.com'],
		['http://localhost:3000', 'http://localhost:3000'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['http://127.100.200.3', 'http://127.100.200.3'],
		['http://2130706433', 'http://127.0.0.1'],
		['http://0x7f.1', 'http://127.0.0.1'],
		['http://[::1]:3000/', 'http://[::1]:3000'],
	])('returns for %j: %s', (text, expected) => {
		expect(parseBaseUrl(text, false)).toBe(expected);
	});

	test.each<[string, string, unknown[]]>([
		["'Base URL' is empty", EXAMPLE, ['', '   ', undefined, null, 42, true, { href: BASE }, [BASE]]],
		[
			"'Base URL' is not a web address",
			EXAMPLE,
			[
				...['app.example.com', 'https://', '//app.example.com', 'https://app example.com', 'https://[::1'],
				...[`${BASE}:99999`, 'https://app\u0000.example.com', 'x'.repeat(100_000)],
			],
		],
		[
			"'Base URL' does not start with https://",
			EXAMPLE,
			[
				...['localhost:3000', 'ftp://app.example.com', 'javascript:alert(1)', 'file:///etc/hosts'],
				...['data:text/html,x', 'ws://app.example.com', `blob:${BASE}/1`],
			],
		],
		[
			"'Base URL' has a user name or password in it",
			"Remove everything up to the @. The API key belongs in 'API Key'",
			[`${BASE}@evil.example`, 'https://:word@app.example.com', 'http://127.0.0.1@evil.example'],
		],
		[
			"'Base URL' has a ? or # in it",
			EXAMPLE,
			[`${BASE}?next=https://evil.example`, `${BASE}/#/login`, `${BASE}#@evil.example`],
		],
	])('throws "%s"', async (message, description, texts) => {
		for (const text of texts) {
			for (const allowHttp of [false, true]) {
				expect(await expectError(() => parseBaseUrl(text, allowHttp))).toEqual({ message, description });
			}
		}
	});

	test.each([
		...['app.example.com', '192.168.1.10:3000', '3232235777', '0.0.0.0', '169.254.169.254'],
		...['localhost.example.com', 'evil-localhost', 'localhost.', '127.0.0.1.evil.com', '127.0.0.1-evil.com'],
		...['[::]', '[::ffff:127.0.0.1]', '[fe80::1]', 'xlocalhost', '127.com', '127.0.0.1.1.evil'],
	])('rejects http://%s unless the credential allows unencrypted HTTP', async (host) => {
		const url = `http://${host}`;
		expect(await expectError(() => parseBaseUrl(url, false))).toEqual({
			message: "'Base URL' starts with http://",
			description:
				"Use https://, or turn on 'Allow Unencrypted HTTP' in the advanced settings if the service is in your own network",
		});
		expect(parseBaseUrl(url, true)).toBe(new URL(url).origin);
	});
});

test('a retry is logged with the name of the node', async () => {
	const { log } = await executeNode({
		operation: 'workflow.getAll',
		parameters: { options: { retryFor: 60 } },
		answers: [httpResponse(503, ''), listResponse([])],
	});
	expect(log).toEqual([expect.stringMatching(/^Prospector: .*503.*/)]);
});

describe('parseConnection', () => {
	const parse = (data: object) => parseConnection({ ...CREDENTIAL_DATA, ...data } as never);
	const renamed = { cursorParameter: 'after', pageSizeParameter: 'per_page' };
	const notText = Object.create(null) as object;

	test.each<[string, object, object]>([
		['an API key and a base URL', {}, {}],
		['white space around the key', { apiKey: `\n ${KEY}\t` }, {}],
		['a trailing slash', { baseUrl: `${BASE}/` }, {}],
		['advanced settings', { showAdvanced: true, ...renamed }, renamed],
		['hidden advanced settings', { showAdvanced: false, ...renamed, requestTimeout: 'hidden' }, {}],
		['a request timeout that is not shown', { requestTimeout: 5 }, {}],
		['the shortest request timeout', { showAdvanced: true, requestTimeout: 1 }, { timeout: 1000 }],
		['the longest request timeout', { showAdvanced: true, requestTimeout: '3600' }, { timeout: 3_600_000 }],
		...[undefined, null, ''].map((empty): [string, object, object] => [
			`advanced settings that are ${JSON.stringify(empty)}`,
			{ showAdvanced: true, cursorParameter: empty, pageSizeParameter: empty, requestTimeout: empty },
			{},
		]),
		[
			'advanced settings of white space',
			{ showAdvanced: true, cursorParameter: ' ', pageSizeParameter: '\t' },
			{},
		],
		['advanced settings that are not text', { showAdvanced: true, cursorParameter: notText }, {}],
		[
			'white space around settings',
			{ showAdvanced: true, cursorParameter: ' a ', pageSizeParameter: ' b ' },
			{ cursorParameter: 'a', pageSizeParameter: 'b' },
		],
		[
			'unencrypted HTTP that is allowed',
			{ showAdvanced: true, allowHttp: true, baseUrl: 'http://intranet' },
			{ baseUrl: 'http://intranet' },
		],
		['the longest key', { apiKey: 'k'.repeat(2048) }, { apiKey: 'k'.repeat(2048) }],
		['all characters of keys', { apiKey: '!~"\'`~!' }, { apiKey: '!~"\'`~!' }],
	])('returns a connection for %s', (_, data, expected) => {
		expect(parse(data)).toEqual({ ...CONNECTION, ...expected });
	});

	const PASTE = 'Paste only the API key, without the word Bearer';
	test.each<[string, string, unknown[]]>([
		[
			"'API Key' is empty",
			'Paste the API key of your workspace into the credential',
			['', ' \n', undefined, null, 12345, true, { key: KEY }, [KEY]],
		],
		["'API Key' has 2049 characters, which is too many", PASTE, ['k'.repeat(2049)]],
		[
			"'API Key' has a space, quotation mark or line break in it",
			PASTE,
			[
				...[`Bearer ${KEY}`, 'pk_1\npk_2', 'pk_1\r\nX-Evil: 1', '"pk_1"', "'pk_1", 'pk_1`', 'pk_ключ'],
				...['pk_1\u0000', 'pk_1\u007f', 'pk_😀', 'pk_\u200b1', 'pk–1'],
			],
		],
	])('throws "%s"', async (message, description, keys) => {
		for (const apiKey of keys) {
			expect(await expectError(() => parse({ apiKey }))).toEqual({ message, description });
		}
	});

	test.each([0, -1, 3601, 1.5, 'soon', ' ', false, [60], {}])(
		'rejects the request timeout %j',
		async (requestTimeout) => {
			expect(await expectError(() => parse({ showAdvanced: true, requestTimeout }))).toEqual({
				message: "'Request Timeout (Seconds)' must be a whole number from 1 to 3600",
				description: "Enter such a number in 'Request Timeout (Seconds)'. An expression must return one",
			});
		},
	);

	test('says what is wrong with the API key before it reads the request timeout', async () => {
		const { message } = await expectError(() => parse({ apiKey: '', showAdvanced: true, requestTimeout: 0 }));
		expect(message).toBe("'API Key' is empty");
	});

	test.each([
		{ allowHttp: true },
		{ showAdvanced: true },
		{ showAdvanced: true, allowHttp: 'true' },
		{ showAdvanced: 'true', allowHttp: true },
	])('does not allow unencrypted HTTP for %j', async (settings) => {
		const { message } = await expectError(() => parse({ baseUrl: 'http://intranet', ...settings }));
		expect(message).toBe("'Base URL' starts with http://");
	});
});

describe('parsePageUrls', () => {
	const WORKFLOW = `${BASE}/w/{workflow_id}`;
	const RUN = `${BASE}/w/{workflow_id}?run={run_id}`;
	const parse = (settings: object) => parsePageUrls({ showAdvanced: true, ...settings } as never);

	test.each<[string, object, object]>([
		['none by default', {}, {}],
		['none that is empty', { workflowPageUrl: ' ', runPageUrl: '' }, {}],
		['none that is not text', { runPageUrl: Object.create(null) as object }, {}],
		[
			'those that are set',
			{ workflowPageUrl: ` ${WORKFLOW} `, runPageUrl: RUN },
			{ workflowPageUrl: WORKFLOW, runPageUrl: RUN },
		],
		['none of hidden settings', { showAdvanced: false, workflowPageUrl: WORKFLOW }, {}],
		[
			'plain HTTP',
			{ runPageUrl: 'HTTP://intranet:8080/{run_id}' },
			{ runPageUrl: 'HTTP://intranet:8080/{run_id}' },
		],
	])('returns %s', (_, settings, pageUrls) => {
		expect(parse(settings)).toEqual({ pageUrls });
	});

	test.each([
		[`x${BASE}/{run_id}`, 'is not a web address that starts with https://'],
		['javascript:alert("{run_id}")', 'is not a web address that starts with https://'],
		['https://', 'is not a web address that starts with https://'],
		[`${BASE}/runs`, 'lacks {run_id}'],
		[WORKFLOW, 'lacks {run_id}'],
		[`${BASE}/{id}`, 'has {id} in it, which has no meaning'],
		[`${BASE}/{run_id}/{}`, 'has {} in it, which has no meaning'],
		['https://{run_id}.example.com/{run_id}', 'has more than a host before its first slash'],
		['https://me:secret@app.example.com/{run_id}', 'has more than a host before its first slash'],
		[`${BASE}{run_id}`, 'has more than a host before its first slash'],
	])('returns no URL but an issue for the run page %s', (runPageUrl, flaw) => {
		expect(parse({ runPageUrl, workflowPageUrl: WORKFLOW })).toEqual({
			pageUrls: { workflowPageUrl: WORKFLOW },
			issue: {
				message: `'Run Page URL' ${flaw}`,
				description:
					'Enter the address of such a page with {run_id} in place of the ID, e.g. https://app.example.com/runs/{run_id}',
			},
		});
	});

	test('returns the first issue, and rejects a run ID in the workflow page', () => {
		expect(parse({ runPageUrl: 'nowhere', workflowPageUrl: RUN })).toEqual({
			pageUrls: {},
			issue: {
				message: "'Workflow Page URL' has {run_id} in it, which has no meaning",
				description:
					'Enter the address of such a page with {workflow_id} in place of the ID, e.g. https://app.example.com/workflows/{workflow_id}',
			},
		});
	});
});
