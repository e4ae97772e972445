import { normalizeBaseUrl } from '../../../../nodes/Prospector/parameters/credential/baseUrl';
import { expectInvalid } from '../../helpers/support';

describe('the base URL', () => {
	test.each([
		['https://app.example.com', 'https://app.example.com'],
		['  https://app.example.com\n', 'https://app.example.com'],
		['https://app.example.com/', 'https://app.example.com'],
		['https://app.example.com///', 'https://app.example.com'],
		['https://app.example.com:8443', 'https://app.example.com:8443'],
		['https://app.example.com:443/', 'https://app.example.com'],
		['HTTPS://App.Example.COM', 'https://app.example.com'],
		['https://app.example.com/api/public/v1', 'https://app.example.com'],
		['https://app.example.com/api/public/v1/', 'https://app.example.com'],
		['https://app.example.com/api/public/v1/me', 'https://app.example.com'],
		['https://app.example.com/api/public/v1/prospector/runs/run_1', 'https://app.example.com'],
		['https://app.example.com/tenant-a', 'https://app.example.com/tenant-a'],
		['https://app.example.com/tenant-a/api/public/v1', 'https://app.example.com/tenant-a'],
		['https://app.example.com/api/public/v10', 'https://app.example.com/api/public/v10'],
		['http://localhost:3000', 'http://localhost:3000'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['http://127.1.2.3', 'http://127.1.2.3'],
		['http://[::1]:3000/', 'http://[::1]:3000'],
	])('%j becomes %s', (text, expected) => {
		expect(normalizeBaseUrl(text, false)).toEqual({ value: expected });
	});

	test.each([
		['', 'has no'],
		['   ', 'has no'],
		[undefined, 'has no'],
		[null, 'has no'],
		[42, 'has no'],
		[{ href: 'https://app.example.com' }, 'has no'],
		['app.example.com', 'not a web address'],
		['https://', 'not a web address'],
		['https://app example.com', 'not a web address'],
		['localhost:3000', 'must start with https://'],
		['ftp://app.example.com', 'must start with https://'],
		['https://user@app.example.com', 'user name or password'],
		['https://user:word@app.example.com', 'user name or password'],
		['https://app.example.com?key=1', 'must end before any ? or #'],
		['https://app.example.com/#/login', 'must end before any ? or #'],
		['http://app.example.com', 'unencrypted'],
		['http://192.168.1.10:3000', 'unencrypted'],
		['http://localhost.example.com', 'unencrypted'],
	])('%j is explained: %s', (text, words) => {
		const { message, description } = expectInvalid(normalizeBaseUrl(text, false));
		expect(message).toContain(words);
		expect(message).toContain("'Base URL'");
		expect(description.length).toBeGreaterThan(20);
	});

	test.each(['http://app.example.com', 'http://192.168.1.10:3000'])(
		'%s is accepted once the credential allows unencrypted HTTP',
		(text) => expect(normalizeBaseUrl(text, true)).toEqual({ value: text }),
	);

	test.each(['file:///etc/hosts', 'javascript:alert(1)', 'ftp://app.example.com'])(
		'%s stays refused where unencrypted HTTP is allowed',
		(text) =>
			expect(expectInvalid(normalizeBaseUrl(text, true)).message).toContain('must start with https://'),
	);
});
