import { ProspectorApi } from '../../credentials/ProspectorApi.credentials';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import { parseConnection } from '../../nodes/Prospector/parameters/parseConnection';

const credential = new ProspectorApi();

describe('the credential', () => {
	test('has the names, defaults and conditions that workflows depend on', () => {
		expect(credential.name).toBe('prospectorApi');
		expect(new Prospector().description.credentials).toMatchObject([{ name: credential.name }]);
		const advanced = { show: { showAdvanced: [true] } };
		const fields = credential.properties.map((one) => [
			one.name,
			one.default,
			one.required,
			one.displayOptions,
		]);
		expect(fields).toEqual([
			['apiKey', '', true, undefined],
			['baseUrl', '', true, undefined],
			['showAdvanced', false, undefined, undefined],
			['allowHttp', false, undefined, advanced],
			['cursorParameter', 'cursor', undefined, advanced],
			['pageSizeParameter', 'limit', undefined, advanced],
			['requestTimeout', 60, undefined, advanced],
			['runPageUrl', '', undefined, advanced],
			['workflowPageUrl', '', undefined, advanced],
		]);
	});

	test('hides the key and no other field', () => {
		const hidden = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
	});

	test('shows the query parameters and the timeout that are used by default', () => {
		const shown = Object.fromEntries(credential.properties.map((one) => [one.name, one.default]));
		const required = { apiKey: 'k', baseUrl: 'https://app.example.com' };
		const { cursorParameter, pageSizeParameter, timeout } = parseConnection(required);
		expect(shown).toMatchObject({ cursorParameter, pageSizeParameter, requestTimeout: timeout / 1000 });
	});

	test('limits the request timeout in the editor', () => {
		const field = credential.properties.find(({ name }) => name === 'requestTimeout');
		expect(field).toMatchObject({ type: 'number', typeOptions: { minValue: 1, maxValue: 3600 } });
	});

	// No expression: n8n can't evaluate any in a poll during which another poll of its n8n workflow ends.
	test('signs requests as the contract says, and changes nothing else of them', async () => {
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

	test('has these labels and descriptions', () => {
		const texts = credential.properties.map(({ displayName, description }) => [displayName, description]);
		expect(texts).toEqual([
			[
				'API Key',
				'Create it in your workspace with the scopes prospector.read and prospector.run, and paste it here',
			],
			['Base URL', 'The web address of the service, without a path'],
			['Show Advanced Settings', 'Whether to show and use settings for unusual setups'],
			[
				'Allow Unencrypted HTTP',
				'Whether to allow a Base URL that starts with http://. Others on the network can then read the API key.',
			],
			[
				'Cursor Parameter',
				'Query parameter for the next page. Change it if lists end with a message about pages.',
			],
			[
				'Page Size Parameter',
				'Query parameter for the page size. Change it if the option Page Size has no effect.',
			],
			['Request Timeout (Seconds)', 'How long to wait for an answer to one request'],
			[
				'Run Page URL',
				"Adds a link to each run in the list. Enter the address of a run's page with {run_id} in place of the ID.",
			],
			[
				'Workflow Page URL',
				'Adds a link to each Prospector workflow in the list. Enter the address of its page with {workflow_id} in place of the ID.',
			],
		]);
	});
});
