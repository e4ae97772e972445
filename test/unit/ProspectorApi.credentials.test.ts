import { NodeHelpers } from 'n8n-workflow';
import { ProspectorApi } from '../../credentials/ProspectorApi.credentials';
import { parseConnection } from '../../nodes/Prospector/parameters/parseConnection';
import { CREDENTIAL_DATA } from './helpers/support';

const credential = new ProspectorApi();

test('the credential shows the default settings that the node uses', () => {
	const shown = Object.fromEntries(credential.properties.map((one) => [one.name, one.default]));
	const { cursorParameter, pageSizeParameter, timeoutMs } = parseConnection(CREDENTIAL_DATA);
	expect(shown).toMatchObject({ cursorParameter, pageSizeParameter, requestTimeout: timeoutMs / 1000 });
});

test('the credential shows the advanced settings only if they are used', () => {
	const shown = (showAdvanced: boolean) =>
		credential.properties
			.filter((field) => NodeHelpers.displayParameter({ showAdvanced }, field, null, null))
			.map(({ name }) => name);
	expect(shown(false)).toEqual(['apiKey', 'baseUrl', 'showAdvanced']);
	expect(shown(true)).toEqual(credential.properties.map(({ name }) => name));
});

// No expression: n8n can't evaluate any in a poll during which another poll of its n8n workflow ends.
test('the credential adds only an Authorization header with the API key to a request', async () => {
	const request = { url: 'https://app.example.com/x', headers: { Accept: 'application/json' } };
	expect(await credential.authenticate({ apiKey: ' pk_1\n' }, request)).toEqual({
		url: 'https://app.example.com/x',
		headers: { Accept: 'application/json', Authorization: 'Bearer pk_1' },
	});
	expect(request.headers).toEqual({ Accept: 'application/json' });
	const ownHeader = { url: 'x', headers: { Authorization: 'Bearer other' } };
	for (const other of [{ url: 'x' }, ownHeader])
		expect(await credential.authenticate({ apiKey: 'pk_2' }, other)).toEqual({
			url: 'x',
			headers: { Authorization: 'Bearer pk_2' },
		});
});
