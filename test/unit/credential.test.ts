import { ProspectorApi } from '../../credentials/ProspectorApi.credentials';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import { parseConnection } from '../../nodes/Prospector/parameters/credential/connection';

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
			['runPageUrl', '', undefined, advanced],
			['workflowPageUrl', '', undefined, advanced],
		]);
	});

	test('hides the key and no other field', () => {
		const hidden = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
	});

	test('shows the query parameters that are used by default', () => {
		const shown = Object.fromEntries(credential.properties.map((one) => [one.name, one.default]));
		const required = { apiKey: 'k', baseUrl: 'https://app.example.com' };
		const { cursorParameter, pageSizeParameter } = parseConnection(required);
		expect(shown).toMatchObject({ cursorParameter, pageSizeParameter });
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

	test('describes every field', () => {
		for (const { description } of credential.properties) expect(description).toMatch(/^[A-Z].{20}/);
	});
});
