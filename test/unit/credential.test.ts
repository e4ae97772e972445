import { ProspectorApi } from '../../credentials/ProspectorApi.credentials';
import {
	CREDENTIAL,
	DEFAULT_CURSOR_PARAMETER,
	DEFAULT_PAGE_SIZE_PARAMETER,
} from '../../nodes/Prospector/parameters/credential/connection';

const credential = new ProspectorApi();
const property = (name: string) => credential.properties.find((one) => one.name === name);

describe('the credential', () => {
	test('has the names that workflows depend on', () => {
		expect(credential.name).toBe('prospectorApi');
		expect(credential.name).toBe(CREDENTIAL);
		expect(credential.properties.map(({ name }) => name)).toEqual([
			'apiKey',
			'baseUrl',
			'showAdvanced',
			'allowHttp',
			'cursorParameter',
			'pageSizeParameter',
			'runPageUrl',
			'workflowPageUrl',
		]);
	});

	test('hides the key and no other field', () => {
		const hidden = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
	});

	test('needs a key and an address and nothing else', () => {
		const required = credential.properties.filter((one) => one.required);
		expect(required.map(({ name }) => name)).toEqual(['apiKey', 'baseUrl']);
	});

	test.each(['allowHttp', 'cursorParameter', 'pageSizeParameter', 'runPageUrl', 'workflowPageUrl'])(
		'shows %s to whoever asks for it',
		(name) => {
			expect(property(name)?.displayOptions).toEqual({ show: { showAdvanced: [true] } });
		},
	);

	test.each([
		['cursorParameter', DEFAULT_CURSOR_PARAMETER],
		['pageSizeParameter', DEFAULT_PAGE_SIZE_PARAMETER],
		['allowHttp', false],
		['showAdvanced', false],
		['runPageUrl', ''],
		['workflowPageUrl', ''],
	])('shows the default of %s that is used', (name, value) => expect(property(name)?.default).toBe(value));

	// No expression: n8n cannot evaluate any in a poll during which another poll of its n8n workflow ends.
	test('authenticates as the contract says, without white space around the key, and changes nothing else', async () => {
		const request = { url: 'https://app.example.com/x', headers: { Accept: 'application/json' } };
		expect(await credential.authenticate({ apiKey: ' pk_1\n' }, request)).toEqual({
			url: 'https://app.example.com/x',
			headers: { Accept: 'application/json', Authorization: 'Bearer pk_1' },
		});
		expect(request.headers).toEqual({ Accept: 'application/json' });
		expect(await credential.authenticate({ apiKey: 'pk_2' }, { url: 'x' })).toEqual({
			url: 'x',
			headers: { Authorization: 'Bearer pk_2' },
		});
	});

	test('describes every field', () => {
		for (const { description } of credential.properties) expect(description).toMatch(/^[A-Z].{20}/);
	});
});
