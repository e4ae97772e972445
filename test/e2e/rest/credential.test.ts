/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeCredentialTestResult } from 'n8n-workflow';
import { node } from '../../nodes';
import { useEnvironment } from '../environment';
import { createCredential } from '../n8n/credentials';
import { jsonOf } from '../n8n/executions';
import { manualWorkflow } from '../n8n/workflows';

describe('A saved credential', () => {
	const e2e = useEnvironment();

	test('a saved credential passes its test, and its API key appears in no REST response, execution, log or file', async () => {
		const secret = e2e.sandbox.keys.full;
		const data = { apiKey: secret, baseUrl: e2e.sandbox.baseUrl };
		const credentials = await createCredential(e2e.rest, 'Secret', 'prospectorApi', data);
		const { id } = credentials.prospectorApi;
		// As its form does.
		const opened = await e2e.rest.get<IDataObject>(`/rest/credentials/${id}?includeData=true`);
		const tested = await e2e.rest.post<INodeCredentialTestResult>('/rest/credentials/test', {
			credentials: { id, name: 'Secret', type: 'prospectorApi', data: opened.data },
		});
		expect(tested).toMatchObject({ status: 'OK', message: 'Connected' });
		const failing = e2e.prospector(
			'Failing',
			{ resource: 'run', operation: 'get', runId: 'no_such_run' },
			{ credentials },
		);
		const ended = await e2e.workflows.execute(manualWorkflow(failing));
		expect(ended.status).toBe('error');
		const responses = {
			opened,
			ended,
			renamed: await e2e.rest.patch(`/rest/credentials/${id}`, { ...opened, name: 'Renamed' }),
			tested,
			credentials: await e2e.rest.get('/rest/credentials?includeScopes=true'),
			workflow: await e2e.workflows.get(ended.workflowId),
		};
		for (const [name, response] of Object.entries(responses)) {
			expect([name, JSON.stringify(response).includes(secret)]).toEqual([name, false]);
		}
		expect(e2e.n8n.log()).toContain('Failing');
		const files = readdirSync(e2e.n8n.folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
			.map((entry) => join(entry.parentPath, entry.name));
		expect(files).toContainEqual(expect.stringMatching(/\.sqlite$/));
		expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([]);
	});

	test('the HTTP Request node sends the API key when it uses the Prospector credential', async () => {
		// Set up as docs/operations.md says.
		const parameters = {
			url: `${e2e.sandbox.baseUrl}/api/public/v1/me`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'prospectorApi',
			options: {},
		};
		const extra = { typeVersion: 4.2, credentials: e2e.full };
		const request = node('HTTP Request', 'n8n-nodes-base.httpRequest', parameters, extra);
		e2e.clearRequests();
		const ended = await e2e.workflows.execute(manualWorkflow(request));
		expect(jsonOf(ended, 'HTTP Request')).toMatchObject([{ data: {}, request_id: expect.any(String) }]);
		expect(e2e.control.journal()).toMatchObject([{ operation: 'getMe', keyName: 'full', status: 200 }]);
	});
});
