import { parseConnection } from '../../../nodes/Prospector/parameters/parseConnection';
import { BASE, CONNECTION, CREDENTIAL_DATA, expectError, KEY, rowsOf } from '../helpers/support';

const parse = (data: object) => parseConnection({ ...CREDENTIAL_DATA, ...data } as never);
const ALLOW_HTTP = { showAdvanced: true, allowHttp: true };
const EXAMPLE = 'Enter only the address, e.g. https://app.example.com';

test.each([
	...rowsOf([BASE, ` ${BASE}\n`, `\u00a0${BASE}\u00a0`, `${BASE}///`, `${BASE}:443/`], BASE),
	...rowsOf(['HTTPS://App.Example.COM', `${BASE}/api/public/v1`, `${BASE}/a/../%2e%2e/..`], BASE),
	...rowsOf([`${BASE}/api/public/v1/prospector/runs/run_1`, 'https://app.exa\r\nmple.com'], BASE),
	[`${BASE}:8443`, `${BASE}:8443`],
	...rowsOf(['app.example.com', ' App.example.com/', '//app.example.com'], BASE),
	['localhost:3000', 'https://localhost:3000'],
	['https://\u0430pp.example.com', 'https://xn--pp-6kc.example.com'],
	['http://localhost:3000', 'http://localhost:3000'],
	...rowsOf(['http://127.0.0.1', 'http://2130706433', 'http://0x7f.1'], 'http://127.0.0.1'),
	['http://127.100.200.3', 'http://127.100.200.3'],
	['http://[::1]:3000/', 'http://[::1]:3000'],
])(
	'parseConnection turns the Base URL %j into %s if the credential does not allow HTTP',
	(baseUrl, expected) => {
		expect(parse({ baseUrl }).baseUrl).toBe(expected);
	},
);

test.each<[string, string, unknown[]]>([
	['is empty', EXAMPLE, ['', '   ', undefined, null, 42, true, { href: BASE }, [BASE]]],
	[
		'is not a web address with https://',
		EXAMPLE,
		[
			...['https://', 'https://[::1', `${BASE}:99999`, 'a b', 'app.example.com:port'],
			...['ftp://app.example.com', `blob:${BASE}/1`, 'mailto:me@app.example.com'],
		],
	],
	[
		'has more in it than the address',
		'Enter only https://evil.example',
		[`${BASE}@evil.example`, 'https://127.0.0.1@evil.example', 'app.example.com@evil.example/?a'],
	],
	[
		'has more in it than the address',
		`Enter only ${BASE}`,
		[
			...[`${BASE}?next=https://evil.example`, `${BASE}/#/login`, `${BASE}/leads`],
			...[`${BASE}/tenant-a/api/public/v1/`, `${BASE}/api/public/v10`, `${BASE}//evil.example`],
			...[`${BASE}\\@evil.example`, `${BASE}/%0d%0aX-Evil:1`, 'app.example.com/leads?page=2'],
		],
	],
])(
	"parseConnection reports that 'Base URL' %s, whether or not the credential allows HTTP",
	async (event, description, texts) => {
		for (const baseUrl of texts) {
			for (const rest of [{}, ALLOW_HTTP]) {
				const message = `'Base URL' ${event}`;
				expect(await expectError(() => parse({ baseUrl, ...rest }))).toEqual({ message, description });
			}
		}
	},
);

test.each([
	...['app.example.com', '192.168.1.10:3000', '3232235777', '0.0.0.0', '169.254.169.254', 'evil-localhost'],
	...['localhost.example.com', 'localhost.', '127.0.0.1.evil.com', '[::]', '[::ffff:127.0.0.1]', '127.com'],
])('Base URL http://%s is rejected unless the advanced settings allow HTTP', async (host) => {
	const baseUrl = `http://${host}`;
	for (const rest of [
		...[{}, { allowHttp: true }, { showAdvanced: true }, { showAdvanced: true, allowHttp: 'true' }],
		{ showAdvanced: 'true', allowHttp: true },
	]) {
		expect(await expectError(() => parse({ baseUrl, ...rest }))).toEqual({
			message: "'Base URL' starts with http://",
			description:
				"Use https://, or turn on 'Allow Unencrypted HTTP' in the advanced settings if the service is in your own network",
		});
	}
	expect(parse({ baseUrl, ...ALLOW_HTTP }).baseUrl).toBe(new URL(baseUrl).origin);
});

test.each([
	['of 2,048 characters', 'k'.repeat(2048), 'k'.repeat(2048)],
	['with special characters', `~"${KEY}'~!`, `~"${KEY}'~!`],
])('parseConnection accepts an API key %s', (_, given, apiKey) => {
	expect(parse({ apiKey: given }).apiKey).toBe(apiKey);
});

const PASTE = 'Paste only the API key, without the word Bearer';
test.each<[string, string, unknown[]]>([
	[
		'is empty',
		'Paste the API key of your workspace into the credential',
		['', ' \n', undefined, null, 12345, true, { key: KEY }, [KEY]],
	],
	[
		'has a space, line break or special character in it, or is too long',
		PASTE,
		[
			...['k'.repeat(2049), `Bearer ${KEY}`, 'pk_1\r\nX-Evil: 1', '"pk_1"', "'pk_1", 'pk_1`', 'pk_ключ'],
			...['pk_1\u0000', 'pk_1\u007f', 'pk_\u200b1', 'pk–1'],
		],
	],
])(
	"parseConnection reports that 'API Key' %s, even if the request timeout is invalid too",
	async (event, description, keys) => {
		for (const apiKey of keys) {
			const data = { apiKey, showAdvanced: true, requestTimeout: 0 };
			expect(await expectError(() => parse(data))).toEqual({ message: `'API Key' ${event}`, description });
		}
	},
);

const renamed = { cursorParameter: 'after', pageSizeParameter: 'per_page' };

test.each<[object, object]>([
	[{ showAdvanced: true, ...renamed }, renamed],
	[{ showAdvanced: true, cursorParameter: ' after ', pageSizeParameter: ' per_page\n' }, renamed],
	[{ showAdvanced: false, ...renamed, requestTimeout: 'hidden' }, {}],
	[{ showAdvanced: true, requestTimeout: 1 }, { timeoutMs: 1000 }],
	[{ showAdvanced: true, requestTimeout: '3600' }, { timeoutMs: 3_600_000 }],
	[{ showAdvanced: true, cursorParameter: '', pageSizeParameter: null, requestTimeout: '' }, {}],
	[{ showAdvanced: true, cursorParameter: ' ', pageSizeParameter: [], requestTimeout: null }, {}],
])(
	'parseConnection turns the credential settings %j into a connection that differs from the default by %j',
	(data, expected) => {
		expect(parse(data)).toMatchObject({ ...CONNECTION, ...expected });
	},
);

test.each([0, -1, 3601, 1.5, 'soon', false, [60]])(
	'parseConnection rejects the request timeout %j because it is not a whole number from 1 to 3600 seconds',
	async (requestTimeout) => {
		const { message } = await expectError(() => parse({ showAdvanced: true, requestTimeout }));
		expect(message).toBe("'Request Timeout (Seconds)' must be a whole number from 1 to 3600");
	},
);
