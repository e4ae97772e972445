import { refused, type HostileCase } from './attempt';

const of = (words: string) => `'Base URL' of the credential ${words}`;
const NO_ADDRESS = of('is not a web address');
const NO_HTTPS = of('must start with https://');
const PLAIN = of('uses http://, which would send the API key unencrypted');
const USER = of('must not hold a user name or password');
const QUERY = of('must end before any ? or #');
const NONE = "The credential has no 'Base URL'";

const refusedTable: Array<[unknown, string]> = [
	['javascript:alert(1)', NO_HTTPS],
	['file:///etc/hosts', NO_HTTPS],
	['ftp://app.example.com', NO_HTTPS],
	['data:text/html,x', NO_HTTPS],
	['ws://app.example.com', NO_HTTPS],
	['blob:https://app.example.com/1', NO_HTTPS],
	['https://user:word@app.example.com', USER],
	['https://app.example.com@evil.example', USER],
	['http://127.0.0.1@evil.example', USER],
	['https://app.example.com?next=https://evil.example', QUERY],
	['https://app.example.com#@evil.example', QUERY],
	['http://evil.example', PLAIN],
	['http://127.0.0.1.evil.com', PLAIN],
	['http://localhost.evil.com', PLAIN],
	['http://evil-localhost', PLAIN],
	['http://localhost.', PLAIN],
	['http://127.0.0.1-evil.com', PLAIN],
	['http://3232235777', PLAIN],
	['http://0.0.0.0', PLAIN],
	['http://169.254.169.254', PLAIN],
	['http://[::ffff:127.0.0.1]', PLAIN],
	['http://[::]', PLAIN],
	['http://[fe80::1]', PLAIN],
	['http:evil.example', PLAIN],
	['//app.example.com', NO_ADDRESS],
	['https://', NO_ADDRESS],
	['https://app.example.com:99999', NO_ADDRESS],
	['https://app\u0000.example.com', NO_ADDRESS],
	['https://[::1', NO_ADDRESS],
	['x'.repeat(100_000), NO_ADDRESS],
	[{ href: 'https://app.example.com' }, NONE],
	[['https://app.example.com'], NONE],
	[true, NONE],
];

const usedTable: Array<[string, string, string]> = [
	['http://2130706433', 'http://127.0.0.1', ''],
	['http://0x7f.1', 'http://127.0.0.1', ''],
	['http://[::1]:8080', 'http://[::1]:8080', ''],
	['https://app.example.com\\@evil.example', 'https://app.example.com', '/@evil.example'],
	['https://app.example.com/a/../../..', 'https://app.example.com', ''],
	['https://app.example.com/%2e%2e/%2E%2E', 'https://app.example.com', ''],
	['https://app.exa\r\nmple.com', 'https://app.example.com', ''],
	['https://app.example.com/%0d%0aX-Evil:1', 'https://app.example.com', '/%0d%0aX-Evil:1'],
	['https://app.example.com//evil.example', 'https://app.example.com', '//evil.example'],
	['https://\u0430pp.example.com', 'https://xn--pp-6kc.example.com', ''],
];

export const baseUrls: HostileCase[] = [
	...refusedTable.map(([baseUrl, message]) => ({
		what: `the base URL ${JSON.stringify(baseUrl).slice(0, 60)}`,
		given: { operation: 'identity.get', credential: { baseUrl } },
		expected: refused(message),
	})),
	...usedTable.map(([baseUrl, origin, path]) => ({
		what: `the base URL ${JSON.stringify(baseUrl)}`,
		given: { operation: 'identity.get', credential: { baseUrl } },
		expected: { message: undefined, urls: [`${origin}${path}/api/public/v1/me`] },
		origin,
	})),
];
