import { node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { manualWorkflow } from '../n8n/workflows';

describe("n8n's HTTP Request node with the Prospector credential", () => {
	let e2e: Environment;
	beforeAll(async () => (e2e = await startEnvironment()));
	afterAll(async () => await e2e.close());

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
