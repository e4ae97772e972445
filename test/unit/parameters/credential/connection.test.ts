import { parseConnection } from '../../../../nodes/Prospector/parameters/credential/connection';
import { BASE, CONNECTION, CREDENTIAL_DATA, KEY, expectInvalid } from '../../helpers/support';

const renamed = { cursorParameter: 'after', pageSizeParameter: 'per_page' };

describe('a credential', () => {
	test.each([
		['key and address alone', {}, {}],
		['white space around the key', { apiKey: `\n ${KEY}\t` }, {}],
		['a trailing slash', { baseUrl: `${BASE}/` }, {}],
		['advanced settings that are shown', { showAdvanced: true, ...renamed }, renamed],
		['advanced settings that are hidden', { showAdvanced: false, ...renamed }, {}],
		[
			'empty advanced settings',
			{ showAdvanced: true, cursorParameter: ' ', pageSizeParameter: undefined },
			{},
		],
		[
			'white space around a setting',
			{ showAdvanced: true, cursorParameter: ' after ' },
			{ cursorParameter: 'after' },
		],
		[
			'unencrypted HTTP that is allowed',
			{ showAdvanced: true, allowHttp: true, baseUrl: 'http://intranet' },
			{ baseUrl: 'http://intranet' },
		],
	])('with %s gives a connection', (_, data, expected) => {
		expect(parseConnection({ ...CREDENTIAL_DATA, ...data } as never)).toEqual({
			value: { ...CONNECTION, redact: expect.any(Function) as unknown, ...expected },
		});
	});

	test.each([
		['nothing in it', { apiKey: undefined, baseUrl: undefined }, "'Base URL'"],
		['no key', { apiKey: '' }, "no 'API Key'"],
		['a blank key', { apiKey: ' \n' }, "no 'API Key'"],
		['a key that is a number', { apiKey: 12345 }, "no 'API Key'"],
		['a key that is an object', { apiKey: { key: KEY } }, "no 'API Key'"],
		['the word Bearer before the key', { apiKey: `Bearer ${KEY}` }, 'spaces'],
		['a line break within the key', { apiKey: 'pk_1\npk_2' }, 'line breaks'],
		['quotation marks around the key', { apiKey: '"pk_1"' }, 'quotation marks'],
		['a key that is too long', { apiKey: 'k'.repeat(2049) }, 'which is too long for a key'],
		['a letter outside ASCII in the key', { apiKey: 'pk_ключ' }, 'characters that no key has'],
		['unencrypted HTTP', { baseUrl: 'http://intranet' }, 'unencrypted'],
		['an allowance that is hidden', { baseUrl: 'http://intranet', allowHttp: true }, 'unencrypted'],
		[
			'an allowance that is not a boolean',
			{ baseUrl: 'http://intranet', showAdvanced: true, allowHttp: 'true' },
			'unencrypted',
		],
	])('with %s is explained', (_, data, words) => {
		const { message, description } = expectInvalid(parseConnection({ ...CREDENTIAL_DATA, ...data } as never));
		expect(message).toContain(words);
		expect(message + description).not.toContain(KEY);
	});
});
